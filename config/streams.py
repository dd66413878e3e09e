"""The way in of the stream service: `uvicorn config.streams:application`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from matches.streams.app import Application  # noqa: E402 - models can't be imported before

application = Application()
