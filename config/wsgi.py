"""The web server's way in."""

import os

from django.core.wsgi import get_wsgi_application

from config.bodies import with_length

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = with_length(get_wsgi_application())

from config import figures  # noqa: E402 - settings can't be read before
from matches.services import heartbeat  # noqa: E402

heartbeat.keep_beating()
figures.keep_handing_over("web")
