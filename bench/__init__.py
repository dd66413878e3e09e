"""What the figures of the README are made with."""
