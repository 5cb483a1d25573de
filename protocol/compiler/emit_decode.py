"""Layout to a flat decode function: every structure inline, every length checked before use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .layout import LayoutGroup, Slot, StructLayout
from .source import Source
from .tree import Message

# Decoded elements of all arrays of one message together (ENV-11). A frame of two-byte structures
# would otherwise become a hundred times its size in memory.
_BUDGET_PRODUCE_FETCH: Final = 1_000_000
_BUDGET_OFFSETS: Final = 200_000  # a hundred thousand partitions, each in a topic of its own
_BUDGET_REQUEST: Final = 100_000
_BUDGET_TRUSTED: Final = 10_000_000  # responses and stored records come from our own servers

_BUDGETS: Final = {
    0: _BUDGET_PRODUCE_FETCH,  # Produce
    1: _BUDGET_PRODUCE_FETCH,  # Fetch
    8: _BUDGET_OFFSETS,  # OffsetCommit
    9: _BUDGET_OFFSETS,  # OffsetFetch
    28: _BUDGET_OFFSETS,  # TxnOffsetCommit
    47: _BUDGET_OFFSETS,  # OffsetDelete
}

_READS: Final = {
    "int16": ("read_i16_be(data, {at})", 2),
    "int32": ("read_i32_be(data, {at})", 4),
    "int64": ("read_i64_be(data, {at})", 8),
    "uint16": ("read_i16_be(data, {at}) & 0xFFFF", 2),
    "uint32": ("read_i32_be(data, {at}) & 0xFFFFFFFF", 4),
    "float64": ("read_f64_be(data, {at})", 8),
    "bool": ("data[{at}] != 0", 1),
    "int8": ("(data[{at}] ^ 0x80) - 0x80", 1),
}


def element_budget(message: Message) -> int:
    """How many array elements one message may hold in all."""
    if message.kind != "request":
        return _BUDGET_TRUSTED
    key = message.api_key
    return _BUDGET_REQUEST if key is None else _BUDGETS.get(key, _BUDGET_REQUEST)


def decode_name(group: LayoutGroup) -> str:
    """The name of the function of one layout."""
    return f"_decode_{group.versions[0]}"


def emit_decode(source: Source, message: Message, group: LayoutGroup) -> None:
    """The decode function of one layout."""
    source.start_function()
    head = f"def {decode_name(group)}(data: bytes, i: i64) -> tuple[{message.name}, i64]:"
    with source.block(head):
        _Decoder(source, message).body(group.layout)
        source.line("return m, i")


class _Decoder:
    """Writes one decode function.

    Reads of fixed width that follow each other use one offset with constants, and the offset
    moves once behind them: `pending` is how far it is behind.
    """

    def __init__(self, source: Source, message: Message) -> None:
        self.source = source
        self.message = message
        self.budget = element_budget(message)
        self.pending = 0
        self.used: set[str] = set()

    def body(self, layout: StructLayout) -> None:
        start = self.source.position
        self._struct("m", layout, self.message.name)
        self.flush()
        declared = []
        if "size" in self.used:
            declared.append("size: i64 = len(data)")
        if "budget" in self.used:
            declared.append(f"budget: int = {self.budget}")
        if "n" in self.used:
            declared.append("n: int")
        if "end" in self.used:
            declared.append("end: i64")
        self.source.insert(start, declared)

    def use(self, *names: str) -> None:
        self.used.update(names)

    def at(self, more: int = 0) -> str:
        behind = self.pending + more
        return f"i + {behind}" if behind else "i"

    def flush(self) -> None:
        if self.pending:
            self.source.line(f"i += {self.pending}")
            self.pending = 0

    def _struct(self, name: str, layout: StructLayout, path: str) -> None:
        self.source.line(f"{name} = {layout.struct.name}()")
        for slot in layout.slots:
            self._value(slot, f"{name}.{slot.field.python_name}", f"{path}.{slot.field.name}")
        if layout.flexible:
            self._tags(name, layout, path)

    def _value(self, slot: Slot, target: str, path: str) -> None:
        field_type = slot.field.type
        if field_type.is_array:
            self._array(slot, target, path)
        elif field_type.is_struct:
            self._inner_struct(slot, target, path)
        else:
            self._primitive(slot, target, path)

    def _primitive(self, slot: Slot, target: str, path: str) -> None:
        name = slot.field.type.name
        if name in _READS:
            expression, size = _READS[name]
            self.source.line(f"{target} = " + expression.format(at=self.at()))
            self.pending += size
        elif name == "uuid":
            self._uuid(target, path)
        else:
            self._sized(slot, target, path, is_text=name == "string")

    def _uuid(self, target: str, path: str) -> None:
        self.flush()
        self.use("size", "end")
        self.source.line("end = i + 16")
        with self.source.block("if end > size:"):
            self.source.line(f'raise bad_length("{path}", 16, size - i)')
        self.source.lines(f"{target} = data[i:end]", "i = end")

    def _length(self, compact: bool, fixed_read: str, fixed_size: int) -> None:
        """Put a length or count into `n`: -1 for null, the offset behind it."""
        self.use("n")
        source = self.source
        if not compact:
            source.line(f"n = {fixed_read.format(at=self.at())}")
            self.pending += fixed_size
            self.flush()
            return
        source.line(f"n = data[{self.at()}]")
        self.pending += 1
        self.flush()
        with source.block("if n > 127:"):
            source.line("n, i = read_uvarint_rest(data, i, n)")
        source.line("n -= 1")

    def _sized(self, slot: Slot, target: str, path: str, *, is_text: bool) -> None:
        source = self.source
        if is_text:
            self._length(slot.compact, "read_i16_be(data, {at})", 2)
        else:
            self._length(slot.compact, "read_i32_be(data, {at})", 4)
        self.use("size", "end")
        take = "data[i:end].decode()" if is_text else "data[i:end]"

        def read() -> None:
            source.line("end = i + n")
            limit = " or n > STRING_BYTES_MAX" if is_text and slot.compact else ""
            with source.block(f"if n < 0 or end > size{limit}:"):
                source.line(f'raise bad_length("{path}", n, size - i)')
            source.lines(f"{target} = {take}", "i = end")

        self._unless_null(slot, target, read)

    def _unless_null(self, slot: Slot, target: str, read: Callable[[], None]) -> None:
        if not slot.nullable:
            read()
            return
        with self.source.block("if n == -1:"):
            self.source.line(f"{target} = None")
        with self.source.block("else:"):
            read()

    def _inner_struct(self, slot: Slot, target: str, path: str) -> None:
        assert slot.body is not None
        name = self.source.fresh("s")
        if not slot.nullable:
            self._struct(name, slot.body, path)
            self.source.line(f"{target} = {name}")
            return
        self.use("n")
        self.source.line(f"n = data[{self.at()}]")
        self.pending += 1
        self.flush()
        with self.source.block(f"if n == {slot.null_byte}:"):
            self.source.line(f"{target} = None")
        with self.source.block("elif n == 1:"):
            self._struct(name, slot.body, path)
            self.flush()
            self.source.line(f"{target} = {name}")
        with self.source.block("else:"):
            self.source.line(f'raise bad_presence("{path}", n)')

    def _array(self, slot: Slot, target: str, path: str) -> None:
        source = self.source
        self._length(slot.compact, "read_i32_be(data, {at})", 4)
        self.use("size", "budget")

        def read() -> None:
            least = slot.element_min_size
            needed = "n" if least <= 1 else f"n * {least}"
            # An element of no bytes at all is bounded by the budget alone.
            too_many = f" or {needed} > size - i" if least else ""
            with source.block(f"if n < 0{too_many}:"):
                source.line(f'raise bad_count("{path}", n, size - i)')
            source.line("budget -= n")
            with source.block("if budget < 0:"):
                source.line(f'raise over_budget("{path}", {self.budget})')
            self._elements(slot, target, path)

        self._unless_null(slot, target, read)

    def _elements(self, slot: Slot, target: str, path: str) -> None:
        source = self.source
        name = slot.field.type.name
        if name in _READS:
            self._fixed_elements(name, target)
            return
        count, found = source.fresh("count"), source.fresh("found")
        element = {"string": "str", "bytes": "bytes", "uuid": "bytes"}.get(name, name)
        source.lines(f"{count} = n", f"{found}: list[{element}] = []", f"{target} = {found}")
        with source.block(f"for _ in range({count}):"):
            if slot.body is not None:
                item = source.fresh("s")
                self._struct(item, slot.body, path)
                source.line(f"{found}.append({item})")
            else:
                item = source.fresh("v")
                if name == "uuid":
                    self._uuid(item, path)
                else:
                    self._sized(_element_slot(slot), item, path, is_text=name == "string")
                source.line(f"{found}.append({item})")
            self.flush()

    def _fixed_elements(self, name: str, target: str) -> None:
        expression, size = _READS[name]
        self.use("end")
        step = f", {size}" if size > 1 else ""
        self.source.lines(
            f"end = i + n * {size}" if size > 1 else "end = i + n",
            f"{target} = [{expression.format(at='j')} for j in range(i, end{step})]",
            "i = end",
        )

    def _tags(self, name: str, layout: StructLayout, path: str) -> None:
        source = self.source
        if not layout.tagged:
            here = self.at()
            with source.block(f"if data[{here}] == 0:"):
                source.line(f"i += {self.pending + 1}")
            with source.block("else:"):
                source.line(f"i = skip_tagged_fields(data, {here})")
            self.pending = 0
            return
        source.line(f"n = data[{self.at()}]")
        self.pending += 1
        self.flush()
        with source.block("if n > 0:"):
            self._tag_section(name, layout, path)
        self.use("n")

    def _tag_section(self, name: str, layout: StructLayout, path: str) -> None:
        source = self.source
        count, tag, unknown = source.fresh("count"), source.fresh("tag"), source.fresh("unknown")
        start, stop = source.fresh("start"), source.fresh("stop")
        with source.block("if n > 127:"):
            source.line("n, i = read_uvarint_rest(data, i, n)")
        source.lines("check_tag_count(data, i, n)", f"{count} = n", f"{tag} = -1", f"{unknown} = 0")
        with source.block(f"for _ in range({count}):"):
            source.lines(f"{tag}, {start}, {stop} = read_tag(data, i, {tag})", f"i = {start}")
            word = "if"
            for slot in layout.tagged:
                with source.block(f"{word} {tag} == {slot.field.tag}:"):
                    inner = f"{path}.{slot.field.name}"
                    self._value(slot, f"{name}.{slot.field.python_name}", inner)
                    self.flush()
                    with source.block(f"if i != {stop}:"):
                        source.line(f'raise bad_tag_size("{inner}")')
                word = "elif"
            with source.block("else:"):
                source.lines(
                    f"check_unknown_tag({tag}, {stop} - i, {unknown})",
                    f"{unknown} += 1",
                    f"i = {stop}",
                )


def _element_slot(slot: Slot) -> Slot:
    """The slot of one element of an array of strings or bytes: never null."""
    return Slot(slot.field, slot.compact, False, None)
