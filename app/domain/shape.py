"""Shape: a strict pydantic model of a document's part, and pydantic's complaints turned into plain sentences.

Each problem has its path, its line, what was expected in words, and the nearest right key or word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from app.domain.documents import Format, Problems, RawDocument, format_of
from app.domain.hours_format import shown
from app.domain.problem import nearest


class Shape(BaseModel):
    """A mapping whose keys are all known; a text is not taken for a number, nor the other way round.

    secrets: unknown keys that a secret may stand under; its value is never repeated.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    secrets: ClassVar[frozenset[str]] = frozenset()


def _as_word(value: object) -> object:
    # YAML reads an unquoted 1 or 97201 as a number; as a name or a step it is meant as text
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Word = Annotated[str, BeforeValidator(_as_word), StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


def _on_one_line(name: str) -> str:
    if len(name.splitlines()) > 1:
        raise refusal("a name is one line.", "Take the line break away.")
    return name


Name = Annotated[Word, AfterValidator(_on_one_line)]
Text = Annotated[str, BeforeValidator(_as_word), StringConstraints(max_length=200_000)]
StepRef = Annotated[
    str, BeforeValidator(_as_word), StringConstraints(strip_whitespace=True, min_length=1, max_length=64)
]

M = TypeVar("M", bound=Shape)


def read_shape(model: type[M], data: object, problems: Problems, path: str = "") -> M | None:
    """`data` as `model`, or None with every problem noted at its place below `path`."""
    try:
        return model.model_validate(data)
    except ValidationError as refused:
        faults = refused.errors(include_url=False)
        misspelled = {_meant(fault, model) for fault in faults if fault["type"] == "extra_forbidden"}
        for fault in faults:
            if fault["type"] == "missing" and fault["loc"] in misspelled:
                continue  # the unknown key beside it is told, with this one as the nearest
            told, hint = _told(fault, _model_at(model, fault["loc"][:-1]))
            problems.add(told, ".".join([path, *map(str, fault["loc"])]).strip("."), hint)
        return None


def begin_reading(raw: RawDocument, wanted: Format) -> Problems:
    """Where to note what is wrong with `raw`. Raises DocumentError when it is not a `wanted` document at all."""
    problems = Problems(raw)
    stated = format_of(raw)
    if stated is not wanted:
        hint = f"The first line of a {wanted.word} is format: {wanted.value}"
        problems.add(f"this is a {stated.word}, not a {wanted.word}.", "format", hint)
        problems.raise_if_any()
    return problems


def refusal(told: str, hint: str = "") -> PydanticCustomError:
    """What a shape's own validator raises: the problem in plain words, and the way out."""
    return PydanticCustomError("refusal", "{told}", {"told": told, "hint": hint})


def keys_of(model: type[Shape]) -> tuple[str, ...]:
    """The keys of a shape as documents write them."""
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _model_at(model: type[Shape], loc: tuple[int | str, ...]) -> type[Shape]:
    """The shape of the part at `loc`; the last known one when the way leads through something else."""
    for key in loc:
        for name, field in model.model_fields.items():
            if key in (name, field.alias):
                model = next(_models_in(field.annotation), model)
    return model


def _meant(fault: ErrorDetails, model: type[Shape]) -> tuple[int | str, ...]:
    """The place of the key that an unknown one is taken for."""
    *above, key = fault["loc"]
    return (*above, nearest(str(key), keys_of(_model_at(model, tuple(above)))) or "")


def _models_in(annotation: object) -> Iterator[type[Shape]]:
    if isinstance(annotation, type) and issubclass(annotation, Shape):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


_OUT_OF_HERE = (
    "Take it out of the file: secrets are kept in the system's keyring (Settings, Keys and connections), or for a "
    "headless worker in STOPWELL_TWILIO_AUTH_TOKEN, STOPWELL_SENDGRID_API_KEY, STOPWELL_IMAP_PASSWORD."
)
_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
    "none_required": "left out",
}


def _told(fault: ErrorDetails, model: type[Shape]) -> tuple[str, str]:
    """The problem and its hint."""
    key = str(fault["loc"][-1]) if fault["loc"] else ""
    limits: Mapping[str, object] = fault.get("ctx") or {}
    kind = fault["type"]
    value: object = fault["input"]
    if kind in _WANTED:
        return f"{shown(value)} should be {_WANTED[kind]}.", ""
    match kind:
        case "refusal":
            return str(limits["told"]), str(limits["hint"])
        case "extra_forbidden" if key in model.secrets:
            return "a secret does not belong in a document.", _OUT_OF_HERE
        case "extra_forbidden":
            known = keys_of(model)
            near = nearest(key, known)
            return f"unknown key {key}.", f"Did you mean {near}?" if near else f"Known here: {', '.join(known)}."
        case "missing":
            return f"{key} is missing.", ""
        case "literal_error" | "enum":
            expected = str(limits.get("expected", ""))
            words = [word.strip("' ") for word in expected.replace(" or ", ",").split(",")]
            near = nearest(str(value), words)
            hint = f"Did you mean {near}?" if near else f"Known: {', '.join(words)}."
            return f"{shown(value)} is not known here.", hint
        case "greater_than_equal" | "less_than_equal" | "greater_than" | "less_than":
            return f"{shown(value)} should be {_told_limit(limits)}.", ""
        case "string_too_short" | "too_short":
            return ("is empty." if not value else f"is too short: at least {limits.get('min_length')}."), ""
        case "string_too_long" | "too_long":
            return f"is too long: at most {limits.get('max_length')}.", ""
        case _:
            return f"{shown(value)}: {fault['msg'][:1].lower()}{fault['msg'][1:]}.", ""


def _told_limit(limits: Mapping[str, object]) -> str:
    words = {"ge": "at least", "le": "at most", "gt": "more than", "lt": "less than"}
    return ", ".join(f"{words[key]} {limits[key]}" for key in words if key in limits)
