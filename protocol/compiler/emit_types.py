"""Tree to slotted classes: attributes, defaults, and the test whether a value is the default."""

from __future__ import annotations

from .source import Source
from .tree import Default, Field, Message, Struct

_PYTHON_TYPES = {
    "bool": "bool",
    "float64": "float",
    "string": "str",
    "bytes": "bytes",
    "records": "Buffer",
    "uuid": "bytes",
}


def annotation(field: Field) -> str:
    """The Python type of a field."""
    element = field.type.name
    if field.type.struct is None:
        element = _PYTHON_TYPES.get(element, "int")
    text = f"list[{element}]" if field.type.is_array else element
    return f"{text} | None" if field.nullable_versions else text


def _literal(default: Default) -> str:
    if default == bytes(16) and isinstance(default, bytes):
        return "ZERO_UUID"
    return repr(default) if not isinstance(default, str) else _quoted(default)


def _quoted(text: str) -> str:
    return '"' + repr(text + "'")[1:-2].replace('"', '\\"') + '"'


def emit_struct(source: Source, struct: Struct, message: Message | None = None) -> None:
    """The class of a structure; of a whole message when `message` is given."""
    base = "Struct" if message is None else "Message"
    with source.block(f"class {struct.name}({base}):"):
        about = struct.about or f"{struct.name}."
        source.lines(_docstring(about), "")
        _emit_names(source, struct)
        if message is not None:
            _emit_facts(source, message)
        for field in struct.fields:
            remark = f"  # {field.about}" if field.about else ""
            source.line(f"{field.python_name}: {annotation(field)}{remark}")
        if struct.fields:
            source.line()
            _emit_init(source, struct)


def _docstring(about: str) -> str:
    return f'"""{about}"""'


def _emit_names(source: Source, struct: Struct) -> None:
    names = [f'"{field.python_name}"' for field in struct.fields]
    comma = "," if len(names) == 1 else ""
    source.sequence("__slots__ = (", names, f"{comma})")
    # Written out: a class body that mypyc compiles has no name __slots__.
    source.sequence("FIELDS: ClassVar[tuple[str, ...]] = (", names, f"{comma})")


def _emit_facts(source: Source, message: Message) -> None:
    versions = message.valid_versions
    flexible = message.flexible_versions & versions
    source.lines(
        f'NAME: ClassVar[str] = "{message.name}"',
        f'KIND: ClassVar[str] = "{message.kind}"',
        f"API_KEY: ClassVar[int | None] = {message.api_key}",
        f"MIN_VERSION: ClassVar[int] = {versions.lowest}",
        f"MAX_VERSION: ClassVar[int] = {versions.highest}",
        f"FLEXIBLE_SINCE: ClassVar[int | None] = {flexible.lowest if flexible else None}",
        "SCHEMA: ClassVar[str] = _SCHEMA",
        "",
    )


def _emit_init(source: Source, struct: Struct) -> None:
    source.lines("def __init__(", "    self,", "    *,")
    for field in struct.fields:
        source.line(f"    {field.python_name}: {_parameter(field)},")
    with source.block(") -> None:"):
        for field in struct.fields:
            source.line(f"self.{field.python_name} = {_initial(field)}")


def _parameter(field: Field) -> str:
    """Type and default in `__init__`; what is not given is marked by a value of the right type.

    Compiled code checks the type of every argument, a default's as well.
    """
    if field.default != ():
        return f"{annotation(field)} = {_literal(field.default)}"
    if field.type.is_array:
        return f"{annotation(field)} = UNSET_LIST"
    if field.nullable_versions:
        return "Any = UNSET"
    return f"{annotation(field)} | None = None"


def _initial(field: Field) -> str:
    name = field.python_name
    if field.default != ():
        return name
    if field.type.is_array:
        return f"[] if {name} is UNSET_LIST else {name}"
    mark = "UNSET" if field.nullable_versions else "None"
    return f"{field.type.name}() if {name} is {mark} else {name}"


def not_default(field: Field, value: str) -> str:
    """A condition that holds when `value`, an expression, differs from the field's default."""
    default = field.default
    if default is None:
        return f"{value} is not None"
    if default != ():
        return _scalar_not_default(field, value)
    if field.type.is_array:
        differs = f"len({value}) > 0"
    else:
        assert field.type.struct is not None
        differs = struct_not_default(field.type.struct, value)
    return f"({value} is None or {differs})" if field.nullable_versions else differs


def _scalar_not_default(field: Field, value: str) -> str:
    default = field.default
    if isinstance(default, bool):
        return f"not {value}" if default else value
    return f"{value} != {_literal(default)}"


def struct_not_default(struct: Struct, value: str) -> str:
    """A condition that holds when a structure differs from a new one."""
    if not struct.fields:
        return "False"
    parts = [not_default(field, f"{value}.{field.python_name}") for field in struct.fields]
    return f"({' or '.join(parts)})" if len(parts) > 1 else parts[0]
