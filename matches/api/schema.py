"""OpenAPI from the types: every body, move, event and view of every game, and every problem of every operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, get_args, get_origin

import msgspec
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from msgspec import inspect

from matches import selectors
from matches.api import bodies
from matches.errors import CODES

F = TypeVar("F", bound=Callable[..., Any])
Schema = dict[str, Any]
Query = dict[str, tuple[str | Schema, str]]

WITHOUT_BODY = {304: "Nothing changed.", 307: "The stream service is at `Location`; the query goes with you."}
REF = "#/components/schemas/{name}"
PROBLEM_JSON = "application/problem+json"
EVENT_STREAM = "text/event-stream"
SIGNED_IN = ("not_authenticated", "token_invalid", "suspended")
OF_EVERY_OPERATION = ("method_not_allowed", "not_acceptable", "throttled", "unavailable")
OF_A_BODY = ("malformed", "too_large", "unsupported_media_type", "text_invalid")
PER_GAME = (bodies.MatchView, bodies.LegalMoves, bodies.Played, bodies.LogPage, bodies.MoveRequest)
SHARED: list[Any] = [
    bodies.Register,
    bodies.LogIn,
    bodies.RefreshToken,
    bodies.CreateMatch,
    bodies.JoinCode,
    bodies.JoinMatch,
    bodies.AddBot,
    bodies.StartPractice,
    bodies.PlayerBody,
    bodies.Upgrade,
    bodies.BecomeGuest,
    bodies.GuestSession,
    bodies.ChangePassword,
    bodies.ChangeEmail,
    bodies.CloseAccount,
    bodies.AskRecovery,
    bodies.FinishRecovery,
    bodies.AccountBody,
    bodies.Profile,
    bodies.PersonalData,
    bodies.Session,
    bodies.LeaderPage,
    bodies.RatingHistory,
    bodies.GameBody,
    bodies.GameDetail,
    bodies.MatchBody,
    bodies.MatchPage,
    bodies.PaceBody,
    bodies.Salt,
    bodies.Invite,
    bodies.Kick,
    bodies.Counts,
    bodies.EnterPairing,
    bodies.Pairing,
    bodies.FileReport,
    bodies.MakeOffer,
    bodies.AnswerOffer,
    bodies.SetCalendar,
    bodies.Away,
    bodies.CalendarBody,
    bodies.Notices,
    bodies.MakeWebhook,
    bodies.SetWebhook,
    bodies.WebhookBody,
    bodies.WebhookSecret,
    bodies.WebhookEventBody,
    bodies.Deliveries,
    bodies.Ticket,
    bodies.Horizon,
    bodies.Hint,
    bodies.StreamEnd,
    bodies.ReadAll,
    bodies.Unread,
    bodies.SetWishes,
    bodies.Wishes,
    bodies.PushKey,
    bodies.SubscribeBrowser,
    bodies.BrowserBody,
    bodies.ConfirmEmail,
    bodies.Problem,
]


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a client says who it is."""

    target_class = "matches.api.http.Bearer"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> Schema:
        """The scheme of OpenAPI."""
        return {"type": "http", "scheme": "bearer", "description": "An access token from `/tokens`."}


def describe(
    summary: str,
    *,
    answers: dict[int, Any],
    body: Any = None,
    signed_in: bool = False,
    problems: tuple[str, ...] = (),
    query: Query | None = None,
    headers: Query | None = None,
) -> Callable[[F], F]:
    """Say what an operation takes, answers and refuses; `problems` are codes of `matches.errors.CODES`.

    `query` gives each parameter a type's name or its JSON Schema, and a sentence.
    """
    codes = [*(OF_A_BODY if body else ()), *(SIGNED_IN if signed_in else ()), *problems, *OF_EVERY_OPERATION]
    parameters = [
        OpenApiParameter(
            name, {"type": kind} if isinstance(kind, str) else kind, OpenApiParameter.QUERY, description=text
        )
        for name, (kind, text) in (query or {}).items()
    ]
    parameters += [
        OpenApiParameter(
            name, {"type": kind} if isinstance(kind, str) else kind, OpenApiParameter.HEADER, description=text
        )
        for name, (kind, text) in (headers or {}).items()
    ]
    auth: Any = [{"bearer": []}] if signed_in else [{}, {"bearer": []}]
    decorate: Callable[[F], F] = extend_schema(
        operation_id=summary.lower().replace("'", "").replace(" ", "_"),
        summary=summary,
        request={"application/json": _reference(body)} if body else None,
        responses={**_answers(answers), **_problems(codes)},
        parameters=parameters,
        auth=auth,
    )
    return decorate


def events(**kinds: Any) -> Schema:
    """What a stream answers: Server-Sent Events, each of one of these kinds with its data as JSON."""
    data = {name: _reference(kind) for name, kind in kinds.items()}
    text = "Server-Sent Events. `x-events` has the JSON Schema of the `data` of each kind of event."
    return {"type": "string", "contentMediaType": EVENT_STREAM, "description": text, "x-events": data}


def entry_views() -> Schema:
    """An entry of the log of any game."""
    return {"anyOf": [{"$ref": REF.format(name=f"{_prefix(key)}EntryView")} for key in selectors.game_types()]}


def per_game(generic: Any) -> Schema:
    """A body whose type depends on the game: any of the games' own."""
    return {"$ref": REF.format(name=generic.__name__)}


def components() -> dict[str, Schema]:
    """Every named schema. A game's own types carry its name: `SnapTurn`, `SplendorMatchView`."""
    found = _generate(SHARED, prefix="")
    games = selectors.game_types()
    for key, types in games.items():
        prefix = _prefix(key)
        found.update(_generate([*(_filled(generic, types) for generic in PER_GAME), types["O"]], prefix=prefix))
        found[f"{prefix}MatchView"]["properties"]["game"] = {"const": key}
        found[f"{prefix}CreateMatch"] = _creation(found["CreateMatch"], key)
    for generic in PER_GAME:
        found[generic.__name__] = {
            "anyOf": [{"$ref": REF.format(name=_prefix(key) + generic.__name__)} for key in games]
        }
    for told_by_game in ("MatchView", "CreateMatch"):
        references = {key: REF.format(name=_prefix(key) + told_by_game) for key in games}
        found[told_by_game] = {
            "anyOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {"propertyName": "game", "mapping": references},
        }
    return found


def _creation(usual: Schema, key: str) -> Schema:
    """A new match of one game: its presets, its seats, and its options, none of which need be given."""
    game = selectors.game_get(key=key)
    fields = {
        **usual["properties"],
        "game": {"const": key},
        "preset": {"enum": list(game.preset_options), "default": "standard"},
        "seats": {"type": "integer", "minimum": game.min_seats, "maximum": game.max_seats},
        "options": {"$ref": REF.format(name=f"{_prefix(key)}Options")},
    }
    return {**usual, "title": f"{_prefix(key)}CreateMatch", "properties": fields}


def _prefix(key: str) -> str:
    return "".join(word.capitalize() for word in key.split("_"))


def _filled(generic: Any, types: dict[str, Any]) -> Any:
    return generic[tuple(types[parameter.__name__] for parameter in generic.__parameters__)]


def _generate(types: list[Any], prefix: str) -> dict[str, Schema]:
    _, schemas = msgspec.json.schema_components(types, ref_template=REF)
    classes = _classes(types)
    # Where two classes share a name, msgspec spells out their modules.
    plain = {name: cls for cls in classes for name in (cls.__name__, f"{cls.__module__}.{cls.__name__}")}
    names = {name: _public_name(name, plain, prefix) for name in schemas}
    renamed = {names[name]: _rename(schema, names) for name, schema in schemas.items()}
    for name, schema in renamed.items():
        schema["title"] = name
    return renamed


def _public_name(name: str, plain: dict[str, Any], prefix: str) -> str:
    cls = plain.get(name)
    if cls is None:
        return prefix + name.split("_", maxsplit=1)[0]
    is_own = cls.__module__.startswith("engine.games.") and not cls.__name__.startswith(prefix)
    return f"{prefix}{cls.__name__}" if is_own else str(cls.__name__)


def _rename(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, dict):
        return {key: _rename_value(key, value, names) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_rename(item, names) for item in schema]
    return schema


def _rename_value(key: str, value: Any, names: dict[str, str]) -> Any:
    if key == "$ref":
        return REF.format(name=names[value.rsplit("/", maxsplit=1)[-1]])
    if key == "mapping" and isinstance(value, dict):
        return {tag: _rename_value("$ref", ref, names) for tag, ref in value.items()}
    return _rename(value, names)


def _classes(types: list[Any]) -> set[type]:
    """Every plain struct and enum that these types reach."""
    found: set[type] = set()
    waiting = list(inspect.multi_type_info(types))
    seen: list[Any] = []
    while waiting:
        info = waiting.pop()
        if any(info is other for other in seen):
            continue
        seen.append(info)
        cls = getattr(info, "cls", None)
        if cls is not None and get_origin(cls) is None:
            found.add(cls)
        waiting.extend(_inside(info))
    return found


def _inside(info: inspect.Type) -> Iterator[inspect.Type]:
    for name in ("item_type", "key_type", "value_type", "type"):
        inner = getattr(info, name, None)
        if isinstance(inner, inspect.Type):
            yield inner
    for name in ("types", "item_types"):
        yield from getattr(info, name, ())
    for field in getattr(info, "fields", ()):
        yield field.type


def _reference(body: Any) -> Schema:
    if isinstance(body, dict):
        return body
    if get_origin(body) is tuple:
        return {"type": "array", "items": _reference(get_args(body)[0])}
    if get_origin(body) is dict:
        return {"type": "object", "additionalProperties": True}
    return {"$ref": REF.format(name=body.__name__)}


def _answers(answers: dict[int, Any]) -> dict[Any, Any]:
    described: dict[Any, Any] = {}
    for status, body in answers.items():
        if body is None:
            described[status] = OpenApiResponse(description=WITHOUT_BODY.get(status, "Done."))
        elif isinstance(body, dict) and "x-events" in body:
            described[status, EVENT_STREAM] = OpenApiResponse(body, description="Done.")
        else:
            described[status, "application/json"] = OpenApiResponse(_reference(body), description="Done.")
    return described


def _problems(codes: list[str]) -> dict[Any, Any]:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(CODES[code][0], []).append(code)
    described: dict[Any, Any] = {}
    for status, named in sorted(by_status.items()):
        text = " ".join(f"`{code}`: {CODES[code][1]}." for code in named)
        described[status, PROBLEM_JSON] = OpenApiResponse(_reference(bodies.Problem), description=text)
    described["default", PROBLEM_JSON] = OpenApiResponse(_reference(bodies.Problem), description="What went wrong.")
    return described
