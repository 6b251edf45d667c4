"""`Memory` and `AsyncMemory` of mem0, answered by Ebbing: in the call styles of its versions 1 and 2.

    from ebbing.compat.mem0 import Memory

What belongs to a user lies in a scope of its own, so that two users' memories are never compared; agents and runs are
tags, because mem0 asks for any of the three. Ids are UUIDs for life: that of the first memory of a chain, whose later
texts name it in their metadata. Deleting puts away, as `forget` does; only `purge` erases.
"""

from .async_memory import AsyncMemory
from .memory import Memory, MissingMemory, MissingOwner

__all__ = ["AsyncMemory", "Memory", "MissingMemory", "MissingOwner"]
