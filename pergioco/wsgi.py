import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pergioco.settings")
application = get_wsgi_application()
# A page makes ten thousands of small objects and lets all of them go: collecting garbage after
# every 700 of them, which is Python's default, takes much of the time. What was imported stays for
# good.
gc.freeze()
gc.set_threshold(100_000)
