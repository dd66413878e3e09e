"""Gnoming A Round: a trading version of the card game Golf for 3 to 7 seats."""

from engine.games.gnoming_a_round.rules import GnomingARound

GAME = GnomingARound()
