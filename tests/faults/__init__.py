"""Faults staged on real processes: `python3 run.py faults`."""
