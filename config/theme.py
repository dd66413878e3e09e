"""How the admin looks; what its sidebar leads to is `matches.staff.navigation`."""

from typing import Any

from django.templatetags.static import static

# A green of felt, lightest first.
_GREENS = (
    "oklch(97.9% .014 166)",
    "oklch(95% .04 166)",
    "oklch(90.5% .08 165)",
    "oklch(84.5% .12 165)",
    "oklch(76.5% .14 164)",
    "oklch(66% .14 163)",
    "oklch(53% .12 164)",
    "oklch(45% .1 165)",
    "oklch(39% .085 166)",
    "oklch(33% .07 167)",
    "oklch(23% .05 169)",
)
_WEIGHTS = ("50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950")

THEME: dict[str, Any] = {
    "SITE_TITLE": "Listik",
    "SITE_HEADER": "Listik",
    "SITE_SUBHEADER": "Admin",
    "SITE_SYMBOL": "playing_cards",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("matches/icon.svg")}],
    "STYLES": [lambda request: static("matches/admin.css")],
    "SITE_URL": "/api/docs/",
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": False,
    "COLORS": {"primary": dict(zip(_WEIGHTS, _GREENS, strict=True))},
}
