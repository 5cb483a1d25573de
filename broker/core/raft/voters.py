"""The voters of the metadata quorum, as `VotersRecord` has them (KIP-853)."""

from __future__ import annotations

from typing import NamedTuple

from barnabas.protocol.messages.voters_record import Endpoint, KRaftVersionFeature, VotersRecord
from barnabas.protocol.messages.voters_record import Voter as VoterField


class VoterAddress(NamedTuple):
    """Where a voter listens."""

    name: str
    host: str
    port: int


class Voter(NamedTuple):
    """One voter: its number and its log directory are its identity (853-01)."""

    voter_id: int
    directory_id: bytes
    addresses: tuple[VoterAddress, ...] = ()
    kraft_version_min: int = 0
    kraft_version_max: int = 1

    def says_the_same(self, other: Voter) -> bool:
        """Whether both are one entry; the order of addresses means nothing, and is not kept by
        Apache Kafka."""
        mine = self._replace(addresses=tuple(sorted(self.addresses)))
        return mine == other._replace(addresses=tuple(sorted(other.addresses)))


class Voters(NamedTuple):
    """All of them, in the order of the record."""

    members: tuple[Voter, ...]

    def has(self, voter_id: int, directory_id: bytes) -> bool:
        """Whether this node, with this directory, is one of them."""
        return self.entry_of(voter_id, directory_id) is not None

    def entry_of(self, voter_id: int, directory_id: bytes) -> Voter | None:
        """The entry of this node with this directory; None if it is no voter."""
        wanted = (voter_id, directory_id)
        same = (one for one in self.members if (one.voter_id, one.directory_id) == wanted)
        return next(same, None)

    def with_entry(self, voter: Voter) -> Voters:
        """The set with this entry instead of the one with the same number."""
        return Voters(
            tuple(voter if one.voter_id == voter.voter_id else one for one in self.members)
        )

    @property
    def ids(self) -> list[int]:
        """Their numbers."""
        return [one.voter_id for one in self.members]

    @classmethod
    def from_record(cls, record: VotersRecord) -> Voters:
        """The voters that a control record of the metadata log names."""
        return cls(
            tuple(
                Voter(
                    voter_id=one.voter_id,
                    directory_id=one.voter_directory_id,
                    addresses=tuple(
                        VoterAddress(address.name, address.host, address.port)
                        for address in one.endpoints
                    ),
                    kraft_version_min=one.k_raft_version_feature.min_supported_version,
                    kraft_version_max=one.k_raft_version_feature.max_supported_version,
                )
                for one in record.voters
            )
        )

    def record(self) -> VotersRecord:
        """The control record that names them."""
        return VotersRecord(
            voters=[
                VoterField(
                    voter_id=one.voter_id,
                    voter_directory_id=one.directory_id,
                    endpoints=[
                        Endpoint(name=address.name, host=address.host, port=address.port)
                        for address in one.addresses
                    ],
                    k_raft_version_feature=KRaftVersionFeature(
                        min_supported_version=one.kraft_version_min,
                        max_supported_version=one.kraft_version_max,
                    ),
                )
                for one in self.members
            ]
        )
