"""What the staff sees in Django's admin. It shows; whatever changes something goes through a service, with a reason."""

from matches.admin import deliveries, matches, players, records, reports, staff, webhooks

__all__ = ["deliveries", "matches", "players", "records", "reports", "staff", "webhooks"]
