"""A channel that keeps what it is handed, and fails as it is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from matches.models import Delivery, Match, Notice, NoticeKind, Player
from matches.services.deliveries import carry, spread
from matches.services.deliveries.contract import SENT, Outgoing, Result


class Letterbox:
    """Reaches everybody at once; `answers` are what comes of the next tries, then everything is taken."""

    def __init__(self, name: str = "box", *, rests: bool = False, collects: bool = False, wait_s: int = 0) -> None:
        self.name, self.rests, self.collects = name, rests, collects
        self.usual = frozenset(NoticeKind)
        self.backoff_s: tuple[int, ...] = (3_000, 12_000)
        self.got: list[Sequence[Outgoing]] = []
        self.answers: list[Result] = []
        self.before: Callable[[], None] = lambda: None
        self._wait_s = wait_s

    @property
    def ids(self) -> list[str]:
        """The ids of the notices, one for each that came, repeats included."""
        return [str(one.id) for outgoing in self.got for one in outgoing]

    def targets(self, player_ids: Collection[int]) -> Mapping[int, Sequence[str]]:
        return {player_id: [""] for player_id in player_ids}

    def wait_s(self, kind: NoticeKind) -> int:
        return self._wait_s

    def send(self, outgoing: Sequence[Outgoing]) -> Result:
        self.before()
        self.got.append(outgoing)
        return self.answers.pop(0) if self.answers else SENT


def deliver() -> None:
    """All that is to be told now, and due."""
    spread.notices_spread()
    carry.deliveries_send(channel="box")


def kinds(box: Letterbox, player: Player) -> list[str]:
    return [one.kind.value for outgoing in box.got for one in outgoing if one.player_id == player.pk]


def states() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


def forget_the_start(match: Match) -> None:
    Notice.objects.filter(match=match, kind="started").delete()
