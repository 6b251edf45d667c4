"""The engine: an owner's memories under one policy, and one method for each verb.

A method checks what it is given and calls the packages of the verbs; no rule about memory is in here.

  base.py              what an engine is bound to; engines for other owners and callers; closing
  remember_verbs.py    remember, remember_many, update, extract, review, settle, blocks
  recall_verbs.py      recall, context, used, get, list, history, explain
  forget_verbs.py      forget, restore, purge, lift, sweep, compact, pin
  operation_verbs.py   stats, export, import_, events, simulate, fit, reembed
  overview_verbs.py    life, browse: what a person looks at
  obey_orders.py       the orders to forget in what is remembered: where the three verbs meet
"""

from __future__ import annotations

from .forget_verbs import ForgetVerbs
from .operation_verbs import OperationVerbs
from .overview_verbs import OverviewVerbs
from .recall_verbs import RecallVerbs
from .remember_verbs import RememberVerbs

__all__ = ["Engine"]


class Engine(RememberVerbs, RecallVerbs, ForgetVerbs, OperationVerbs, OverviewVerbs):
    """One owner's memories, seen by one agent, under one policy. Threads may share it."""
