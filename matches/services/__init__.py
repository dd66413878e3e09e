"""What may be changed: every function here is one request, whole or not at all."""
