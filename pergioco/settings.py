"""Settings, from the environment (`.env.example` documents every variable).

Two profiles. `embedded`: SQLite, no Redis, one process, for a small club, a trial or the tests.
`production`: PostgreSQL, Redis, workers; it refuses to start half-configured.
"""

import os
import secrets
import sys
from email.utils import parseaddr
from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from whitenoise.compress import Compressor

from pergioco import env
from pergioco.pipeline import EVENTS, EXPORTS, OUTSIDE, PRINTED, PRINTED_CHOICES, RANKINGS, ROUNDS, STEPS

BASE_DIR = Path(__file__).resolve().parent.parent
PROFILE = env.choice("PORTAL_PROFILE", "embedded", ("embedded", "production"))
PRODUCTION = PROFILE == "production"
TESTING = "pytest" in sys.modules
DATA_DIR = Path(env.text("PORTAL_DATA_DIR", str(BASE_DIR / "var")))
if not PRODUCTION:  # in production it is a volume, and the rest of the disk may be read-only
    DATA_DIR.mkdir(parents=True, exist_ok=True)


def own_secret() -> str:
    """The embedded profile makes its own key once and keeps it beside its database."""
    path = DATA_DIR / "secret-key"
    if not path.exists():
        fresh = path.with_name(f"secret-key-{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(64), encoding="ascii")
        fresh.replace(path)  # never seen half-written by a process that starts at the same moment
    return path.read_text(encoding="ascii").strip()


SHORTEST_KEY, SHORTEST_TOKEN = 50, 20
DEBUG = env.flag("PORTAL_DEBUG", default=False)
DEMO = env.flag("PORTAL_DEMO", default=False)
SECRET_KEY = env.text("PORTAL_SECRET_KEY") or ("" if PRODUCTION else own_secret())
FORMER_SECRET_KEY = env.text("PORTAL_FORMER_SECRET_KEY")  # it signs nothing any more; second factors are read with it
ALLOWED_HOSTS = env.words("PORTAL_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1],testserver")
PUBLIC_URL = env.url("PORTAL_URL", "http://127.0.0.1:8000", ("http", "https"))

if PRODUCTION:
    if DEBUG:
        raise ImproperlyConfigured("PORTAL_DEBUG is on. Production never runs with it: remove it.")
    if DEMO:
        raise ImproperlyConfigured("PORTAL_DEMO is on. It shows codes of invented people: remove it in production.")
    if len(SECRET_KEY) < SHORTEST_KEY or SECRET_KEY.startswith(("change", "django-insecure")):
        raise ImproperlyConfigured(
            "PORTAL_SECRET_KEY is missing, too short or the one of the example. "
            'Make one: python -c "import secrets; print(secrets.token_urlsafe(64))"'
        )
    if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured("PORTAL_HOSTS must list the host names of the site, separated by commas; not “*”.")
    if PUBLIC_URL.scheme != "https":
        raise ImproperlyConfigured("PORTAL_URL must begin with https:// in production.")

INSTALLED_APPS = [
    "pergioco.website",
    "pergioco.players",
    "pergioco.stages",
    "pergioco.ledger",
    "ratings",
    "rankings",
    "race",
    "big_league",
    "risiko_master",
    "pergioco.office",
    "pergioco.account",
    "pergioco.contact",
    "pergioco.imports",
    "pergioco.brochures",
    "pergioco.desk",
    "pergioco.demo",
    "pergioco.desk.apps.GatedAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_countries",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "pergioco.website.middleware.request_id",
    "pergioco.website.middleware.tell_of_refusals",
    "pergioco.website.middleware.database_down",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pergioco.website.page_cache.keep_pages",
    "csp.middleware.CSPMiddleware",
    "pergioco.website.middleware.extra_headers",
    "pergioco.website.middleware.known_methods",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
]
ROOT_URLCONF = "pergioco.urls"
WSGI_APPLICATION = "pergioco.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "pergioco.website.context.site",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Data
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite://{DATA_DIR / 'portal.sqlite3'}")}
if PRODUCTION and DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL database in production: postgresql://…")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Limits and other short memories live in the database: shared by all processes, and they hold without Redis.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "short_memory"},
    # Lost with the process, and nobody misses it
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# Waiting work: Celery wakes workers up; without a broker the same steps run in the process.
BROKER_URL = env.text("REDIS_URL")
if PRODUCTION and not BROKER_URL:
    raise ImproperlyConfigured("REDIS_URL must name the broker in production: redis://host:6379/0")
PIPELINE_EVENTS = EVENTS
PIPELINE_STEPS = STEPS
PIPELINE_RANKINGS = RANKINGS
PIPELINE_OUTSIDE = OUTSIDE
PIPELINE_ROUNDS = ROUNDS
PIPELINE_PRINTED = PRINTED
PIPELINE_PRINTED_CHOICES = PRINTED_CHOICES
PIPELINE_EXPORTS = EXPORTS

# Languages and time
LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Rome"
FORMAT_MODULE_PATH = ["pergioco.formats"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True

# Logins
AUTH_USER_MODEL = "players.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "pergioco.players.passwords.OwnWordsValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "me"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "pergioco.account.adapter.Adapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 14  # as long as an unconfirmed registration is kept
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "PerGioco Masters · "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = PUBLIC_URL.scheme
ACCOUNT_RATE_LIMITS = {
    "signup": None,  # the registration page keeps its own limit, which an event code lifts
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/300s/key",
    "reset_password": "20/m/ip,5/m/key",
    "confirm_email": "1/60s/key",
    "check_account": "10/h/user",  # each check asks a platform
}
REGISTRATION_RATE = "20/h/ip"
ALLAUTH_TRUSTED_PROXY_COUNT = env.integer("PORTAL_TRUSTED_PROXIES", 0)
MFA_ADAPTER = "pergioco.account.factor_secrets.Adapter"
MFA_FORMS = {
    "add_webauthn": "pergioco.account.passkey_forms.Adding",
    "authenticate_webauthn": "pergioco.account.passkey_forms.SecondFactor",
    "login_webauthn": "pergioco.account.passkey_forms.SigningIn",
    "reauthenticate_webauthn": "pergioco.account.passkey_forms.StillYou",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "PerGioco Masters"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
USERSESSIONS_TRACK_ACTIVITY = True

# Mail is written to the outbox in the transaction that causes it, and leaves from there
EMAIL_BACKEND = "pergioco.contact.mail.OutboxBackend"
MAIL_TRANSPORT = env.choice("PORTAL_MAIL", "smtp" if PRODUCTION else "file", ("smtp", "file", "console"))
MAIL_FOLDER = DATA_DIR / "mail"
EMAIL_HOST = env.text("SMTP_HOST", "localhost")
EMAIL_PORT = env.integer("SMTP_PORT", 587 if PRODUCTION else 25, least=1)
EMAIL_HOST_USER = env.text("SMTP_USER")
EMAIL_HOST_PASSWORD = env.text("SMTP_PASSWORD")
EMAIL_USE_TLS = env.flag("SMTP_TLS", default=PRODUCTION)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("PORTAL_FROM", "PerGioco Masters <portale@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Whom to tell about a hole (/.well-known/security.txt), and who may read /metrics: nobody without a token
SECURITY_CONTACT = env.text("PORTAL_SECURITY_CONTACT") or f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"
METRICS_TOKEN = env.text("PORTAL_METRICS_TOKEN")
if PRODUCTION and 0 < len(METRICS_TOKEN) < SHORTEST_TOKEN:
    raise ImproperlyConfigured(f"PORTAL_METRICS_TOKEN is too short: at least {SHORTEST_TOKEN} characters, or none.")

# Platforms asked for a proof code; only these hosts are ever called
PLAYSTRATEGY_HOST = env.text("PLAYSTRATEGY_HOST", "playstrategy.org")
ABSTRACT_PLAY_HOST = env.text("ABSTRACT_PLAY_HOST", "play.abstractplay.com")
ABSTRACT_PLAY_API_HOST = env.text("ABSTRACT_PLAY_API_HOST", "api.abstractplay.com")
# The federation's own account on Board Game Arena: players may send it their proof code
BGA_ACCOUNT = env.text("BGA_ACCOUNT")

# The API: read-only, for everybody
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {"anon": env.text("API_RATE", "300/min")},
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "PerGioco Masters",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["pergioco.api.docs.with_troubles"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Static files
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("PORTAL_STATIC_ROOT", str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or TESTING
        else "pergioco.website.style_sheets.WholeStyleSheets"
    },
}
WHITENOISE_USE_FINDERS = DEBUG or TESTING
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "map"]  # large, and nobody asks for them
WHITENOISE_AUTOREFRESH = DEBUG or TESTING  # nothing was collected yet
MEDIA_ROOT = DATA_DIR / "media"
# Kept apart from the backups of the database: after a restore, `manage.py replay_erasures` reads it
ERASURE_JOURNAL = DATA_DIR / "erasures.jsonl"

# Browsers
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
THEME_COOKIE_NAME, MESSAGE_COOKIE_NAME = "theme", "messages"
MESSAGE_STORAGE = "pergioco.website.waiting_messages.Storage"
CSRF_FAILURE_VIEW = "pergioco.website.errors.csrf_failure"
if PRODUCTION:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ALLAUTH_TRUSTED_PROXY_COUNT else None
    SECURE_HSTS_SECONDS = 2 * 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    THEME_COOKIE_NAME, MESSAGE_COOKIE_NAME = "__Host-theme", "__Host-messages"
    CSRF_TRUSTED_ORIGINS = [f"https://{host.lstrip('.')}" for host in ALLOWED_HOSTS]

DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} {message}", "datefmt": "%Y-%m-%dT%H:%M:%S%z", "style": "{"}
    },
    "filters": {"without_keys": {"()": "pergioco.website.logs.WithoutKeys"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_keys"]}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {"django.security.DisallowedHost": {"level": "CRITICAL"}},
}
