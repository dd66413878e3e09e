"""What is announced of times in which clocks stand, as arithmetic on tuples of windows."""

from __future__ import annotations

from engine.core.table import Window


def announced(windows: tuple[Window, ...], window: Window) -> tuple[Window, ...]:
    """One more, in the place of one for the same reason and seats that is still to begin."""
    kept = tuple(w for w in windows if w.begins is None or not _is_for(w, window.reason, window.seats))
    return (*kept, window)


def begun(windows: tuple[Window, ...], reason: str, seats: tuple[int, ...], received: int) -> tuple[Window, ...]:
    """A stop began at `received`: what remains of its window is its end, the latest one where two overlap."""
    now = [w for w in windows if _is_for(w, reason, seats) and (w.begins is None or w.begins <= received)]
    later = tuple(w for w in windows if w not in now)
    ends = [w.ends for w in now if w.ends is not None]
    if not ends or len(ends) < len(now):
        return later
    return (*later, Window(reason, ends=max(ends), seats=seats))


def ended(windows: tuple[Window, ...], reason: str, seats: tuple[int, ...], *, stands: bool) -> tuple[Window, ...]:
    """A stop ended, or, where nothing stood for it, was called off before it began."""
    return tuple(w for w in windows if not _is_for(w, reason, seats) or (stands and w.begins is not None))


def _is_for(window: Window, reason: str, seats: tuple[int, ...]) -> bool:
    return window.reason == reason and window.seats == seats
