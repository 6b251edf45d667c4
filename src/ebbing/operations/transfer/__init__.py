"""Everything an owner has as one file, and back: JSON lines, one object a line, each with a `kind`.

    header      format version, owner, when, how many memories follow
    salt        what the hashes of tombstones were made with; only where there are tombstones
    day         a day of use and its number
    tombstone   a purged text that must not be learned again
    memory      a memory with its embedding, newest first
    event       what happened, in the order it happened
    end         how many events there were, so that a file cut short is seen

An export brought into an empty store and exported again says the same, with three differences, each of
them true: the header's time and owner, one `imported` event at the end for each memory, and the salt of
the new owner before the old ones. Where that is another owner, nothing is trusted more than an import.
What follows from the rest is not written: an alarm is set anew under the policy that receives the
memory, and the digest of its text is taken again.
"""

from .admission import Terms, terms
from .exporter import export
from .importer import import_

__all__ = ["Terms", "export", "import_", "terms"]
