"""On all that an owner has: statistics, export and import, simulation, the event log. Calls `ebbing.operations`."""

from __future__ import annotations

import os

from .. import forget as forgetting
from ..domain import validation
from ..domain.errors import Invalid
from ..domain.events import Event
from ..domain.import_results import Imported
from ..domain.memory import Scope
from ..domain.policy import Policy
from ..domain.policy.loader import load
from ..domain.results import Stats
from ..lifecycle.event_pages import events_after
from ..operations import foresight, importers, transfer
from ..operations import reembed as reembedding
from ..operations import stats as counting
from ..operations.foresight import Fit, Simulation
from ..ports import Progress
from .base import EngineBase

_SEQ_MAX = 2**63 - 1  # the largest number of an event
_DAYS_MAX = 3650


class OperationVerbs(EngineBase):
    """The verbs that concern everything an owner has."""

    def simulate(
        self, policy: str | os.PathLike[str] | Policy, *, days: int = 180, progress: Progress | None = None
    ) -> Simulation:
        """What another policy would have done: your past replayed under it, and `days` more without any use.
        Holds what would be forgotten when, and which recalls would have missed what they found."""
        validation.callback(progress, "progress")
        other = load(policy)
        ahead = validation.count(days, "days", _DAYS_MAX)
        return foresight.simulate_other_policy(other, self._of_every_agent(), ahead_days=ahead, progress=progress)

    def fit(self) -> Fit:
        """Decay rates that your own history of use asks for, with their uncertainty, and a policy to try."""
        return foresight.fit_policy(self._of_every_agent())

    def stats(self) -> Stats:
        """The owner's memories in numbers, and what is to be done about them."""
        work = self._of_every_agent()
        due = forgetting.plan(work, trigger="manual")
        return counting.stats(store=work.store, view=work.view, models=self.models, due=due)

    def export(self, path: str | os.PathLike[str], *, progress: Progress | None = None) -> int:
        """Write everything to a file of JSON lines, as of one moment; tells how many memories that were.

        Everything the owner has; an engine bound to an agent writes what that agent sees.
        """
        validation.callback(progress, "progress")
        work = self._of_owner_or_agent()
        return transfer.export(path, store=work.store, view=work.view, now=work.now, progress=progress)

    def import_(
        self,
        path: str | os.PathLike[str],
        on_conflict: str = "skip",
        *,
        format: str = "ebbing",
        user: str | None = None,
        scope: str = "/",
        dry_run: bool = False,
        trusted: bool = False,
        tombstones: bool = False,
        blocks: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Bring in an export, whoever's it was, or with `format` what another program remembers. The whole file is
        checked before anything is written; with `dry_run` nothing is, and the answer says what would come in.

        A file is untrusted input: every text passes the gate, and nothing is trusted more than the policy trusts the
        source `import`. `tombstones` also takes what the file bars from being learned, `blocks` its core blocks where
        none stands. `trusted` is for a backup that you made yourself: with its own trust, tombstones and blocks;
        secrets are redacted and instructions quarantined all the same.

        A memory that stands here already and differs is left (`skip`), replaced (`overwrite`), or makes the import
        refuse the file (`fail`). What was purged here stays out. Stopped halfway, run it again. As with `export`, an
        engine bound to an agent brings in, and changes, what that agent may see.

        Of another program, `user` names one of several users whose memories lie in its file, and everything comes in
        below `scope`. Run again, it brings in only what is new there. Nothing of it fades on arrival.
        """
        validation.callback(progress, "progress")
        is_dry = validation.flag(dry_run, "dry_run")
        if format != "ebbing":
            if on_conflict != "skip" or trusted or tombstones or blocks:
                raise Invalid("on_conflict, trusted, tombstones and blocks are for an export of Ebbing")
            whose = validation.optional_name(user, "user")
            asked = importers.Request(validation.name(format, "format"), whose, Scope(scope), is_dry)
            contents = importers.read(validation.path(path).expanduser(), asked.format)
            work = self._context()
            return importers.import_records(contents, asked, work, agent=self.agent, progress=progress)
        if user is not None or Scope(scope) != "/":
            raise Invalid("user and scope are for files of other programs; an export keeps its scopes")
        work = self._of_every_agent()
        terms = transfer.terms(
            work,
            trusted=validation.flag(trusted, "trusted"),
            tombstones=validation.flag(tombstones, "tombstones"),
            blocks=validation.flag(blocks, "blocks"),
        )
        return transfer.import_(
            path,
            store=work.store,
            view=work.view,
            policy=self.policy,
            now=work.now,
            on_conflict=on_conflict,
            terms=terms,
            dry_run=is_dry,
            progress=progress,
        )

    def events(self, *, after: int = 0, limit: int = 100) -> list[Event]:
        """What happened to anything the owner has, oldest first, behind the event of that number.

        As with `export`, an engine bound to an agent tells of what that agent sees.
        """
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        first = validation.count(after, "after", _SEQ_MAX, least=0)
        return events_after(first, self._of_owner_or_agent(), limit=most)

    def reembed(self, *, progress: Progress | None = None) -> int:
        """Embed again what is live and was embedded by another model, or by none; stopped, it goes on where it was."""
        validation.callback(progress, "progress")
        return reembedding.reembed(self._of_every_agent(), progress=progress)
