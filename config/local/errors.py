"""What stops a start."""


class LocalError(Exception):
    """Listik can't run here; the message is one line that says why, and what would help."""
