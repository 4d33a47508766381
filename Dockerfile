# The portal in production. `docker-compose.yml` runs it as web, worker, beat and, once at each start, migrate.
ARG BASE=python:3.11-slim-bookworm
FROM ${BASE}

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --uid 1000 --user-group --create-home portal && install --directory --owner portal --group portal /data /static
WORKDIR /app

COPY requirements/base.txt requirements/base.txt
RUN pip install --require-hashes --requirement requirements/base.txt

COPY manage.py ./
COPY docker/ docker/
COPY locale/ locale/
COPY static/ static/
COPY templates/ templates/
COPY ratings/ ratings/
COPY rankings/ rankings/
COPY race/ race/
COPY big_league/ big_league/
COPY risiko_master/ risiko_master/
COPY pergioco/ pergioco/

ENV PORTAL_DATA_DIR=/data PORTAL_STATIC_ROOT=/app/staticfiles
# Built in the embedded profile, with a key that is thrown away: the image holds no secret.
RUN python docker/compile_messages.py locale/*/LC_MESSAGES/*.po \
    && PORTAL_DATA_DIR=/tmp/build python manage.py collectstatic --no-input --ignore redoc --verbosity 0 \
    && rm -rf /tmp/build

ENV PORTAL_PROFILE=production
USER 1000:1000
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["python", "docker/healthy.py", "web"]
# No access log: addresses of pages hold one-time keys.
CMD ["gunicorn", "pergioco.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "pergioco.gunicorn_worker.BufferingWorker", "--keep-alive", "75", "--workers", "2", "--threads", "4", "--worker-tmp-dir", "/dev/shm", "--no-control-socket"]
