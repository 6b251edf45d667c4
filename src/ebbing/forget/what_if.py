"""What the owner could do about a memory, and what that would change.

For each action the memory is changed in memory and its future simulated (`forecast.py`); the sentence says when that
changes its status.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.clock import Calendar, Moment
from ..domain.events import Archived, Event, EventKind
from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..domain.results import Step
from ..domain.retention import ends_at, grace_until, on_the_wall, used, with_next_due
from ..lifecycle.history import last_taken_out
from ..lifecycle.transitions import bring_into_use
from .forecast import ForecastStep, LookAhead, look_ahead_of

_UNTRUSTED = "its source is not trusted enough for a use to strengthen it"
_STAYS = "never leaves recall by itself"


@dataclass(frozen=True, slots=True)
class Levers:
    """The actions possible now on one memory. Each makes today a day of use."""

    ahead: LookAhead  # if nothing is done
    history: Sequence[Event]
    moment: Moment  # now, on that day of use
    calendar: Calendar
    policy: Policy

    def sentences(self, *, protected: bool) -> list[str]:
        """One sentence for each; `protected`: the policy holds this memory back, pinned or not."""
        memory = self.memory
        if memory.status is Status.QUARANTINED:
            return [self._settle()]
        if not memory.status.live:
            return [self._restore()]
        if memory.held_at is not None:
            return [self._keep(), f"pin it: it never fades{self._untrusted}"]
        if memory.pinned:
            return self._unpin(protected=protected)
        if memory.status is Status.DETACHED:
            pin = f"pin it: it comes back into use, and never fades{self._untrusted}"
            return [*self._use(), self._restore(), pin]
        if protected and self.ahead.first_exit is None:
            return ["the policy would have to protect it no longer"]
        ends = "" if memory.expires_at is None else ", and its time to live does not end it"
        return [f"pin it: it never fades{ends}{self._untrusted}", *self._use()]

    @property
    def memory(self) -> Memory:
        return self.ahead.memory

    @property
    def _is_trusted(self) -> bool:
        return self.memory.trust >= self.policy.reinforcement.trust_floor

    @property
    def _untrusted(self) -> str:
        return "" if self._is_trusted else f" ({_UNTRUSTED})"

    def _use(self) -> list[str]:
        if not self._is_trusted:
            return []
        then, now = self._tried(self._used()).first_exit, self.ahead.first_exit
        if self.memory.status is Status.DETACHED:
            return [f"one more use: it comes back into use, and {self._parting(then)}"]
        if now is None:
            return []
        if then is not None and self._when(then) == self._when(now):
            return [f"a use does not change that: {self._why(now) or self._weak(now)}"]
        return [f"one more use: it {self._parting(then)} instead of {self._when(now, earliest='')}"]

    def _unpin(self, *, protected: bool) -> list[str]:
        then = self._tried(self.memory.with_(pinned=False)).first_exit
        if then is not None:
            fades = "" if then.action.threshold is None else "fades again, and "
            return [f"unpin it: it {fades}{self._parting(then)}"]
        return ["the policy would have to protect it no longer, and it would have to be unpinned"] if protected else []

    def _restore(self) -> str:
        """As `restore` brings it back by its id."""
        lowered = last_taken_out(self.history)
        back = bring_into_use(self.memory, lowered, self.moment.at)
        if back.status is Status.ACTIVE:
            sentence = f"restore it: it comes back into use, and {self._parting(self._tried(back).first_exit)}"
        else:
            sentence = f"restore it: it is {back.status} again"
        if self.memory.status is not Status.FORGOTTEN:
            return sentence
        # What summaries tell, and who tells what they told, is for `restore` to find out.
        if self.memory.derived_from:
            return f"{sentence}, unless something that it sums up is forgotten or said elsewhere by now"
        if any(isinstance(change := event.change, Archived) and change.into for event in self.history):
            return f"{sentence}, or in use where its summary was forgotten with it"
        return sentence

    def _settle(self) -> str:
        kept = self._tried(self.memory.with_(status=Status.ACTIVE, restored_at=self.moment.at))
        parting = self._parting(kept.first_exit)
        return f"look at it, then settle it: kept, it comes into use, and {parting}; not kept, it is forgotten"

    def _keep(self) -> str:
        """As `settle` keeps it, or lets it go."""
        kept = self._tried(self._used().with_(restored_at=self.moment.at))
        return f"settle it: kept, it is as if used now, and {self._parting(kept.first_exit)}; not kept, it is archived"

    def _used(self) -> Memory:
        """The memory after a use that counts."""
        earlier = [event.at for event in self.history if event.kind is EventKind.REINFORCED]
        return used(self.memory, self.moment, self.policy, earlier)

    def _tried(self, memory: Memory) -> LookAhead:
        ready = with_next_due(memory, self.moment, self.policy)
        return look_ahead_of(ready, self.moment, self.calendar, self.policy, None)

    def _parting(self, step: ForecastStep | None) -> str:
        if step is None:
            return _STAYS
        why = self._why(step)
        leaves = "waits in review" if step.action.step is Step.REVIEW else "leaves recall"
        return f"{leaves} {self._when(step)}{f', because {why}' if why else ''}"

    def _when(self, step: ForecastStep, earliest: str = " at the earliest") -> str:
        if step.moment.at <= self.moment.at:
            return "at the next sweep"
        # What counts days of use comes no earlier, and later where a day passes without one.
        by_use = step.action.threshold is not None and not on_the_wall(step.action.memory.tier, self.policy)
        return f"on {step.moment.at:%Y-%m-%d}{earliest if by_use else ''}"

    def _why(self, step: ForecastStep) -> str | None:
        """Why it leaves, where that has a date and does not depend on its strength."""
        if step.action.threshold is not None:
            return None
        if step.action.step is Step.REVIEW:
            return None
        end = ends_at(step.action.memory, self.policy)
        if end is None or end > step.moment.at:
            return step.action.reason
        return f"its time to live {'ended' if end <= self.moment.at else 'ends'} on {end:%Y-%m-%d}"

    def _weak(self, step: ForecastStep) -> str:
        if step.moment.at == grace_until(self.memory, self.policy):
            return f"only its grace period holds it, until {step.moment.at:%Y-%m-%d}"
        return f"it leaves recall {self._when(step)} in any case"
