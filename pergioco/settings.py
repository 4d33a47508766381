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

BASE_DIR = Path(__file__).resolve().parent.parent
PROFILE = env.choice("PORTAL_PROFILE", "embedded", ("embedded", "production"))
PRODUCTION = PROFILE == "production"
TESTING = "pytest" in sys.modules
DATA_DIR = Path(env.string("PORTAL_DATA_DIR", str(BASE_DIR / "var")))
if not PRODUCTION:  # in production it is a volume, and the rest of the disk may be read-only
    DATA_DIR.mkdir(parents=True, exist_ok=True)


def own_secret() -> str:
    # Created once and kept beside the database, for the embedded profile only
    path = DATA_DIR / "secret-key"
    if not path.exists():
        fresh = path.with_name(f"secret-key-{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(64), encoding="ascii")
        fresh.replace(path)  # atomic: another starting process never reads half a key
    return path.read_text(encoding="ascii").strip()


SHORTEST_KEY, SHORTEST_TOKEN = 50, 20
DEBUG = env.flag("PORTAL_DEBUG", default=False)
DEMO = env.flag("PORTAL_DEMO", default=False)
SECRET_KEY = env.string("PORTAL_SECRET_KEY") or ("" if PRODUCTION else own_secret())
# Keys of before. The first sign nothing new, but what they signed stays valid; the other one may
# have leaked, so it only decrypts second factors
SECRET_KEY_FALLBACKS = env.strings("PORTAL_SECRET_KEY_FALLBACKS")
FORMER_SECRET_KEY = env.string("PORTAL_FORMER_SECRET_KEY")
ALLOWED_HOSTS = env.strings(
    "PORTAL_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1],testserver"
)
PUBLIC_URL = env.url("PORTAL_URL", "http://127.0.0.1:8000", ("http", "https"))

if PRODUCTION:
    if DEBUG:
        raise ImproperlyConfigured("PORTAL_DEBUG is on. Production never runs with it: remove it.")
    if DEMO:
        raise ImproperlyConfigured(
            "PORTAL_DEMO is on. It shows codes of invented people: remove it in production."
        )
    if len(SECRET_KEY) < SHORTEST_KEY or SECRET_KEY.startswith(("change", "django-insecure")):
        raise ImproperlyConfigured(
            "PORTAL_SECRET_KEY is missing, too short or the one of the example. "
            'Make one: python -c "import secrets; print(secrets.token_urlsafe(64))"'
        )
    if any(len(key) < SHORTEST_KEY for key in SECRET_KEY_FALLBACKS):
        raise ImproperlyConfigured(
            "A key in PORTAL_SECRET_KEY_FALLBACKS is too short: what it signs counts as ours."
        )
    if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured(
            "PORTAL_HOSTS must list the host names of the site, separated by commas; not “*”."
        )
    if PUBLIC_URL.scheme != "https":
        raise ImproperlyConfigured("PORTAL_URL must begin with https:// in production.")

INSTALLED_APPS = [
    "pergioco.core",
    "pergioco.core.audit_log",
    "pergioco.website",
    "pergioco.players",
    "pergioco.stages",
    "pergioco.publishing",
    "ratings",
    "rankings",
    "race",
    "big_league",
    "risiko_master",
    "pergioco.imports",
    "pergioco.office",
    "pergioco.office.apps.GatedAdminConfig",
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
if not PRODUCTION:
    INSTALLED_APPS.append("pergioco.demo")
MIDDLEWARE = [
    "pergioco.website.middleware.set_request_id",
    "pergioco.website.middleware.log_refusals",
    "pergioco.website.middleware.database_down",
    # Twice: here for what never gets to the second (static files, the way to https). A header that
    # is there already stays.
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pergioco.core.page_cache.cache_pages",
    "csp.middleware.CSPMiddleware",
    "pergioco.website.middleware.extra_headers",
    "pergioco.website.middleware.limit_methods",
    "pergioco.website.middleware.limit_body",
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
                "pergioco.core.context_processors.site",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Data
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite://{DATA_DIR / 'portal.sqlite3'}")}
if PRODUCTION and DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    raise ImproperlyConfigured(
        "DATABASE_URL must name a PostgreSQL database in production: postgresql://…"
    )
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = env.string("REDIS_URL")
if PRODUCTION and not REDIS_URL:
    raise ImproperlyConfigured("REDIS_URL must name the broker in production: redis://host:6379/0")
# Rate limits and locks are in the database: shared by all processes, and independent of Redis.
CACHES = {
    "default": {
        "BACKEND": "pergioco.core.short_memory.ShortMemoryCache",
    },
    # Lost with the process, without harm
    "process": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
    "pages": env.page_cache(REDIS_URL if PRODUCTION else ""),
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# Jobs: Celery notifies workers; without a broker the same jobs run in the process.
BROKER_URL = REDIS_URL

# Languages and time
LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Rome"
FORMAT_MODULE_PATH = ["pergioco.core.formats"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True

# Logins
AUTH_USER_MODEL = "core.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "pergioco.core.backends.CommonPasswordValidator"},
    {"NAME": "pergioco.core.backends.OwnWordsValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "me"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "pergioco.players.sign_in.AccountAdapter"
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
    "login": None,  # passwords: players/sign_in_limits.py
    "login_failed": "5/300s/key",  # second factors
    "reset_password": "20/m/ip",
    "confirm_email": "1/60s/key",
}
# A passkey cannot be guessed, and a hall full of people signs in at once
MFA_RATE_LIMITS = {"webauthn_login": "120/m/ip"}
REGISTRATION_RATE = "20/h/ip"
ALLAUTH_TRUSTED_PROXY_COUNT = env.integer("PORTAL_TRUSTED_PROXIES", 0)
MFA_ADAPTER = "pergioco.players.sign_in.MfaAdapter"
MFA_FORMS = {
    "add_webauthn": "pergioco.players.sign_in.AddPasskeyForm",
    "authenticate_webauthn": "pergioco.players.sign_in.SecondFactorForm",
    "login_webauthn": "pergioco.players.sign_in.PasskeySignInForm",
    "reauthenticate_webauthn": "pergioco.players.sign_in.ReauthenticateForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "PerGioco Masters"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
USERSESSIONS_TRACK_ACTIVITY = True

# Mail is written to the queue in the transaction that causes it, and leaves from there
EMAIL_BACKEND = "pergioco.core.mail.QueueBackend"
MAIL_TRANSPORT = env.choice(
    "PORTAL_MAIL", "smtp" if PRODUCTION else "file", ("smtp", "file", "console")
)
MAIL_FOLDER = DATA_DIR / "mail"
EMAIL_HOST = env.string("SMTP_HOST", "localhost")
EMAIL_PORT = env.integer("SMTP_PORT", 587 if PRODUCTION else 25, least=1)
EMAIL_HOST_USER = env.string("SMTP_USER")
EMAIL_HOST_PASSWORD = env.string("SMTP_PASSWORD")
EMAIL_USE_TLS = env.flag("SMTP_TLS", default=PRODUCTION)
EMAIL_TIMEOUT = env.integer("SMTP_SECONDS", 3, least=1)  # to connect, and for each command
DEFAULT_FROM_EMAIL = env.string("PORTAL_FROM", "PerGioco Masters <portale@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Contact for security reports (/.well-known/security.txt); token for /metrics, which is off without
# one
SECURITY_CONTACT = (
    env.string("PORTAL_SECURITY_CONTACT") or f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"
)
METRICS_TOKEN = env.string("PORTAL_METRICS_TOKEN")
if PRODUCTION and 0 < len(METRICS_TOKEN) < SHORTEST_TOKEN:
    raise ImproperlyConfigured(
        f"PORTAL_METRICS_TOKEN is too short: at least {SHORTEST_TOKEN} characters, or none."
    )

# Platforms with proof codes; no other hosts are called
PLAYSTRATEGY_HOST = env.string("PLAYSTRATEGY_HOST", "playstrategy.org")
ABSTRACT_PLAY_HOST = env.string("ABSTRACT_PLAY_HOST", "play.abstractplay.com")
ABSTRACT_PLAY_API_HOST = env.string("ABSTRACT_PLAY_API_HOST", "api.abstractplay.com")
# The federation's own account on Board Game Arena: players may send it their proof code
BGA_ACCOUNT = env.string("BGA_ACCOUNT")

# The API: read-only and public
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {"anon": env.string("API_RATE", "300/min")},
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "PerGioco Masters",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["pergioco.api.schema.add_common_responses"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Static files
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.string("PORTAL_STATIC_ROOT", str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or TESTING
        else "pergioco.core.backends.BundledStylesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG or TESTING
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [
    *Compressor.SKIP_COMPRESS_EXTENSIONS,
    "map",
]  # large and rarely requested
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
THEME_COOKIE_NAME, MESSAGE_COOKIE_NAME, DEVICE_COOKIE_NAME = "theme", "messages", "device"
MESSAGE_STORAGE = "pergioco.core.backends.MessageStorage"
CSRF_FAILURE_VIEW = "pergioco.core.errors.csrf_failure"
if PRODUCTION:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_PROXY_SSL_HEADER = (
        ("HTTP_X_FORWARDED_PROTO", "https") if ALLAUTH_TRUSTED_PROXY_COUNT else None
    )
    SECURE_HSTS_SECONDS = 2 * 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # A promise to the makers of browsers that is hard to take back: the operator's choice
    SILENCED_SYSTEM_CHECKS = ["security.W021"]
    SECURE_HSTS_PRELOAD = env.flag("PORTAL_HSTS_PRELOAD", default=False)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    THEME_COOKIE_NAME, MESSAGE_COOKIE_NAME = "__Host-theme", "__Host-messages"
    DEVICE_COOKIE_NAME = "__Host-device"
    CSRF_TRUSTED_ORIGINS = [f"https://{host.lstrip('.')}" for host in ALLOWED_HOSTS]

# Each view says how large a body it reads (`core.policy`); these bound what slips past. Files are
# read in memory: nothing that a visitor sends is written to the disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_250_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_250_000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "pergioco.core.log_lines.LineFormatter",
            "format": "{asctime} {levelname} {name} {message}",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
            "style": "{",
        }
    },
    "filters": {"without_keys": {"()": "pergioco.core.signed_links.HideKeysFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without_keys"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {"django.security.DisallowedHost": {"level": "CRITICAL"}},
}
