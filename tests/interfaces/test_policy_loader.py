"""Policies as files: layers, and every fault at once with the line it stands on."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid, InvalidPolicy, Policy, Scope, Tier
from ebbing.domain.policy import Budget
from ebbing.domain.policy.checks import faults_of
from ebbing.domain.policy.loader import load, presets
from ebbing.strength import CURVES, Ebbinghaus, HalfLife, Power, Stretched
from tests.tables import each_row

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a policy file, by default one called mine.toml."""

    def written(text: str, name: str = "mine.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return written


def faults(path: Path) -> list[str]:
    """The faults of a file, without the folder it lies in."""
    with pytest.raises(InvalidPolicy) as caught:
        load(path)
    assert caught.value.code == "invalid"
    return [fault.replace(f"{path.parent}/", "") for fault in caught.value.faults]


# Layers


def test_a_preset_is_loaded_by_its_name() -> None:
    """And there is a list of them."""
    assert "default" in presets()
    for name in presets():
        assert load(name).name == name


def test_a_file_says_only_what_it_changes(write: Write) -> None:
    """The rest comes from the default."""
    path = write('name = "mine"\n[ladder]\narchive = 0.04\n')
    default = load()
    assert load(path) == dataclasses.replace(
        default, name="mine", ladder=dataclasses.replace(default.ladder, archive=0.04)
    )
    assert load(str(path)) == load(path)


def test_an_empty_file_is_the_default_policy(write: Write) -> None:
    """But for its name: what is written into events must not say `default`."""
    assert load(write("")) == dataclasses.replace(load(), name="mine")


def test_a_policy_without_a_name_is_called_as_its_file_is(write: Write) -> None:
    """Also when the file it extends has a name."""
    write('name = "below"', "below.toml")
    assert load(write('extends = "below.toml"', "above.toml")).name == "above"
    assert load(write('extends = "below.toml"\nname = "mine"', "above.toml")).name == "mine"


def test_layers_lie_on_each_other_in_order(write: Write) -> None:
    """File over file over default; the nearest word counts."""
    write("[ladder]\nsummarize = 0.5\ndetach = 0.4\n[recall]\nlimit_max = 7\n", "base/low.toml")
    write('extends = "low.toml"\n[ladder]\ndetach = 0.3\n', "base/middle.toml")
    top = load(write('extends = "base/middle.toml"\n[ladder]\narchive = 0.2\n', "top.toml"))
    assert dataclasses.astuple(top.ladder) == (0.5, 0.3, 0.2)
    assert top.recall.limit_max == 7
    assert top.time == load().time


def test_a_relative_path_is_beside_the_file_that_names_it(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the program was started; up and down the folders; with or without an ending."""
    write("[recall]\nlimit_max = 7\n", "shared/base.toml")
    write("[recall]\nlimit_max = 8\n", "shared/plain")
    path = write('extends = "../shared/base.toml"', "team/mine.toml")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load(path).recall.limit_max == 7
    assert load("../team/mine.toml").recall.limit_max == 7
    assert load(write('extends = "../shared/plain"', "team/other.toml")).recall.limit_max == 8


def test_a_list_is_replaced_and_not_added_to(write: Write) -> None:
    """Or nothing could ever be taken out of it."""
    policy = load(write('[protection]\nscopes = ["/home"]\nauto_pin = []\n'))
    assert policy.protection.scopes == (Scope("/home"),)
    assert policy.protection.auto_pin == ()
    assert policy.protection.categories == load().protection.categories


def test_a_new_category_stands_beside_the_others(write: Write) -> None:
    """With what a category needs, and nothing else changes; its rate is slowed as all the others are."""
    policy = load(write('[categories.recipe]\ndecay_per_day = 0.01\nweight = 0.4\nttl = "2y"\n'))
    assert policy.category("recipe").ttl == timedelta(days=730)
    assert policy.curve_of("recipe", Tier.SEMANTIC) == Ebbinghaus(rate=0.01 / 1.5)
    assert set(policy.categories) == {*load().categories, "recipe"}


def test_a_category_may_be_changed_in_part(write: Write) -> None:
    """One number, the rest as it was."""
    policy = load(write("[categories.preference]\nweight = 0.9\n"))
    assert policy.category("preference") == dataclasses.replace(load().category("preference"), weight=0.9)


def test_what_a_layer_below_gave_can_be_taken_away(write: Write) -> None:
    """TOML has no word for nothing, so `never` is it."""
    policy = load(write('[categories.preference]\nttl = "never"\n[categories.finding]\ncompact_after = "never"\n'))
    assert policy.category("preference").ttl is None
    assert policy.category("finding").compact_after is None
    write('[promotion]\npromote = 0.7\ndemote = 0.3\n[categories.fact]\narchive_after = "90d"\n', "low.toml")
    assert load(write('extends = "low.toml"', "same.toml")).category("fact").archive_after == timedelta(days=90)
    bare = load(
        write(
            'extends = "low.toml"\n[promotion]\npromote = "never"\ndemote = "never"\n'
            '[categories.fact]\narchive_after = "never"\n'
            '[budgets]\nhistorical = "never"\nscopes."/project" = "never"\n',
            "bare.toml",
        )
    )
    assert (bare.promotion.promote, bare.promotion.demote) == (None, None)
    assert bare.category("fact").archive_after is None
    assert (bare.budgets.historical, bare.budgets.of("/project/api")) == (None, Budget())


def test_scopes_have_budgets_of_their_own(write: Write) -> None:
    """In memories, in tokens, of one tier; key by key over the layer below."""
    write('[budgets.scopes."/logs"]\nmemories = 200\ntokens = 4000\n', "low.toml")
    policy = load(write('extends = "low.toml"\n[budgets.scopes."/logs"]\ntier = "episodic"\ntokens = "never"\n'))
    assert policy.budgets.of("/logs/api") == Budget(tier=Tier.EPISODIC, memories=200)
    assert policy.budgets.of("/project") == load().budgets.of("/project")


def test_the_new_tables_are_read(write: Write) -> None:
    """Spans as spans, counts as counts."""
    policy = load(
        write(
            '[sweep]\nrest = "1h"\ncron = "30 2 * * 1-5"\n[compaction]\ndepth_max = 0\ngroup_max = 3\n'
            '[promotion]\nsession_ends_after = "1d"\nconfirmed_recalls = 5\n[tiers.procedural]\nslowdown = 10\n'
            "[curve]\nslowdown = 1\n"
        )
    )
    assert (policy.sweep.rest, policy.sweep.cron) == (timedelta(hours=1), "30 2 * * 1-5")
    assert (policy.compaction.depth_max, policy.compaction.group_max) == (0, 3)
    assert (policy.promotion.session_ends_after, policy.promotion.confirmed_recalls) == (timedelta(days=1), 5)
    assert policy.curve_of("fact", Tier.PROCEDURAL) == Ebbinghaus(rate=0.016)


def test_another_curve_drops_the_parameters_of_the_old_one(write: Write) -> None:
    """They would be faults there; of the same curve they are kept."""
    write('[curve]\nname = "half_life"\nparameters = { half_life_days = 10 }\n', "low.toml")
    kept = load(write('extends = "low.toml"\n[curve]\nname = "half_life"\nslowdown = 2\n', "kept.toml"))
    assert kept.curve_of("fact", Tier.SEMANTIC) == HalfLife(20)
    dropped = load(write('extends = "low.toml"\n[curve]\nname = "power"\n', "dropped.toml"))
    assert dropped.curve_of("fact", Tier.SEMANTIC) == Power()
    again = load(write('extends = "dropped.toml"\n[curve.parameters]\nscale_days = 3\n', "again.toml"))
    assert again.curve_of("fact", Tier.SEMANTIC) == Power(scale_days=3)


def test_another_curve_drops_the_slowdown_of_the_old_one(write: Write) -> None:
    """It was chosen for the rates of that curve: a half-life that somebody writes down is the half-life they get."""
    default = load().curve
    assert default.slowdown != 1.0
    halving = load(write('[curve]\nname = "half_life"\nparameters = { half_life_days = 10 }\n'))
    assert halving.curve_of("fact", Tier.SEMANTIC) == HalfLife(10)
    same = load(write(f'[curve]\nname = "{default.name}"\n'))
    assert same.curve == default
    write("[curve]\nslowdown = 3\n", "low.toml")
    assert load(write('extends = "low.toml"\n[curve]\nname = "power"\n')).curve.slowdown == 1.0
    assert load(write('extends = "low.toml"\n[curve]\nname = "power"\nslowdown = 2\n')).curve.slowdown == 2.0


def test_another_curve_drops_the_parameters_of_the_tiers_too(write: Write) -> None:
    """An exponent meant for one curve says something else of another, and of a third nothing."""
    power = load(write('extends = "fademem"\n[curve]\nname = "power"\n', "power.toml"))
    assert power.curve_of("fact", Tier.EPISODIC) == power.curve_of("fact", Tier.SEMANTIC) == Power()
    own = "[tiers.episodic]\nparameters = { half_life_days = 9 }\n"
    halving = load(write(f'extends = "fademem"\n[curve]\nname = "half_life"\n{own}', "halving.toml"))
    assert halving.curve_of("fact", Tier.EPISODIC) == HalfLife(9)
    slowed = load(write('extends = "fademem"\n[tiers.episodic]\nslowdown = 2\n', "slowed.toml"))
    assert slowed.curve_of("fact", Tier.EPISODIC) == Stretched(rate=0.05, exponent=1.2)


@pytest.mark.parametrize(("written", "read"), [("true", True), ("false", False)])
def test_a_setting_that_is_true_or_false_is_read_as_such(write: Write, written: str, read: bool) -> None:
    """And over a layer below that says otherwise."""
    below = write(f"[defaults]\nestimate_importance = {'false' if read else 'true'}\n", "low.toml")
    assert load(below).defaults.estimate_importance is not read
    above = write(f'extends = "low.toml"\n[defaults]\nestimate_importance = {written}\n')
    assert load(above).defaults.estimate_importance is read


@pytest.mark.parametrize("text", ["\ufeff[ladder]\narchive = 0.04\n", "[ladder]\r\narchive = 0.04\r\n"])
def test_files_of_every_editor_are_read(tmp_path: Path, text: str) -> None:
    """A mark of the encoding in front, other line ends."""
    path = tmp_path / "mine.toml"
    path.write_bytes(text.encode())
    assert load(path).ladder.archive == 0.04


def test_a_file_may_hold_any_unicode(write: Write) -> None:
    """In names, scopes and rules."""
    policy = load(
        write(
            'name = "größe 猫"\n[protection]\nscopes = ["/e\u0301quipe"]\nauto_pin = ["(?i)アレルギー"]\n'
            '[categories."ré cette"]\ndecay_per_day = 0.1\nweight = 0.5\n',
            "größe.toml",
        )
    )
    assert policy.name == "größe 猫"
    assert policy.protection.scopes == (Scope("/équipe"),)
    assert policy.protection.auto_pin[0].search("そばアレルギー")
    assert "ré cette" in policy.categories


def test_every_form_of_toml_says_the_same(write: Write) -> None:
    """Tables, dotted keys, inline tables."""
    forms = [
        "[ladder]\narchive = 0.04",
        "ladder.archive = 0.04",
        "ladder = { archive = 0.04 }",
        '["ladder"]\n"archive" = 0.04',
    ]
    assert {load(write(form)).ladder.archive for form in forms} == {0.04}


# What cannot be found


@each_row("name", ["nope", "", "default.toml.bak", "DEFAULT", "../default", "x" * 5000, "a\x00b"])
def test_a_policy_that_is_not_there_is_told_the_presets(name: str) -> None:
    """Or what became of reading it; never anything but one of our errors."""
    with pytest.raises(Invalid, match=r"presets are default|cannot be read"):
        load(name)


@pytest.mark.parametrize(
    "name", ["missing.toml", "~nobody-of-that-name/x.toml", "a\x00.toml", "a\ud800.toml", "x" * 5000 + ".toml"]
)
def test_a_file_that_cannot_be_read_says_why(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing, nobody's, no name for a file at all."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Invalid, match="cannot be read"):
        load(name)


def test_a_folder_is_not_a_policy(tmp_path: Path) -> None:
    """By path or by text, with an ending or without."""
    (tmp_path / "folder.toml").mkdir()
    for wanted in (tmp_path, str(tmp_path), tmp_path / "folder.toml", str(tmp_path / "folder.toml")):
        with pytest.raises(Invalid, match=r"cannot be read|there is no policy"):
            load(wanted)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    """UTF-16, or an image somebody picked."""
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00[")
    with pytest.raises(Invalid, match="cannot be read"):
        load(path)


@each_row("value", [None, 5, True, b"default", ["default"], {"name": "x"}])
def test_what_is_no_policy_at_all_is_refused(value: Any) -> None:
    """With what one may give."""
    with pytest.raises(Invalid, match="is not a policy; give a preset's name"):
        load(value)


def test_a_file_that_extends_what_is_not_there_says_so_at_its_line(write: Write) -> None:
    """The file one wrote, not the file one did not."""
    path = write('# mine\n\nextends = "nope"\n')
    known = ", ".join(presets())
    assert faults(path) == [
        f"mine.toml:3: extends: there is no policy 'nope'; presets are {known}, or give the path of a .toml file"
    ]
    [fault] = faults(write('extends = "missing.toml"\n'))
    assert fault.startswith("mine.toml:1: extends: policy file 'missing.toml' cannot be read")


@each_row("value", ["5", "true", '["default"]', "{ a = 1 }", "1.5"])
def test_what_is_extended_is_a_name(write: Write, value: str) -> None:
    """Or a path."""
    assert faults(write(f"extends = {value}\n")) == ["mine.toml:1: extends: give a preset's name or a file's path"]


def test_a_file_that_extends_itself_is_refused(write: Write) -> None:
    """At once, by whatever way round."""
    [fault] = faults(write('extends = "mine.toml"\n'))
    assert fault.startswith("mine.toml:1: extends: it extends itself: mine.toml → ")
    [fault] = faults(write('extends = "../here/mine.toml"\n', "here/mine.toml"))
    assert "it extends itself" in fault


def test_files_that_extend_each_other_are_refused_with_the_ring(write: Write) -> None:
    """In the order in which they were followed."""
    write('extends = "c.toml"', "b.toml")
    write('\nextends = "a.toml"', "c.toml")
    [fault] = faults(write('extends = "b.toml"', "a.toml"))
    assert fault.startswith("c.toml:2: extends: it extends itself: a.toml → ")
    assert [part.rpartition("/")[2] for part in fault.split(" → ")] == [
        fault.split(" → ")[0],
        "b.toml",
        "c.toml",
        "a.toml",
    ]


def test_a_chain_may_be_long(write: Write) -> None:
    """As long as it ends."""
    write("[recall]\nlimit_max = 7\n", "0.toml")
    for number in range(1, 50):
        write(f'extends = "{number - 1}.toml"', f"{number}.toml")
    assert load(write('extends = "49.toml"')).recall.limit_max == 7


# Faults


def test_every_fault_is_reported_at_once_with_its_line(write: Write) -> None:
    """A person mends a file once, not once for each fault."""
    path = write(
        """# a policy with one of everything
colour = "red"

[time]
clock = "sundial"
grace = "soon"

[curve]
slowdown = "much"

[ladder]
summarize = 0.2
detach = 0.3

[protection]
scopes = ["/a/../b"]
auto_pin = ['(unclosed']

[recall]
limit_max = 0
lexical_wieght = 0.5

[categories.fact]
weight = 1.5
ttl = 30

[categories.mine]
weight = 0.5

[defaults]
tier = "episodic"
estimate_importance = "sometimes"
"""
    )
    expected = {
        2: "colour: there is no such setting; here stand name, time, curve, ladder, protection, recall",
        5: "time.clock: 'sundial' is not one of activity, wall",
        6: "time.grace: duration 'soon' is not understood; write '90min', '12h', '30d'",
        9: "curve.slowdown: 'much' is not a number",
        11: "ladder: the rungs must go down, and summarize 0.2 > detach 0.3 > archive 0.05 does not hold",
        16: "protection.scopes: scope '/a/../b' climbs with dots; write the path itself",
        17: "protection.auto_pin: '(unclosed' is not a regular expression: missing ), unterminated subpattern",
        20: "recall.limit_max: 0 is out of bounds; it must be at least 1 and at most 2147483647",
        21: "recall.lexical_wieght: there is no such setting; here stand lexical_weight, semantic_weight",
        24: "categories.fact.weight: 1.5 is out of bounds; it must be at least 0 and at most 1",
        25: "categories.fact.ttl: duration 30 is not text; write one such as '12h', '30d', '6mo' or 'P30D'",
        27: "categories.mine.decay_per_day: is missing",
        32: "defaults.estimate_importance: 'sometimes' is neither true nor false",
    }
    found = {int(fault.split(":")[1]): fault for fault in faults(path)}
    assert sorted(found) == sorted(expected)
    for line, sentence in expected.items():
        assert found[line].startswith(f"mine.toml:{line}: {sentence}")


def test_faults_between_numbers_are_reported_together_with_their_lines(write: Write) -> None:
    """Each number may stand by itself; what they do not allow each other is told as completely."""
    found = faults(
        write(
            """[promotion]
demote = 0.7
promote = 0.3

[sweep]
cron = "whenever"
rest = "10min"

[compaction]
group_min = 30

[budgets.scopes."/logs/"]
memories = 5
[budgets.scopes."/empty"]
tier = "working"

[curve]
name = "stretched"

[tiers.episodic]
parameters = { exponent = 1.2, floor = 0.1 }
[tiers.procedural]
slowdown = 2
parameters.half_life_days = 3

[ladder]
archive = 0.2
"""
        )
    )
    assert {where: place for place, where, _ in (fault.split(": ", 2) for fault in found)} == {
        "ladder": "mine.toml:26",
        "promotion": "mine.toml:1",
        "sweep.cron": "mine.toml:6",
        "compaction": "mine.toml:9",
        "budgets.scopes./logs/": "mine.toml:12",
        "budgets.scopes./empty": "mine.toml:14",
        "tiers.episodic.parameters.floor": "mine.toml:21",
        "tiers.procedural.parameters.half_life_days": "mine.toml:24",
    }


def test_a_fault_is_told_where_it_was_written_and_not_where_it_was_inherited(write: Write) -> None:
    """Each in its own file."""
    write("\n\n[ladder]\ndetach = 5\n", "low.toml")
    found = faults(write('extends = "low.toml"\n[ladder]\narchive = 7\n'))
    assert found == [
        "low.toml:4: ladder.detach: 5 is out of bounds; it must be at least 0 and at most 1",
        "mine.toml:3: ladder.archive: 7 is out of bounds; it must be at least 0 and at most 1",
    ]
    assert load(write('extends = "low.toml"\n[ladder]\ndetach = 0.2\n')).ladder.detach == 0.2


def test_nothing_is_said_that_rests_on_what_could_not_be_read(write: Write) -> None:
    """One fault is not dressed up as two."""
    assert (
        len(faults(write('[defaults]\ncategory = "recipe"\n[categories.recipe]\nweight = "x"\ndecay_per_day = 0.1\n')))
        == 1
    )
    assert len(faults(write('[curve]\nname = "linear"\nslowdown = "x"\n'))) == 1


@each_row(
    ("text", "place"),
    [
        ("[ladder\narchive = 1", "mine.toml:1: this is not TOML"),
        ("[ladder]\narchive = \n", "mine.toml:2: this is not TOML"),
        ("a = 1\nb = 2\n\na = 3\n", "mine.toml:4: this is not TOML"),
        ("[ladder]\n[ladder]\n", "mine.toml:2: this is not TOML"),
        ("a = [1, 2", "mine.toml: this is not TOML"),
        ("just words", "mine.toml:1: this is not TOML"),
        ("{}", "mine.toml:1: this is not TOML"),
        ("a = 1\x00", "mine.toml:1: this is not TOML"),
        (f"a = {'9' * 5000}", "mine.toml: this is not TOML"),
        (f"a = {'[' * 100_000}", "mine.toml: this is not TOML"),
        (f"a = {'{a=' * 50_000}", "mine.toml: this is not TOML"),
    ],
)
def test_what_is_not_toml_says_on_which_line(write: Write, text: str, place: str) -> None:
    """Where the parser knows it; also for what breaks the parser itself."""
    [fault] = faults(write(text))
    assert fault.startswith(place)


@each_row(
    ("text", "fault"),
    [
        ("ladder = 5", "ladder: 5 is not a table"),
        ("ladder = []", "ladder: [] is not a table"),
        ("[[ladder]]", "ladder: [{}] is not a table"),
        ("categories = 'all'", "categories: 'all' is not a table"),
        ("[categories]\nfact = 5", "categories.fact: 5 is not a table"),
        ("[ladder.archive]\nx = 1", "ladder.archive: {'x': 1} is not a number"),
        ("[ladder]\narchive = '0.05'", "ladder.archive: '0.05' is not a number"),
        ("[ladder]\narchive = true", "ladder.archive: True is not a number"),
        ("[ladder]\narchive = nan", "ladder.archive: nan is not a number"),
        ("[ladder]\narchive = inf", "ladder.archive: inf is not a number"),
        ("[recall]\nrecency_half_life_days = inf", "recall.recency_half_life_days: inf is not a number"),
        ("[categories.fact]\ndecay_per_day = -inf", "categories.fact.decay_per_day: -inf is not a number"),
        (
            "[categories.fact]\ndecay_per_day = -1",
            "categories.fact.decay_per_day: -1 is out of bounds; it must be at least 0",
        ),
        ("[limits]\ntags = 1.5", "limits.tags: 1.5 is not a whole number"),
        ("[limits]\ntags = 1.0", "limits.tags: 1.0 is not a whole number"),
        (
            "[limits]\ntags = 99999999999999",
            "limits.tags: 99999999999999 is out of bounds; it must be at least 1 and at most 2147483647",
        ),
        (
            "[compaction]\ngroup_min = 1",
            "compaction.group_min: 1 is out of bounds; it must be at least 2 and at most 2147483647",
        ),
        ("[time]\ngrace = 7", "time.grace: duration 7 is not text"),
        ("[time]\ngrace = 2026-01-01", "time.grace: duration datetime.date(2026, 1, 1) is not text"),
        ("[time]\ngrace = 'never'", "time.grace: duration 'never' is not understood"),
        ("[time]\ngrace = '0d'", "time.grace: duration '0d' must be positive"),
        ("[time]\ngrace = '9999y'", "time.grace: duration '9999y' is longer than"),
        ("[time]\nclock = 5", "time.clock: 5 is not one of activity, wall"),
        ("[time]\nclock = []", "time.clock: [] is not one of activity, wall"),
        ("[curve]\nname = 'forgetful'", "curve.name: 'forgetful' is not one of ebbinghaus, half_life, linear"),
        ("[curve]\nparameters = 5", "curve.parameters: 5 is not a table"),
        ("[curve.parameters]\nrecall_effect = 'x'", "curve.parameters.recall_effect: 'x' is not a number"),
        ("[curve.parameters]\nrecall_effect = nan", "curve.parameters.recall_effect: nan is not a number"),
        (
            "[curve.parameters]\nrecall_effect = -1",
            "curve.parameters: the ebbinghaus curve cannot be built: Ebbinghaus.recall_effect is -1",
        ),
        (
            "[curve.parameters]\nfloor = 0.1",
            "curve.parameters.floor: there is no such parameter; the ebbinghaus curve has importance_shield",
        ),
        ("[curve.parameters]\nrate = 0.1", "curve.parameters.rate: there is no such parameter"),
        ("[curve]\nslowdown = 0", "curve.slowdown: 0 is out of bounds; it must be at least 0.01 and at most 1000"),
        ("[protection]\nscopes = '/user'", "protection.scopes: '/user' is not a list"),
        ("[protection]\nscopes = [5]", "protection.scopes: 5 is not text"),
        ("[protection]\ncategories = ['recipe']", "protection.categories: there is no category 'recipe'"),
        ("[protection]\nauto_pin = [5]", "protection.auto_pin: 5 is not text"),
        (
            "[protection]\nauto_pin = ['a{99999999999999999999}']",
            "protection.auto_pin: 'a{99999999999999999999}' is not a regular expression",
        ),
        ("[defaults]\ntier = 'core'", "defaults.tier: 'core' is not one of working, episodic, semantic, procedural"),
        ("[defaults]\ncategory = 'recipe'", "defaults.category: there is no category 'recipe'"),
        ("[defaults]\ncategory = 5", "defaults.category: 5 is not text"),
        ("[defaults]\nestimate_importance = 1", "defaults.estimate_importance: 1 is neither true nor false"),
        ("[defaults]\nestimate_importance = 'yes'", "defaults.estimate_importance: 'yes' is neither true nor false"),
        ("[defaults]\nestimate_importance = 'never'", "defaults.estimate_importance: 'never' is neither true nor"),
        ("[defaults]\nestimate_importance = []", "defaults.estimate_importance: [] is neither true nor false"),
        ("[defaults]\nimportance = true", "defaults.importance: True is not a number"),
        (
            "[recall]\nlexical_weight = 0\nsemantic_weight = 0",
            "recall.lexical_weight: lexical_weight and semantic_weight are both 0",
        ),
        ("[trust.sources]\nuser = 2", "trust.sources.user: 2 is out of bounds"),
        (
            "[tiers.core]\nslowdown = 1",
            "tiers.core: there is no such setting; here stand episodic, semantic, procedural",
        ),
        ("[tiers]\nepisodic = 5", "tiers.episodic: 5 is not a table"),
        ("[tiers.episodic]\nslowdown = 0", "tiers.episodic.slowdown: 0 is out of bounds"),
        ("[tiers.episodic]\nparameters = { rate = 1 }", "tiers.episodic.parameters.rate: there is no such parameter"),
        (
            "[tiers.procedural]\nparameters = { floor = 1 }",
            "tiers.procedural.parameters.floor: there is no such parameter; the ebbinghaus curve has importance_shield",
        ),
        (
            "[tiers.semantic]\nparameters = { importance_shield = 2 }",
            "tiers.semantic.parameters: the ebbinghaus curve cannot be built: Ebbinghaus.importance_shield is 2",
        ),
        (
            "[promotion]\npromote = 0.3\ndemote = 0.7",
            "promotion: promote at 0.3 must lie above demote at 0.7",
        ),
        ("[promotion]\npromote = 0.5\ndemote = 0.5", "promotion: promote at 0.5 must lie above demote at 0.5"),
        ("[promotion]\npromote = 0.7", "promotion: promote and demote belong together: give both, or neither"),
        ("[promotion]\ndemote = 0.3", "promotion: promote and demote belong together"),
        ("[promotion]\npromote = 7\ndemote = 0.3", "promotion.promote: 7 is out of bounds"),
        ("[promotion]\nsession_ends_after = 12", "promotion.session_ends_after: duration 12 is not text"),
        ("[promotion]\nconfirmed_recalls = 0", "promotion.confirmed_recalls: 0 is out of bounds"),
        ('[budgets.scopes."/logs/"]\ntokens = 5', "budgets.scopes./logs/: write the scope as /logs"),
        ('[budgets.scopes."logs"]\ntokens = 5', "budgets.scopes.logs: "),
        ('[budgets.scopes."/a/../b"]\ntokens = 5', "budgets.scopes./a/../b: scope '/a/../b' climbs with dots"),
        ('[budgets.scopes."/v1.2"]\ntier = "episodic"', "budgets.scopes./v1.2: give memories or tokens"),
        ('[budgets.scopes."/logs"]\ntokens = 0', "budgets.scopes./logs.tokens: 0 is out of bounds"),
        (
            '[budgets.scopes."/logs"]\ntier = "core"',
            "budgets.scopes./logs.tier: 'core' is not one of working, episodic",
        ),
        ('[budgets.scopes]\n"/logs" = 5', "budgets.scopes./logs: 5 is not a table"),
        ("[budgets]\nhistorical = 0", "budgets.historical: 0 is out of bounds"),
        ("[sweep]\nrest = 'a while'", "sweep.rest: duration 'a while' is not understood"),
        ("[sweep]\ncron = 'daily'", "sweep.cron: 'daily' is no cron expression"),
        ("[sweep]\ncron = ''", "sweep.cron: '' is no cron expression"),
        ("[sweep]\ncron = '61 4 * * *'", "sweep.cron: '61 4 * * *' is no cron expression (Bad minute)"),
        ("[sweep]\ncron = '0 4 30 2 *'", "sweep.cron: '0 4 30 2 *' is no cron expression"),
        ("[sweep]\ncron = 4", "sweep.cron: 4 is not text"),
        ("[categories.fact]\narchive_after = 90", "categories.fact.archive_after: duration 90 is not text"),
        ("[categories.fact]\narchive_after = '0d'", "categories.fact.archive_after: duration '0d' must be positive"),
        ("[compaction]\ngroup_max = 2", "compaction: group_max 2 lies below group_min 3"),
        ("[compaction]\ndepth_max = -1", "compaction.depth_max: -1 is out of bounds; it must be at least 0"),
        ("[compaction]\nsimilarity = 1.5", "compaction.similarity: 1.5 is out of bounds"),
        ("[compaction]\nlookback = 0", "compaction.lookback: 0 is out of bounds"),
        ("name = 5", "name: 5 is not text"),
        ("[ladders]\narchive = 1", "ladders: there is no such setting; here stand name, time"),
    ],
)
def test_each_fault_has_its_sentence(write: Write, text: str, fault: str) -> None:
    """A table for a value, a value for a table, numbers that are none, words nobody knows."""
    [found] = faults(write(text))
    assert found.split(": ", 1)[1].startswith(fault)
    assert found.startswith("mine.toml:")


def test_a_number_too_large_to_reckon_with_is_a_fault(write: Write) -> None:
    """Where there is no upper bound but that of arithmetic."""
    [found] = faults(write(f"[categories.fact]\ndecay_per_day = 1{'0' * 400}\n"))
    assert "is out of bounds" in found
    assert len(found) < 300


def test_lines_are_counted_as_an_editor_counts_them(write: Write) -> None:
    """Not at every character that some program takes for the end of a line."""
    path = write("# odd \u2028 characters \x85 in \u2029 a comment\n\n[ladder]\narchive = 5\n")
    assert faults(path)[0].startswith("mine.toml:4: ladder.archive")


@each_row(
    ("text", "line"),
    [
        ("ladder = { archive = 5 }\n", 1),
        ("\nladder.archive = 5\n", 2),
        ('\n[ "ladder" ] # the rungs\n\n"archive" = 5\n', 4),
        ("\n[ ladder ]\n'archive'=5\n", 3),
    ],
)
def test_the_line_is_found_however_it_is_written(write: Write, text: str, line: int) -> None:
    """Inline, dotted, quoted, spaced."""
    assert faults(write(text)) == [
        f"mine.toml:{line}: ladder.archive: 5 is out of bounds; it must be at least 0 and at most 1"
    ]


# Ladders


@each_row(
    "ladder",
    ["summarize = 0.1", "detach = 0.4", "archive = 0.2", "detach = 0.05", "summarize = 0.15", "archive = 0.15"],
)
def test_rungs_go_down(write: Write, ladder: str) -> None:
    """Strictly: two rungs at one height are one."""
    [fault] = faults(write(f"[ladder]\n{ladder}\n"))
    assert "the rungs must go down, and summarize" in fault
    assert "does not hold" in fault


@each_row(
    ("text", "found"),
    [
        (
            "[curve]\nname = 'linear'\n",
            ["archive at 0.05 can never be reached: the linear curve never falls below 0.1"],
        ),
        (
            "[curve]\nname = 'linear'\nparameters = { floor = 0.05 }\n",
            ["archive at 0.05 can never be reached: the linear curve never falls below 0.05"],
        ),
        (
            "[curve]\nname = 'linear'\nparameters = { floor = 0.2 }\n",
            [
                "detach at 0.15 can never be reached: the linear curve never falls below 0.2",
                "archive at 0.05 can never be reached: the linear curve never falls below 0.2",
            ],
        ),
        (
            "[curve]\nname = 'relevance'\n",
            ["archive at 0.05 can never be reached: the relevance curve never falls below 0.06"],
        ),
        (
            """
            defaults.tier = 'episodic'
            curve = { name = 'linear', parameters = { floor = 0 } }
            tiers.episodic.parameters = { floor = 0.1 }
            """,
            ["archive at 0.05 can never be reached: the linear curve never falls below 0.1"],
        ),
        ("[ladder]\narchive = 0\n", ["archive at 0 can never be reached: the ebbinghaus curve never falls below 0"]),
    ],
)
def test_a_threshold_that_can_never_be_reached_is_refused_with_both_numbers(
    write: Write, text: str, found: list[str]
) -> None:
    """The mistake of a system in which nothing was ever archived: its floor was its threshold."""
    assert [fault.split(": ", 2)[2] for fault in faults(write(text))] == found


@each_row(
    "text",
    [
        "[curve]\nname = 'linear'\nparameters = { floor = 0.04 }\n",
        "[curve]\nname = 'linear'\n[ladder]\narchive = 0.11\n",
        "[curve]\nname = 'relevance'\n[ladder]\narchive = 0.07\n",
        "[curve]\nname = 'half_life'\n",
        "[curve]\nname = 'stretched'\n",
        "[curve]\nname = 'power'\n",
        "[curve.parameters]\nimportance_shield = 1.0\n",
    ],
)
def test_a_threshold_that_can_be_reached_is_taken(write: Write, text: str) -> None:
    """Just below the rung is enough."""
    assert isinstance(load(write(text)), Policy)


def test_a_policy_in_which_nothing_fades_is_refused(write: Write) -> None:
    """Every rate 0, and a ladder that pretends otherwise."""
    text = "".join(f"[categories.{name}]\ndecay_per_day = 0\n" for name in load().categories)
    assert [fault.split(": ", 2)[2] for fault in faults(write(text))] == [
        f"{rung} can never be reached: the ebbinghaus curve never falls below 0.5"
        for rung in ("summarize at 0.3", "detach at 0.15", "archive at 0.05")
    ]


# Whatever is in the file


scalars = st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=2), max_leaves=3)


def as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    return "inf" if value == math.inf else "-inf" if value == -math.inf else repr(value)


SETTINGS = [
    f"{section.name}.{entry.name}"
    for section in dataclasses.fields(Policy)
    if dataclasses.is_dataclass(getattr(load(), section.name))
    for entry in dataclasses.fields(getattr(load(), section.name))
] + [
    "name",
    "extends",
    "categories.fact.ttl",
    "categories.fact.decay_per_day",
    "categories.fact.archive_after",
    "categories.new.weight",
    "tiers.episodic.slowdown",
    "tiers.semantic.parameters.importance_shield",
    'budgets.scopes."/logs".memories',
    'budgets.scopes."/logs/".tokens',
    'budgets.scopes."/project"',
    "nonsense",
    "curve.x",
]


@given(settings=st.dictionaries(st.sampled_from(SETTINGS), values, max_size=4))
def test_any_file_is_a_policy_or_says_what_is_wrong(tmp_path: Path, settings: dict[str, Any]) -> None:
    """And a policy that was taken can be acted on: its curves stand, its ladder goes down."""
    path = tmp_path / "mine.toml"
    path.write_text("".join(f"{key} = {as_toml(value)}\n" for key, value in settings.items()), "utf-8")
    try:
        policy = load(path)
    except Invalid:
        return
    assert list(faults_of(policy)) == []
    assert policy.curve_of("fact", Tier.SEMANTIC)


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode(errors="surrogatepass")))
def test_any_bytes_are_a_policy_or_an_error_of_ours(tmp_path: Path, content: bytes) -> None:
    """Nothing else comes out of a file."""
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    try:
        load(path)
    except Invalid as error:
        assert str(error)  # noqa: PT017 - either way is right


def test_every_curve_can_be_chosen_with_every_one_of_its_parameters(write: Write) -> None:
    """By the names of its fields, at the values they have anyway; as they stand, where nothing slows them."""
    for name, kind in CURVES.items():
        parameters = {
            entry.name: getattr(kind(), entry.name)
            for entry in dataclasses.fields(kind)
            if (name, entry.name) != ("ebbinghaus", "rate")
        }
        lines = "\n".join(f"{key} = {value}" for key, value in parameters.items())
        rungs = "[ladder]\nsummarize = 0.4\ndetach = 0.3\narchive = 0.2\n"
        policy = load(write(f"{rungs}[curve]\nname = '{name}'\nslowdown = 1\n[curve.parameters]\n{lines}\n"))
        expected = kind(rate=0.16) if name == "ebbinghaus" else kind()
        assert policy.curve_of("fact", Tier.SEMANTIC) == expected
