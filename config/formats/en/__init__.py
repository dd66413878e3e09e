"""As logs do."""
