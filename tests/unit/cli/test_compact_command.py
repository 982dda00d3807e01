"""The command compact."""

import json
import shutil
from collections import namedtuple

import pytest

from liarsolve import Recall, compact, load, presets, solve
from liarsolve.cli.main import main
from liarsolve.rules import RuleSet

RULES = presets.COMMON.replace(faces=3)


def run(capsys, *words):
    status = main(["compact", *map(str, words)])
    return status, *capsys.readouterr()


def size(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compact")
    solve(RULES, (2, 1), target=1e-3).save(folder / "large")
    solve(RULES, (2, 1), abstraction=Recall(1), max_iterations=5).save(folder / "recall")
    solve(RULES.replace(faces=2), (1, 1, 1), max_iterations=5).save(folder / "three")
    solve(presets.LIAR_DIE).save(folder / "cup")
    (folder / "plain").mkdir()
    return folder


@pytest.mark.parametrize("name", ["large", "recall", "three"])
def test_json_says_size_and_loss_before_and_after(capsys, stored, tmp_path, name):
    status, out, err = run(capsys, stored / name, tmp_path / "s", "--json", "--bits", 8)
    assert (status, err) == (0, "")
    report, solution, small = json.loads(out), load(stored / name), load(tmp_path / "s")
    head = ["schema", "command", "kind"]
    assert list(report) == [*head, "rules", "dice", "cutoff", "bits", "before", "after", "seconds"]
    assert RuleSet.from_dict(report["rules"]) == solution.rules
    assert report["dice"] == list(solution.dice)
    assert (report["cutoff"], report["bits"]) == (1e-3, 8)
    for side, held, folder in (
        ("before", solution, stored / name),
        ("after", small, tmp_path / "s"),
    ):
        expected = held.exploitability
        assert report[side]["exploitability"] == expected
        assert report[side]["nash_conv"] == held.nash_conv
        assert report[side]["bytes"] == size(folder)
        assert report[side]["states"] == held.n_states
        assert report[side]["folder"] == str(folder)
    assert report["after"]["bytes"] < report["before"]["bytes"]
    assert small.nash_conv == compact(solution, bits=8).nash_conv  # measured anew


def test_people_see_size_and_loss(capsys, stored, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    status, out, err = run(capsys, stored / "large", tmp_path / "small", "--cutoff", "0.01")
    assert (status, err) == (0, "")
    joined = " ".join(out.split())
    solution, small = load(stored / "large"), load(tmp_path / "small")
    assert joined.startswith("common, faces=3: 2 dice against 1 size ")
    assert (
        f"exploitability {solution.exploitability:.3g} before, {small.exploitability:.3g} after, "
        "measured in the true game"
    ) in joined
    assert "stored 16 bits each, none below 0.01" in joined
    short = [line for line in out.splitlines() if str(tmp_path) not in line]
    assert max(map(len, short)) <= 40


def test_options_change_the_copy(capsys, stored, tmp_path):
    sizes = {}
    for name, options in (("a", []), ("b", ["--bits", 8]), ("c", ["--cutoff", 0.2])):
        run(capsys, stored / "large", tmp_path / name, *options)
        sizes[name] = load(tmp_path / name).n_bytes_stored
    assert sizes["b"] < sizes["a"] > sizes["c"]


def test_a_folder_is_replaced_only_when_asked(capsys, stored, tmp_path):
    target = tmp_path / "small"
    run(capsys, stored / "large", target)
    status, out, err = run(capsys, stored / "large", target, "--bits", 8)
    assert (status, out) == (2, "")
    assert "exists already; choose another folder, or add --overwrite" in err
    assert str(load(target).result.strategy[0].dtype) == "uint16"
    status, _, err = run(capsys, stored / "large", target, "--bits", 8, "--overwrite")
    assert (status, err) == (0, "")
    assert str(load(target).result.strategy[0].dtype) == "uint8"


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("{0}/none {1}/out", "there is no folder"),
        ("{0}/cup {1}/out", "holds the cup game liar_die, not bidding"),
        ("{0}/plain {1}/out", "is not a liarsolve strategy"),
        ("{0}/large {0}/large --overwrite", "the folder that is copied; choose another"),
        ("{0}/large {0}/large/in --overwrite", "the folder that is copied; choose another"),
        ("{0}/large {0}/plain", "exists already"),
        ("{0}/large {0}/plain --overwrite", "--overwrite replaces only a stored strategy"),
        ("{0}/large {1}/out --cutoff 0.5", "--cutoff is a probability below 0.5, got 0.5"),
        ("{0}/large {1}/out --cutoff nan", "--cutoff is a probability below 0.5, got nan"),
        ("{0}/large {1}/out --bits 4", "--bits is 8 or 16, got 4"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, stored, tmp_path, command, complaint):
    status, out, err = run(capsys, *command.format(stored, tmp_path).split())
    assert (status, out) == (2, "")
    assert err.startswith("liarsolve compact: ")
    assert complaint in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("folders", "name"), [(("", "out"), "FOLDER"), (("large", " "), "OUT")])
def test_an_empty_name_is_no_folder(capsys, folders, name):
    status, out, err = run(capsys, *folders)
    assert (status, out) == (2, "")
    assert err.startswith(f"liarsolve compact: {name} is the name of a folder, such as small, got ")


def test_a_full_disk_is_a_failure(capsys, stored, tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1, 1, 1000))
    status, out, err = run(capsys, stored / "large", tmp_path / "small")
    assert (status, out) == (1, "")
    assert "the strategy takes " in err
    assert "has 1 kB free" in err
