"""What leaves the service for somebody else's machine."""
