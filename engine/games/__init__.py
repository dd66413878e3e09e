"""One folder a game; `engine.registry` finds them."""
