"""The way in of the stream service: `uvicorn config.streams:application`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config import figures  # noqa: E402 - settings can't be read before
from matches.streams.app import Application  # noqa: E402

figures.keep_handing_over("stream")
application = Application()
