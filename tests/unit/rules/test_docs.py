"""The page on the rules has every clause that a message, a docstring or a test names."""

import re
from pathlib import Path

import pytest

from liarsolve.errors import RuleError
from liarsolve.rules import (
    BIDDING_PRESETS,
    PRESETS,
    CupRules,
    RuleSet,
    cup_option_values,
    explain_options,
    option_values,
)

ROOT = Path(__file__).parents[3]
CLAUSE = re.compile(r"\b(?:CL|BX|LC|DD|PE|LD)[.?]\d+[a-z]?\b")
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
DEFINED = re.findall(rf"^\| ({CLAUSE.pattern}) \|", PAGE, flags=re.MULTILINE)


def named_clauses(folder):
    for path in sorted((ROOT / folder).rglob("*.py")):
        for clause in CLAUSE.findall(path.read_text(encoding="utf-8")):
            yield clause, path


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_every_clause_that_is_named_is_on_the_page(folder):
    named = {(clause, path.name) for clause, path in named_clauses(folder)}
    missing = {(clause, name) for clause, name in named if clause not in DEFINED}
    assert missing == set()
    assert len({clause for clause, _ in named}) > 40


def test_no_clause_is_on_the_page_twice():
    assert len(DEFINED) == len(set(DEFINED))


def test_the_values_that_the_page_names_exist():
    named = re.findall(r"`(\w+)=(\w+)`", PAGE)
    assert len(named) > 20
    for option, value in named:
        assert any(takes(rules, option, value) for rules in (RuleSet(), *PRESETS.values()))


def takes(rules, option, value):
    try:
        return rules.replace(**{option: value}) is not None
    except RuleError:
        return False


@pytest.mark.parametrize(
    "rules", [RuleSet(name="own"), CupRules(name="cup"), *PRESETS.values()], ids=lambda r: r.name
)
def test_every_option_is_explained(rules):
    is_bidding = isinstance(rules, RuleSet)
    values = option_values() if is_bidding else cup_option_values()
    options = explain_options(rules)
    assert {entry.option: entry.values for entry in options} == values
    for entry in options:
        assert entry.family == ("bidding" if is_bidding else "cup")
        assert entry.meaning[0].isupper()
        assert entry.meaning.endswith(".")
        assert set(entry.clauses) <= set(DEFINED)
    assert rules.from_dict({entry.option: entry.value for entry in options}) == rules
    assert rules.from_dict({entry.option: entry.default for entry in options}) == type(rules)()


def test_presets_of_the_page_are_those_of_the_program():
    headings = re.findall(r"^## [A-Z]+: `(\w+)`$", PAGE, flags=re.MULTILINE)
    assert headings == ["perudo", "liars_dice", "classic", "box", "liar_cards", "doubtful_dice"]
    assert set(headings) <= set(PRESETS)
    assert set(headings) & set(BIDDING_PRESETS) == {"perudo", "liars_dice"}


MATCH_OPTIONS = [
    "dice",
    "lives",
    "loss",
    "exact_win",
    "exact_fail",
    "gain_cap",
    "exact_bid_bonus",
    "palifico",
    "next_starter",
    "starter_if_out",
    "extra_life",
    "end",
    "min_players",
]


def test_the_page_lists_the_options_of_matches_with_all_values_and_the_default():
    section = PAGE.partition("## Matches\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", section, flags=re.MULTILINE)
    assert [option for option, _ in rows] == MATCH_OPTIONS
    entries = {entry.option: entry for entry in explain_options(RuleSet(name="own"))}
    for option, values in rows:
        entry, quoted = entries[option], re.findall(r"`(\w+)`", values)
        allowed = [word for word in entry.values.split(", ") if word.isidentifier()]
        assert sorted(quoted) == sorted(allowed)
        assert values.replace("`", "").startswith(f"**{entry.default}**")
