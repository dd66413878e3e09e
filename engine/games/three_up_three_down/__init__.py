"""3UP 3DOWN: be the first to get rid of the hand, the three cards UP and the three cards DOWN."""

from __future__ import annotations

from engine.games.three_up_three_down.rules import ThreeUpThreeDown

GAME = ThreeUpThreeDown()
