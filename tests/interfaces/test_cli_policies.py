"""`ebbing policy`: what is shown loads again, every fault is told with its line, differences with both values."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from ebbing.domain.policy.loader import load, presets

Run = Callable[..., Result]
PATIENT = "[curve]\nslowdown = 7.5\n[ladder]\ndetach = 0.21\n[categories.recipe]\ndecay_per_day = 0.02\nweight = 0.8\n"


@pytest.fixture
def patient(elsewhere: Path) -> str:
    Path("patient.toml").write_text(PATIENT, encoding="utf-8")
    return "patient.toml"


@pytest.mark.parametrize("name", [*presets(), "patient.toml"])
def test_what_is_shown_loads_again_to_the_same_policy(run: Run, patient: str, name: str) -> None:
    """`ebbing policy show … > whole.toml`."""
    result = run("policy", "show", name)
    assert (result.exit_code, result.stderr) == (0, "")
    Path("whole.toml").write_text(result.stdout, encoding="utf-8")
    assert load("whole.toml") == load(name)


def test_without_a_name_the_policy_in_use_is_shown(run: Run, patient: str) -> None:
    """That of --policy, or of the environment, or the default."""
    assert run("policy", "show").stdout == run("policy", "show", "default").stdout
    assert run("policy", "show", "--policy", patient).stdout == run("policy", "show", patient).stdout
    assert run("policy", "show", EBBING_POLICY=patient).stdout == run("policy", "show", patient).stdout


def test_as_json_it_is_the_same_table(run: Run, answer: Callable[..., Any], patient: str) -> None:
    """The words of the file, whichever way they are written."""
    assert answer("policy", "show", patient) == tomllib.loads(run("policy", "show", patient).stdout)


def test_a_sound_policy_is_told_in_words(run: Run, answer: Callable[..., Any], patient: str) -> None:
    """When a plain fact that nobody asks for goes down, first of all; below is strictly below."""
    published = '[time]\ngrace = "7d"\n[curve]\nname = "ebbinghaus"\nslowdown = 1.0\n[defaults]\nimportance = 0.5\n'
    published += "[ladder]\nsummarize = 0.3\ndetach = 0.15\narchive = 0.05\n[categories.fact]\ndecay_per_day = 0.16\n"
    Path("published.toml").write_text(published)
    result = run("policy", "check", "published.toml")
    assert result.exit_code == 0, result.stderr
    first, second, *_ = result.stdout.splitlines()
    assert first == "published.toml is valid."
    assert second == (
        "A memory of category fact and importance 0.5 that nobody asks for is summarized after 7 days (below 0.3), "
        "detached after 13 days (below 0.15), archived after 24 days (below 0.05)."
    )
    told = answer("policy", "check", "published.toml")
    assert told == {"ok": True, "policy": "published.toml", "faults": [], "does": result.stdout.splitlines()[1:]}


def test_every_fault_is_told_with_its_line(run: Run) -> None:
    """All at once, and the exit code says that there were some."""
    Path("broken.toml").write_text('[ladder]\narchive = 0.5\n[categories.fact]\ndecay_per_day = "slow"\n')
    result = run("policy", "check", "broken.toml")
    assert result.exit_code == 2
    head, *faults = result.stdout.splitlines()
    assert head == "policy broken.toml has 2 faults:"
    assert [fault.split(": ")[:2] for fault in faults] == [
        ["  - broken.toml:4", "categories.fact.decay_per_day"],
        ["  - broken.toml:1", "ladder"],
    ]
    as_data = run("policy", "check", "broken.toml", "--json")
    assert (as_data.exit_code, '"ok": false' in as_data.stdout) == (2, True)
    assert as_data.stdout.count("broken.toml:") == 2


def test_a_policy_that_is_not_there_is_an_error(run: Run) -> None:
    """For each of the three."""
    for words in (("show", "nowhere"), ("check", "nowhere"), ("diff", "default", "nowhere")):
        result = run("policy", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("ebbing: there is no policy 'nowhere'")


def test_differences_have_both_values(run: Run, answer: Callable[..., Any], patient: str) -> None:
    """Field by field; what one of them has not is empty there."""
    slowdown, detach = load("default").curve.slowdown, load("default").ladder.detach
    lines = run("policy", "diff", "default", patient).stdout.splitlines()
    assert lines[:4] == [
        "name\tdefault\tpatient",
        f"curve.slowdown\t{slowdown}\t7.5",
        f"ladder.detach\t{detach}\t0.21",
        "categories.recipe.decay_per_day\t\t0.02",
    ]
    assert answer("policy", "diff", patient, "default")[1] == {"field": "curve.slowdown", "one": 7.5, "other": slowdown}
    assert answer("policy", "diff", patient, patient) == []
