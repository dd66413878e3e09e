"""What the staff sees in Django's admin. It shows; whatever changes something goes through a service, with a reason."""

from matches.admin import matches, players, records, reports, staff

__all__ = ["matches", "players", "records", "reports", "staff"]
