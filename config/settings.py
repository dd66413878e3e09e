"""Settings, all from the environment. `docs/operations.md` lists the variables."""

from email.utils import parseaddr
from typing import Any

from config.env import Env
from config.logs import logging_config
from config.patience import DEAD_PEER, patient
from config.theme import THEME

ENV = Env()

DEBUG = ENV.boolean("DEBUG", default=False)
SECRET_KEY = ENV.text("SECRET_KEY")
SECRET_KEY_FALLBACKS = ENV.listed("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = ENV.listed("ALLOWED_HOSTS", default=("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = ENV.origins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    # Its templates take precedence over those of the theme, and the theme's over Django's.
    "matches",
    "unfold.apps.BasicAppConfig",
    "matches.apps.ListikAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "matches.api.middleware.Received",
    "matches.api.middleware.Watched",
    "config.headers.Guarded",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.pages.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.pages.Users",
    "django_otp.middleware.OTPMiddleware",
    "config.pages.Messages",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Commands that need no database run without an address; whatever connects says what is missing.
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        **ENV.database("DATABASE_URL", default="postgresql:///listik?host=/DATABASE_URL%20is%20not%20set"),
    },
}
DATABASE_POOL: dict[str, Any] = {
    "min_size": 1,
    "max_size": ENV.integer("DATABASE_POOL_SIZE", default=10, least=1, most=1000),
    "timeout": 5,
}
# So long a statement may take before whoever asked is told that the database doesn't answer; 0 for ever.
DATABASE_PATIENCE_S = ENV.integer("DATABASE_PATIENCE_S", default=10, least=0, most=3600)
if DATABASE_PATIENCE_S:
    DATABASE_POOL["connection_class"] = patient(DATABASE_PATIENCE_S)
if ENV.text("DATABASE_URL"):
    # A pool would wait for what can't come, and not say why.
    DATABASES["default"]["OPTIONS"] = {**DEAD_PEER, **DATABASES["default"]["OPTIONS"], "pool": DATABASE_POOL}
if ENV.text("DATABASE_REPLICA_URL"):
    # Lists that anybody may see; given up soon, for the database itself has them too.
    DATABASES["replica"] = {
        "ENGINE": "django.db.backends.postgresql",
        **ENV.database("DATABASE_REPLICA_URL", default=""),
        "TEST": {"MIRROR": "default"},
    }
    DATABASES["replica"]["OPTIONS"] = {
        **DEAD_PEER,
        **DATABASES["replica"]["OPTIONS"],
        "connect_timeout": 2,
        "pool": {**DATABASE_POOL, "timeout": 1},
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "matches.Player"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

PASSWORD_RESET_TIMEOUT = 3600
# A page of a client of yours, where a recovery code is typed in; the code is added behind a '#'.
RECOVERY_URL = ENV.text("RECOVERY_URL")

# Without a mail server mails lie in the data folder, for who tries the service out; never among the logs.
EMAIL_HOST = ENV.text("EMAIL_HOST")
EMAIL_PORT = ENV.integer("EMAIL_PORT", default=587, least=1, most=65535)
EMAIL_HOST_USER = ENV.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = ENV.text("EMAIL_PASSWORD")
EMAIL_SECURITY = ENV.choice("EMAIL_SECURITY", default="starttls", choices=("starttls", "tls", "none"))
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "starttls", EMAIL_SECURITY == "tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = ENV.text("EMAIL_FROM", "Listik <listik@localhost>")
EMAIL_FILE_PATH = f"{ENV.text('LISTIK_DATA')}/mail" if ENV.text("LISTIK_DATA") else None
if EMAIL_HOST:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
else:
    EMAIL_BACKEND = f"django.core.mail.backends.{'filebased' if EMAIL_FILE_PATH else 'dummy'}.EmailBackend"

# Under which address people reach the service: links in mails begin with it. MATCH_URL is a page of a client of yours.
PUBLIC_URL = next(iter(ENV.origins("PUBLIC_URL")), "")
MATCH_URL = ENV.text("MATCH_URL")
# A mail waits so long for other notices to go with it, and so long after the mail before.
MAIL_COLLECT_S = ENV.integer("MAIL_COLLECT_S", default=120, least=0, most=86_400)
MAIL_PAUSE_S = ENV.integer("MAIL_PAUSE_S", default=600, least=0, most=86_400)
# Web Push: 32 bytes in base64url, and whom push services write to when something is wrong.
VAPID_PRIVATE_KEY = ENV.vapid_key("VAPID_PRIVATE_KEY")
VAPID_SUBJECT = ENV.text("VAPID_SUBJECT", f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}")

LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "/static/"
# Where they were not collected they are served out of the packages.
STATIC_ROOT = ENV.text("STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_AUTOREFRESH = DEBUG

HTTPS_ONLY = ENV.boolean("HTTPS_ONLY", default=False)
SECURE_SSL_REDIRECT = HTTPS_ONLY
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_SECURE = HTTPS_ONLY
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS_ONLY else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS_ONLY
SECURE_HSTS_PRELOAD = HTTPS_ONLY
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
# A working day: whoever works in the admin logs in once, and a machine that was forgotten is soon worth nothing.
SESSION_COOKIE_AGE = 12 * 3600
CSRF_COOKIE_HTTPONLY = True
BEHIND_PROXY = ENV.boolean("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Clients send tokens, never cookies, so that an origin that is let in can't act for whoever is logged in elsewhere.
CORS_ALLOWED_ORIGINS = ENV.origins("CORS_ALLOWED_ORIGINS")
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = ("accept", "authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id")
CORS_EXPOSE_HEADERS = ("Content-Disposition", "ETag", "Retry-After", "X-Request-ID")

REST_FRAMEWORK: dict[str, Any] = {
    # The endpoints say how they read, write and tell who asks (matches.api.http); the schema's pages are for anybody.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "matches.api.problems.handle",
    "UNAUTHENTICATED_USER": None,
    # How many of the addresses in X-Forwarded-For were written by proxies of ours.
    "NUM_PROXIES": int(BEHIND_PROXY),
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Listik",
    "DESCRIPTION": "Matches of card and board games for people who are rarely online at the same moment.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["matches.api.document.complete"],
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

BROKER_URL = ENV.broker("BROKER_URL", default="redis+socket:///BROKER_URL is not set")
CACHES = {"default": ENV.cache("CACHE_URL", broker=BROKER_URL)}
# How often one player, or one address where nobody is logged in, may do it: matches.api.throttles.
THROTTLES = {
    scope: ENV.rate(f"THROTTLE_{scope.upper()}", default=default)
    for scope, default in {
        "read": "1200/m",
        "write": "240/m",
        "move": "600/m",
        "history": "120/m",
        "stream": "240/m",
        "login": "30/m",
        "recovery": "10/h",
        "register": "100/h",
    }.items()
}
# Where clients reach the stream service; empty when a proxy joins it with the API under one origin.
STREAMS_URL = ENV.text("STREAMS_URL").rstrip("/")
# How many streams one process serves, and how many of them one player or one address may open.
STREAMS = {
    "process": ENV.integer("STREAMS_MOST", default=10_000, least=1, most=1_000_000),
    "player": ENV.integer("STREAMS_PER_PLAYER", default=20, least=1, most=1_000_000),
    "address": ENV.integer("STREAMS_PER_ADDRESS", default=500, least=1, most=1_000_000),
}
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Longer than any task, so that nothing is handed out twice while it still runs.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 300}
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = "UTC"

# For so long, in milliseconds, a bot seems to think before it moves in a match with people in it.
BOT_DELAY_MS = ENV.integer("BOT_DELAY_MS", default=600, least=0, most=10_000)

# What players have sent to them goes to public addresses and these networks, by HTTPS unless this says so.
OUTGOING_NETWORKS = ENV.networks("OUTGOING_NETWORKS")
OUTGOING_HTTP = ENV.boolean("OUTGOING_HTTP", default=False)

# Whether the staff logs in with an authenticator as well; on a machine of one's own it would be a nuisance.
TWO_STEP = ENV.boolean("TWO_STEP", default=HTTPS_ONLY)
OTP_TOTP_ISSUER = "Listik"
UNFOLD = THEME

METRICS_TOKEN = ENV.text("METRICS_TOKEN")

LOGGING_CONFIG = None
LOGGING = logging_config(
    format_name=ENV.choice("LOG_FORMAT", default="json", choices=("json", "console")),
    level=ENV.choice("LOG_LEVEL", default="INFO", choices=("DEBUG", "INFO", "WARNING", "ERROR")),
)
