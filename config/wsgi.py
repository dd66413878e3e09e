"""The web server's way in."""

import os

from django.core.wsgi import get_wsgi_application

from config.bodies import with_length

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = with_length(get_wsgi_application())

from matches.services import heartbeat  # noqa: E402 - models can't be imported before

heartbeat.keep_beating()
