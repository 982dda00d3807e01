"""What ``--json`` prints holds to ``schema.json``, and the schema says nothing that never comes."""

import ast
import contextlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import liarsolve.cli
from json_commands import LINES
from liarsolve import BiddingSolution, Recall, presets, solve
from liarsolve.claims import RANKINGS, Category, Truth
from liarsolve.cli._json import load_schema, print_json, schema_commands, schema_of
from liarsolve.cli.main import COMMANDS, build_parser, main
from liarsolve.rules import (
    BIDDING_PRESETS,
    CUP_PRESETS,
    CupOutcomeKind,
    CupRules,
    OutcomeKind,
    RuleSet,
    explain_options,
)
from liarsolve.solvers import BoundedLoss, LowerBound, ProofOutcome, StopReason, Unmeasured
from liarsolve.strategy import Basis
from liarsolve.strategy.cup.situation import Question

ROOT = Path(__file__).parents[3]
SCHEMA = load_schema()
DEFS = SCHEMA["$defs"]
ANSWERS = [reference["$ref"].removeprefix("#/$defs/") for reference in SCHEMA["oneOf"]]
OBJECTS = [name for name, part in DEFS.items() if "properties" in part]
VALIDATOR = Draft202012Validator(SCHEMA)
RARELY_NULL_OR_NOT = {
    ("memory", "n_claims"): "players of these rounds remember all claims",
    ("memory", "n_moves"): "players of these rounds remember all turns",
    ("advise_guide", "doubted_from"): "every preset has claims that are doubted",
}
"""What no quick command line shows both with and without a value, and why."""


def resolve(part):
    """A piece of the schema with what it refers to, its own description first."""
    name = part.get("$ref")
    return part if name is None else resolve(DEFS[name.removeprefix("#/$defs/")]) | part


def may_be_null(part):
    part = resolve(part)
    kinds = part.get("type", [])
    if "anyOf" in part:
        return any(map(may_be_null, part["anyOf"]))
    return None in part.get("enum", []) or (isinstance(kinds, list) and "null" in kinds)


def is_null_only(part):
    return resolve(part).get("type") == "null"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Stored strategies of every kind, by the name that stands for them in a line."""
    folder = tmp_path_factory.mktemp("stored")
    small = presets.COMMON.replace(faces=2)
    coarse = solve(small, (1, 1), abstraction=Recall(1))
    bound = LowerBound(
        value=0.03, lo=0.02, hi=0.04, confidence=0.95, n_deals=9, br_values=(0.04, 0.02), method="x"
    )
    table = solve(small, (1, 1, 1), abstraction=Recall(1), max_iterations=5)
    stored = {
        "bidding": solve(small, (1, 1)),
        "bounded": BiddingSolution(
            replace(coarse.result, certificate=BoundedLoss(coarse.result.certificate, bound))
        ),
        "unmeasured": BiddingSolution(replace(table.result, certificate=Unmeasured())),
        "three": solve(small, (1, 1, 1), max_iterations=5),
        "cup": solve(presets.LIAR_DIE),
        "table": solve(presets.LIAR_DIE, players=3),
    }
    for name, solution in stored.items():
        solution.save(folder / name)
    return {name: str(folder / name) for name in stored}


@pytest.fixture(scope="module")
def printed(folders, tmp_path_factory):
    """What every command line prints, by definition and line."""
    out = tmp_path_factory.mktemp("out")
    texts = {}
    for name, lines in LINES.items():
        for number, line in enumerate(lines):
            words = line.format(out=out / f"{name}{number}", **folders).split()
            stream = io.StringIO()
            with contextlib.redirect_stdout(stream):
                assert main([*words, "--json"]) == 0, line
            texts[name, line] = stream.getvalue()
    return texts


def reports_of(printed, name):
    return {line: json.loads(text) for (of, line), text in printed.items() if of == name}


class Visitor:
    """Which parts of the schema describe something that was printed."""

    def __init__(self):
        self.used = set()
        self.nulls = {}
        """By shared field, or by object and field: whether the value was null, each time."""

    def visit(self, part, value, place):
        name = part.get("$ref", "").removeprefix("#/$defs/")
        if name:
            self.used.add(name)
            self.visit(DEFS[name], value, name)
            return
        for option in part.get("anyOf", ()):
            if VALIDATOR.evolve(schema=option).is_valid(value):
                self.visit(option, value, place)
        for field, about in part.get("properties", {}).items():
            if isinstance(value, dict):
                self.nulls.setdefault(place_of(place, field), set()).add(value[field] is None)
                self.visit(about, value[field], place)
        if isinstance(value, list) and "items" in part:
            for entry in value:
                self.visit(part["items"], entry, place)


def place_of(name, field):
    """A field is the same wherever one definition describes it."""
    shared = DEFS[name]["properties"][field].get("$ref", "").removeprefix("#/$defs/")
    return shared or (name, field)


@pytest.fixture(scope="module")
def visitor(printed):
    visitor = Visitor()
    for name in ANSWERS:
        for report in reports_of(printed, name).values():
            visitor.visit({"$ref": f"#/$defs/{name}"}, report, name)
    return visitor


def test_the_schema_is_one_and_is_named():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["$id"] == "liarsolve/json/1"
    assert DEFS["schema"]["const"] == 1
    heads = [tuple(DEFS[name]["properties"]) for name in ANSWERS]
    assert all(head[:3] == ("schema", "command", "kind") for head in heads)


def test_every_answer_has_lines_and_a_name_of_its_own():
    assert list(LINES) == ANSWERS
    heads = [DEFS[name]["properties"] for name in ANSWERS]
    kinds = [(head["command"]["const"], head["kind"].get("const")) for head in heads]
    assert len(set(kinds)) == len(ANSWERS)
    names = [command if kind is None else f"{command}_{kind}" for command, kind in kinds]
    assert [name.replace("-", "_") for name in names] == ANSWERS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_with_json_is_in_the_schema(command, capsys):
    with pytest.raises(SystemExit):
        build_parser(command).parse_args([command, "--help"])
    assert ("[--json]" in capsys.readouterr().out) == (command in schema_commands())


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_printed_is_valid(printed, name):
    own = VALIDATOR.evolve(schema={"$ref": f"#/$defs/{name}"})
    for line, report in reports_of(printed, name).items():
        problems = [f"{error.json_path}: {error.message}" for error in own.iter_errors(report)]
        assert problems == [], line
        assert VALIDATOR.is_valid(report), line  # so no other answer looks the same


@pytest.mark.parametrize("name", ANSWERS)
def test_every_run_has_the_fields_of_the_schema_in_its_order(printed, name):
    for line, report in reports_of(printed, name).items():
        assert list(report) == list(DEFS[name]["properties"]), line
        assert list(report.items())[:2] == [("schema", 1), ("command", line.split()[0])]


def test_one_object_in_one_line(printed):
    for (_, line), text in printed.items():
        assert text.count("\n") == 1, line
        assert text.startswith('{"schema": 1, "command": '), line
        json.loads(text, parse_constant=pytest.fail)


def test_every_definition_describes_something(visitor):
    assert set(DEFS) - visitor.used == set()


def test_what_may_be_null_is_null_in_some_line_and_not_in_another(visitor):
    fields = [
        (place_of(name, field), part)
        for name in OBJECTS
        for field, part in DEFS[name]["properties"].items()
    ]
    unclear = {
        place
        for place, part in fields
        if may_be_null(part)
        and not is_null_only(part)
        and visitor.nulls.get(place, set()) != {True, False}
    }
    assert unclear == set(RARELY_NULL_OR_NOT)


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_is_closed_and_every_field_described(name):
    part = DEFS[name]
    assert part["type"] == "object"
    assert part["required"] == list(part["properties"])
    assert part["additionalProperties"] is False
    for field, about in part["properties"].items():
        said = resolve(about)["description"]
        assert said[-1] == ".", field
        assert "\n" not in said, field
        assert {"$ref", "type", "enum", "const", "anyOf"} & about.keys(), field
        assert field != "player", "seats count from 1"


@pytest.mark.parametrize(
    ("name", "usual", "all_presets"),
    [("bidding_rules", RuleSet(), BIDDING_PRESETS), ("cup_rules", CupRules(), CUP_PRESETS)],
)
def test_rules_are_those_of_the_library(name, usual, all_presets):
    fields = DEFS[name]["properties"]
    assert list(fields) == list(usual.to_dict())
    for option in explain_options(usual):
        said = fields[option.option]["description"]
        assert said.startswith(option.meaning), option.option
        words = fields[option.option].get("enum")
        if words is not None:
            assert option.values.split(", ") == words, option.option
    for rules in all_presets.values():
        VALIDATOR.evolve(schema=DEFS[name]).validate(rules.to_dict())


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (DEFS["stop"], [reason.name.lower() for reason in StopReason]),
        (DEFS["proof"], [*(outcome.name.lower() for outcome in ProofOutcome), None]),
        (DEFS["advise_bidding"]["properties"]["basis"], [b.name.lower() for b in Basis]),
        (DEFS["advise_cup"]["properties"]["question"], [q.value for q in Question]),
        (DEFS["odds_claim"]["properties"]["truth"], [t.value for t in Truth]),
        (DEFS["category_chance"]["properties"]["category"], [c.value for c in Category]),
        (DEFS["cup_rules"]["properties"]["ranking"], list(RANKINGS)),
        (
            DEFS["ending"]["properties"]["ending"],
            list(dict.fromkeys(kind.value for kind in (*OutcomeKind, *CupOutcomeKind))),
        ),
    ],
)
def test_words_are_those_of_the_library(part, words):
    assert part["enum"] == words


def test_a_number_that_does_not_exist_is_null(capsys):
    report = {"a": float("nan"), "b": [float("inf"), 1.5, (float("-inf"),)], "c": {"d": "inf"}}
    print_json("odds", report, kind="bid")
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail) == {
        "schema": 1,
        "command": "odds",
        "kind": "bid",
        "a": None,
        "b": [None, 1.5, [None]],
        "c": {"d": "inf"},
    }


def test_an_interval_without_end_is_null(printed):
    line = next(line for line in LINES["arena"] if "0.9999999999999999" in line)
    assert reports_of(printed, "arena")[line]["utility"]["hi"] is None


def test_only_one_module_of_the_command_line_writes_json():
    folder = Path(liarsolve.cli.__file__).parent
    writers = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in ("dumps", "dump"):
                writers.add(path.name)
    assert writers == {"_json.py", "_schema_page.py"}  # the latter writes words of the schema


def run_schema(capsys, *words):
    status = main(["schema", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command_prints_the_schema(capsys):
    status, out, err = run_schema(capsys)
    assert (status, err) == (0, "")
    assert json.loads(out) == SCHEMA


@pytest.mark.parametrize("command", ["odds", "rules", "solve", "advise", "arena", "warm-up"])
def test_a_part_stands_alone_and_is_no_larger_than_it_must_be(capsys, printed, command):
    status, out, err = run_schema(capsys, command)
    assert (status, err) == (0, "")
    part = json.loads(out)
    Draft202012Validator.check_schema(part)
    assert part["$id"] == f"liarsolve/json/1/{command}"
    validator = Draft202012Validator(part)
    for (_, line), text in printed.items():
        assert validator.is_valid(json.loads(text)) == (line.split()[0] == command), line
    text = json.dumps(part)
    assert all(f'"#/$defs/{name}"' in text for name in part["$defs"])


def test_a_command_without_json_is_refused(capsys):
    status, out, err = run_schema(capsys, "gamble")
    assert (status, out) == (2, "")
    assert err == (
        "liarsolve schema: COMMAND is one that has --json: odds, rules, solve, advise, match, "
        "arena, values, compact, warm-up; got 'gamble'\n"
    )


def test_the_page_is_in_the_documentation(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    status, out, err = run_schema(capsys, "--page")
    assert (status, err) == (0, "")
    assert out == (ROOT / "docs" / "json.md").read_text(encoding="utf-8"), (
        "COLUMNS=100 liarsolve schema --page > docs/json.md"
    )


def test_the_page_names_every_field(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    page = run_schema(capsys, "--page")[1]
    fields = {field for name in OBJECTS for field in DEFS[name]["properties"]}
    assert [field for field in fields if f"`{field}`" not in page] == []
    assert [name for name in OBJECTS if name not in ANSWERS and f"### {name}\n" not in page] == []


@pytest.mark.parametrize("command", schema_commands())
def test_a_page_fits_narrow_terminals(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "40")
    status, out, _ = run_schema(capsys, command, "--page")
    assert (status, max(map(len, out.splitlines()))) <= (0, 40)


def test_parts_together_are_the_whole():
    answers = [answer for command in schema_commands() for answer in schema_of(command)["oneOf"]]
    assert answers == SCHEMA["oneOf"]
    assert set().union(*(schema_of(command)["$defs"] for command in schema_commands())) == set(DEFS)
