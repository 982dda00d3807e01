"""The page on the rules has every clause that a message, a docstring or a test names.

``python tests/unit/rules/test_docs.py`` writes docs/clauses.md anew.
"""

import ast
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


def test_every_preset_is_something_that_people_play():
    table = PAGE.partition("## What people play")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    listed = [row[1].strip("`") for row in rows]
    assert len(listed) == len(set(listed))
    plain = {"perudo", "liars_dice", "common"}  # they have a section, or are played in papers
    assert set(listed) | plain == set(PRESETS)


HEAD = """# Clauses and their tests

Every clause of [the rules](rules.md), with tests that hold the program to it. A test names the
clause, or is named after it; others may hold it too.

| clause | tests |
|---|---|
"""
CLAUSES = ROOT / "docs" / "clauses.md"
_MOST_LISTED = 2


def iter_rule_tests():
    """Every test of the rules: its file, its name and its text."""
    for folder in ("unit/rules", "reference", "golden", "oracle", "unit/odds", "unit/claims"):
        for path in sorted((ROOT / "tests" / folder).rglob("test_*.py")):
            text = path.read_text(encoding="utf-8")
            lines = text.splitlines()
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                    body = "\n".join(lines[first - 1 : node.end_lineno])
                    yield path.relative_to(ROOT / "tests").as_posix(), node.name, body


def names_clause(clause, name, body):
    """Whether a test is named after a clause, as in test_pe_q1, or names it in its text."""
    family, sign, number = clause[:2].lower(), clause[2], clause[3:]
    spelled = rf"test_(\w+_)?{family}_{'q' if sign == '?' else ''}{number}(_|$)"
    if re.match(spelled, name):
        return 2
    return 1 if re.search(rf"{re.escape(clause)}(?![0-9a-z])", body) else 0


def clauses_page():
    """The table, with tests named after a clause before those that name it in their text."""
    tests = [entry for entry in iter_rule_tests() if entry[0] != "unit/rules/test_docs.py"]
    rows = []
    for clause in DEFINED:
        found = [(names_clause(clause, name, body), path, name) for path, name, body in tests]
        best = sorted((-weight, path, name) for weight, path, name in found if weight)
        listed = [f"`{path}::{name}`" for _, path, name in best[:_MOST_LISTED]]
        rows.append(f"| {clause} | {'<br>'.join(listed)} |\n")
    return HEAD + "".join(rows)


def test_every_clause_has_a_test_that_names_it():
    bodies = {f"{path}::{name}": (name, body) for path, name, body in iter_rule_tests()}
    rows = re.findall(r"^\| (\S+) \| (.+) \|$", CLAUSES.read_text(encoding="utf-8"), re.MULTILINE)
    assert [clause for clause, _ in rows[1:]] == DEFINED
    for clause, cell in rows[1:]:
        for test in re.findall(r"`([^`]+)`", cell):
            assert names_clause(clause, *bodies[test]), f"{test} does not name {clause}"
        assert "::" in cell, f"no test names {clause}"


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


if __name__ == "__main__":
    CLAUSES.write_text(clauses_page(), encoding="utf-8")
