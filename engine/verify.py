"""`python -m engine.verify export.json`: recompute an exported match and say whether it holds."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.core.errors import EngineError
from engine.export import verify


def main(arguments: list[str]) -> int:
    """Exit 0 when every file holds, 1 when one doesn't, 2 for a wrong call."""
    if not arguments:
        print("usage: python -m engine.verify EXPORT.json [...]", file=sys.stderr)
        return 2
    failed = False
    for name in arguments:
        try:
            table = verify(Path(name).read_bytes())
        except (EngineError, OSError) as error:
            print(f"{name}: does not hold: {error}", file=sys.stderr)
            failed = True
            continue
        outcome = table.ending and table.ending.outcome
        ended = f"places {outcome.places} ({outcome.reason})" if outcome else f"{table.ending and table.ending.status}"
        print(f"{name}: holds; {table.game}, {table.number} entries, {ended}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
