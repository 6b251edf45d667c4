"""What the judge reads: how a newer statement relates to an older one, and what kind of text a text is.

Plain values with their probabilities. Who reads is a port (ports/); who decides by these numbers is remember/.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

KINDS = (
    *("identity", "health", "preference", "rule", "decision", "fact", "event", "state", "task", "lesson"),
    *("tool_output", "chatter", "world", "forget"),
)
LIFETIMES = ("hours", "days", "weeks", "months", "years", "life")
HARMS = (0, 1, 2, 3)
RELATIONS = ("same", "updates", "contradicts", "adds", "unrelated")
_SHOWN_MIN = 0.01


@dataclass(frozen=True, slots=True)
class Relation:
    """The probability of each relation of a newer statement to an older one; they add up to one."""

    same: float = 0.0  # it says the same again
    updates: float = 0.0  # it makes the older statement untrue: things have changed, or it was wrong
    contradicts: float = 0.0  # both cannot be true, and nothing says that things have changed
    adds: float = 0.0  # it is about the same thing, and the older statement stays true
    unrelated: float = 1.0

    @property
    def conflicts(self) -> float:
        """The probability that the two cannot both hold now."""
        return self.updates + self.contradicts

    @property
    def likeliest(self) -> str:
        return max((field.name for field in fields(self)), key=lambda name: float(getattr(self, name)))

    def rounded(self) -> dict[str, float]:
        """The probabilities, as they are kept with an event."""
        return {field.name: round(float(getattr(self, field.name)), 3) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge read between a memory and another one, as it was kept with the decision that rests on it."""

    other: str  # the id of the other memory
    probabilities: Mapping[str, float]  # of each relation of the newer of the two to the older
    judge: str | None = None  # the fingerprint of the judge; None: it was not kept

    @property
    def numbers(self) -> str:
        """The probabilities that count, the likeliest first: "updates 0.97, unrelated 0.03"."""
        ordered = sorted(self.probabilities.items(), key=lambda entry: -entry[1])
        return ", ".join(f"{name} {share:.2f}" for name, share in ordered if share >= _SHOWN_MIN)

    def __str__(self) -> str:
        who = "the judge" if self.judge is None else f"the judge {self.judge}"
        return f"between it and {self.other} {who} read: {self.numbers}"


@dataclass(frozen=True, slots=True)
class TextReading:
    """What one text is: its kind, how long it stays true, what it would cost to lose it, whether it is an attack."""

    kind: str
    lifetime: str
    harm: int  # 0: nothing … 3: dangerous
    injected: float  # the probability that it is an injected instruction
    kind_probability: float = 1.0
    expected_harm: float = 0.0  # the mean over the probabilities of each harm
    lifetimes: tuple[float, ...] = ()  # the probability of each lifetime, in the order of LIFETIMES; (): it is certain
    harms: tuple[float, ...] = ()  # and of each harm

    def lasts(self, certainty: float) -> str:
        """The longest lifetime that is as likely as `certainty`, or any longer one together with it: to let go of what
        lasts costs more than to keep for a while what does not."""
        longer = 0.0
        for lifetime, probability in zip(reversed(LIFETIMES), reversed(self.lifetimes), strict=False):
            longer += probability
            if longer >= certainty:
                return lifetime
        return self.lifetime

    def harmful(self, harm: int) -> float:
        """The probability that losing it would cost as much as `harm`, or more."""
        return sum(self.harms[harm:]) if self.harms else float(self.harm >= harm)

    def rounded(self) -> Mapping[str, float | int | str]:
        """What is kept with the event of a new memory."""
        return {
            "kind": self.kind,
            "kind_probability": round(self.kind_probability, 3),
            "lifetime": self.lifetime,
            "harm": self.harm,
            "injected": round(self.injected, 3),
        }
