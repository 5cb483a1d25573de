"""What is on the wire in one version: fields in order, lengths compact or not, tagged fields."""

from __future__ import annotations

from dataclasses import dataclass

from .tree import FIXED_SIZES, Field, Message, Struct


@dataclass(frozen=True)
class Slot:
    """One field in one version."""

    field: Field
    compact: bool  # lengths and counts are unsigned varints, one more than their value
    nullable: bool
    body: StructLayout | None  # of a structure, or of the elements of an array of them
    tagged: bool = False

    @property
    def null_byte(self) -> int:
        """What stands for a structure that is null: -1, but 0 in a tagged field (KIP-893)."""
        return 0 if self.tagged else 0xFF

    @property
    def min_size(self) -> int:
        """Fewest bytes that the value can take."""
        field_type = self.field.type
        length_size = 1 if self.compact else 4
        if field_type.is_array:
            return length_size
        if self.body is not None:
            return 1 if self.nullable else self.body.min_size
        if field_type.name == "string":
            return 1 if self.compact else 2
        return FIXED_SIZES.get(field_type.name, length_size)

    @property
    def element_min_size(self) -> int:
        """Fewest bytes that one element of this array can take."""
        if self.body is not None:
            return self.body.min_size
        name = self.field.type.name
        if name == "string":
            return 1 if self.compact else 2
        return FIXED_SIZES.get(name, 1 if self.compact else 4)


@dataclass(frozen=True)
class StructLayout:
    """One structure in one version."""

    struct: Struct
    slots: tuple[Slot, ...]
    tagged: tuple[Slot, ...]  # ascending by tag
    absent: tuple[Field, ...]  # fields that this version does not have
    flexible: bool  # the structure ends with a section of tagged fields

    @property
    def min_size(self) -> int:
        """Fewest bytes that the structure can take."""
        return sum(slot.min_size for slot in self.slots) + (1 if self.flexible else 0)


@dataclass(frozen=True)
class LayoutGroup:
    """Versions whose bytes have the same layout, ascending."""

    versions: tuple[int, ...]
    layout: StructLayout


def message_layout(message: Message, version: int) -> StructLayout:
    """The layout of a whole message in `version`."""
    return _struct_layout(message, message.root, version)


def layout_groups(message: Message) -> list[LayoutGroup]:
    """The distinct layouts of a message, each with the versions that share it."""
    groups: dict[StructLayout, list[int]] = {}
    for version in message.valid_versions:
        groups.setdefault(message_layout(message, version), []).append(version)
    return [LayoutGroup(tuple(versions), layout) for layout, versions in groups.items()]


def _struct_layout(message: Message, struct: Struct, version: int) -> StructLayout:
    slots: list[Slot] = []
    tagged: list[Slot] = []
    absent: list[Field] = []
    for field in struct.fields:
        if version not in field.versions:
            absent.append(field)
        elif version in field.tagged_versions:
            tagged.append(_slot(message, field, version))
        else:
            slots.append(_slot(message, field, version))
    tagged.sort(key=lambda slot: slot.field.tag or 0)
    flexible = version in message.flexible_versions
    return StructLayout(struct, tuple(slots), tuple(tagged), tuple(absent), flexible)


def _slot(message: Message, field: Field, version: int) -> Slot:
    flexible = field.flexible_versions
    if flexible is None:
        flexible = message.flexible_versions
    body = None
    if field.type.struct is not None:
        body = _struct_layout(message, field.type.struct, version)
    return Slot(
        field,
        version in flexible,
        version in field.nullable_versions,
        body,
        version in field.tagged_versions,
    )
