"""The Django app that keeps matches: their players, seats, positions and logs."""
