"""All access control entries, found by the resource that they are about (ACL-21)."""

from __future__ import annotations

from collections.abc import Iterator

from .acl import WILDCARD, Acl, AclFilter
from .resources import PatternType, Resource

Entries = dict[str, dict[Acl, int]]
"""Of one pattern: by principal the entries, each with the number of ids that say the same."""


class AclIndex:
    """Entries by id, and by what they are about.

    `version` grows with each change; together with the object it stands for one state of things.
    """

    __slots__ = ("_by_id", "_is_indexed", "_lengths", "_literal", "_prefixed", "version")

    def __init__(self) -> None:
        self.version = 0
        self._by_id: dict[bytes, Acl] = {}
        self._is_indexed = True
        """False in a copy that nobody has asked about a resource: it has `_by_id` alone."""
        self._literal: dict[tuple[int, str], Entries] = {}
        self._prefixed: dict[tuple[int, str], Entries] = {}
        self._lengths: dict[int, dict[int, int]] = {}
        """Of a kind of resource: length of prefixes -> how many prefixes have it."""

    def __len__(self) -> int:
        return len(self._by_id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AclIndex):
            return NotImplemented
        return self._by_id == other._by_id

    __hash__ = None  # type: ignore[assignment]  # entries come and go

    def copy(self) -> AclIndex:
        """An index of its own with the same entries; cheap until it is asked about a resource."""
        other = AclIndex()
        other._by_id = dict(self._by_id)
        other._is_indexed = not other._by_id
        return other

    # --- changing -------------------------------------------------------------------------------

    def add(self, acl_id: bytes, acl: Acl) -> None:
        """Add an entry; one of the same id makes way."""
        self.remove(acl_id)
        self.version += 1
        self._by_id[acl_id] = acl
        if self._is_indexed:
            self._put(acl)

    def _put(self, acl: Acl) -> None:
        where = (acl.kind, acl.name)
        if acl.pattern == PatternType.PREFIXED:
            entries = self._prefixed.get(where)
            if entries is None:
                entries = self._prefixed[where] = {}
                lengths = self._lengths.setdefault(acl.kind, {})
                lengths[len(acl.name)] = lengths.get(len(acl.name), 0) + 1
        else:
            entries = self._literal.setdefault(where, {})
        same = entries.setdefault(acl.principal, {})
        same[acl] = same.get(acl, 0) + 1

    def remove(self, acl_id: bytes) -> None:
        """Remove the entry of this id, if there is one."""
        acl = self._by_id.pop(acl_id, None)
        if acl is None:
            return
        self.version += 1
        if self._is_indexed:
            self._take(acl)

    def _take(self, acl: Acl) -> None:
        where = (acl.kind, acl.name)
        is_prefixed = acl.pattern == PatternType.PREFIXED
        table = self._prefixed if is_prefixed else self._literal
        entries = table[where]
        same = entries[acl.principal]
        same[acl] -= 1
        if same[acl]:
            return
        del same[acl]
        if same:
            return
        del entries[acl.principal]
        if entries:
            return
        del table[where]
        if is_prefixed:
            lengths = self._lengths[acl.kind]
            lengths[len(acl.name)] -= 1
            if not lengths[len(acl.name)]:
                del lengths[len(acl.name)]

    def _index(self) -> None:
        if not self._is_indexed:
            self._is_indexed = True
            for acl in self._by_id.values():
                self._put(acl)

    # --- reading --------------------------------------------------------------------------------

    def items(self) -> Iterator[tuple[bytes, Acl]]:
        """All entries with their ids, in the order in which they came."""
        return iter(self._by_id.items())

    def matching(self, wanted: AclFilter) -> list[tuple[bytes, Acl]]:
        """The entries that a filter finds, with their ids."""
        return [one for one in self._by_id.items() if wanted.matches(one[1])]

    def about(self, resource: Resource) -> Iterator[Entries]:
        """The entries of each pattern that covers this resource (ACL-03)."""
        self._index()
        kind, name = resource
        found = [self._literal.get((kind, name))]
        if name != WILDCARD:
            found.append(self._literal.get((kind, WILDCARD)))
        found += [
            self._prefixed.get((kind, name[:length]))
            for length in self._lengths.get(kind, ())
            if length <= len(name)
        ]
        return (entries for entries in found if entries is not None)

    def of_kind(self, kind: int) -> Iterator[Entries]:
        """The entries of each pattern of this kind of resource."""
        self._index()
        for table in (self._literal, self._prefixed):
            for (of, _), entries in table.items():
                if of == kind:
                    yield entries
