"""Listik's rules engine: pure functions of values, with no clock, no network and no chance of its own."""
