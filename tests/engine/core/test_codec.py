"""What is stored reads back as it was, and what a newer engine has stored is left alone."""

import msgspec
import pytest

from engine.core.codec import codec_for, encode
from engine.core.errors import NewerFormat
from engine.core.moves import type_name
from engine.core.table import FORMAT
from tests.engine.core.histories import eventful
from tests.engine.core.toy import TOY, Bid, Draw, Laid, Play

CODEC = codec_for(TOY)


def test_table_entries_and_opening_read_back_as_they_were_written() -> None:
    board = eventful()
    assert CODEC.table(encode(board.table)) == board.table
    assert CODEC.opening(encode(board.opening)) == board.opening
    assert [CODEC.entry(encode(entry)) for entry in board.log] == board.log


def test_a_codec_is_made_once() -> None:
    assert codec_for(TOY) is CODEC


def test_a_move_travels_under_the_name_of_its_class() -> None:
    assert encode(Play("c3")) == b'{"type":"play","card":"c3"}'
    assert CODEC.move(b'{"type":"bid","amount":3}') == Bid(3)
    assert CODEC.move(b'{"type":"draw"}') == Draw()
    assert encode(Laid(1, "c3")) == b'{"type":"laid","seat":1,"card":"c3"}'
    assert (type_name("TakeGems"), type_name("Draw")) == ("take_gems", "draw")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"type":"bid"}', "amount"),
        (b'{"type":"bid","amount":"3"}', r"\$.amount"),
        (b'{"type":"bid","amount":3,"extra":1}', "extra"),
        (b'{"type":"fly"}', "fly"),
        (b"{}", "type"),
        (b"[]", "object"),
    ],
)
def test_a_malformed_move_is_named_in_the_error(text: bytes, says: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=says):
        CODEC.move(text)


def test_a_table_of_a_newer_format_is_left_alone_known_fields_or_not() -> None:
    stored = msgspec.json.decode(encode(eventful().table))
    newer = stored | {"format": FORMAT + 1}
    with pytest.raises(NewerFormat, match=str(FORMAT + 1)):
        CODEC.table(encode(newer))
    with pytest.raises(NewerFormat):
        CODEC.table(encode(newer | {"mood": "serene"}))


def test_an_unknown_field_in_a_known_format_is_an_error() -> None:
    stored = msgspec.json.decode(encode(eventful().table))
    with pytest.raises(msgspec.ValidationError, match="mood"):
        CODEC.table(encode(stored | {"mood": "serene"}))


def test_the_format_is_always_written() -> None:
    board = eventful()
    stored = msgspec.json.decode(encode(board.opening))
    assert stored["format"] == FORMAT
