"""What every generated class is: a structure with named fields, or a whole message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final  # Any: marks for any value

from .mypyc_marks import mypyc_attr

if TYPE_CHECKING:
    from librt.strings import BytesWriter

# Stand for "not given" where None is a value and the default is a new list or structure.
UNSET: Final[Any] = object()
UNSET_LIST: Final[list[Any]] = []


@mypyc_attr(allow_interpreted_subclasses=True)  # schemas compiled in memory make such classes
class Struct:
    """A structure inside a message. Fields are attributes; equal when all fields are equal."""

    __slots__ = ()

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        for name in self.FIELDS:  # noqa: SIM110 - a generator would cost as much again
            if getattr(self, name) != getattr(other, name):
                return False
        return True

    __hash__ = None  # type: ignore[assignment]  # fields change, so no hash

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.FIELDS)
        return f"{self.__class__.__name__}({fields})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Message(Struct):
    """A request, a response, a header or a stored record, over all its versions.

    `decode` and `decode_at` come with each generated class, typed as that class.
    """

    __slots__ = ()

    NAME: ClassVar[str] = ""
    KIND: ClassVar[str] = ""  # "request", "response", "metadata", ... as the schema's `type`
    API_KEY: ClassVar[int | None] = None  # of requests, responses and typed stored records
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = -1
    FLEXIBLE_SINCE: ClassVar[int | None] = None  # first version with tagged fields, if any
    SCHEMA: ClassVar[str] = ""  # the schema as JSON, without its descriptions

    @staticmethod
    def decode(data: bytes, version: int) -> Message:
        """The message that `data` holds, all of it; DecodeError when it is anything else."""
        raise NotImplementedError

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[Message, int]:
        """The message that begins at `offset`, and where it ends; DecodeError if there is none."""
        raise NotImplementedError

    def encode(self, version: int) -> bytes:
        """The bytes in `version`; EncodeError names what that version cannot carry."""
        raise NotImplementedError

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        """Like `encode`, appending to `writer`; after an error the writer's end is garbage."""
        raise NotImplementedError
