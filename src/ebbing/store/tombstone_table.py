"""`tx.tombstones`: hashes of purged texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ..ports import Tombstone
from .owner_connection import OwnerConnection
from .owner_table import SALT_BYTES, OwnerTable


@dataclass(slots=True)
class TombstoneTable:
    """The table `tombstones`, and the salts in the owner's row."""

    db: OwnerConnection
    owner: OwnerTable

    @property
    def salts(self) -> list[bytes]:
        salt = self.owner.row.salt
        return [salt[start : start + SALT_BYTES] for start in range(0, len(salt), SALT_BYTES)]

    def matching(self, hashes: Sequence[str]) -> dict[str, str]:
        return {hash_: id_ for id_, hash_ in self.db.execute("tombstones", hashes=list(hashes))}

    def all(self) -> list[Tombstone]:
        instant = self.db.codec.instant
        rows = self.db.execute("list_tombstones")
        return [Tombstone(id_, hash_, receipt, instant(at)) for id_, hash_, receipt, at in rows]

    def add(self, tombstones: Sequence[Tombstone]) -> None:
        self.db.execute_many("add_tombstone", map(asdict, tombstones))

    def add_salt(self, salt: bytes) -> None:
        if salt not in self.salts:
            self.owner.row.salt += salt

    def remove(self, tombstone: str) -> bool:
        return bool(self.db.execute("delete_tombstone", id=tombstone))
