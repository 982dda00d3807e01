"""The command report."""

import json

import pytest

from liarsolve import load, presets, solve
from liarsolve.cli.main import main
from liarsolve.report.browser import bidding, make_page


def run(capsys, *words):
    status = main(["report", *map(str, words)])
    return status, *capsys.readouterr()


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    solve(presets.COMMON.replace(faces=2), (2, 1), target=1e-2).save(folder / "small")
    solve(presets.LIAR_DIE).save(folder / "cup")
    solve(presets.LIAR_DIE, players=3).save(folder / "table")
    (folder / "plain").mkdir()
    return folder


@pytest.mark.parametrize(("name", "kind"), [("small", "bidding"), ("cup", "cup")])
def test_json_says_what_was_written(capsys, stored, tmp_path, name, kind):
    path = tmp_path / "page.html"
    status, out, err = run(capsys, stored / name, "--html", path, "--json")
    assert (status, err) == (0, "")
    report, solution = json.loads(out), load(stored / name)
    page = make_page(solution)
    assert path.read_text(encoding="utf-8") == page.html
    assert report.pop("seconds") > 0.0
    assert report == {
        "schema": 1,
        "command": "report",
        "kind": kind,
        "rules": solution.rules.to_dict(),
        "dice": [2, 1] if kind == "bidding" else [1],
        "folder": str(stored / name),
        "file": str(path),
        "bytes": path.stat().st_size,
        "places": page.n_written,
        "min_reach": 0.0,
        "has_values": True,
    }


def test_people_see_what_was_written(capsys, stored, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    path = tmp_path / "page.html"
    status, out, err = run(capsys, stored / "small", "--html", path, "--min-reach", 0.2)
    assert (status, err) == (0, "")
    page = make_page(load(stored / "small"), min_reach=0.2)
    assert path.read_text(encoding="utf-8") == page.html
    assert (
        f"places {page.n_written} to look at, where play comes with a chance of 0.2 or more work "
    ) in " ".join(out.split())
    assert max(len(line) for line in out.splitlines() if str(tmp_path) not in line) <= 40


def test_values_may_be_left_out(capsys, stored, tmp_path):
    path = tmp_path / "page.html"
    status, out, _ = run(capsys, stored / "small", "--html", path, "--no-values", "--json")
    assert (status, json.loads(out)["has_values"]) == (0, False)
    assert path.read_text("utf-8") == make_page(load(stored / "small"), values=False).html


def test_a_file_is_replaced_only_when_asked(capsys, stored, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("mine")
    status, _, err = run(capsys, stored / "small", "--html", path)
    assert (status, path.read_text()) == (2, "mine")
    assert "exists already; choose another file, or add --overwrite" in err
    assert run(capsys, stored / "small", "--html", path, "--overwrite")[0] == 0
    assert path.read_text() != "mine"


def test_a_page_that_would_be_too_large_names_the_option(capsys, stored, tmp_path, monkeypatch):
    monkeypatch.setattr(bidding, "MOST_BYTES", 100)
    status, out, err = run(capsys, stored / "small", "--html", tmp_path / "page.html")
    assert (status, out) == (2, "")
    assert err.endswith("; raise --min-reach\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("{0}/none --html {1}/p.html", "there is no folder"),
        ("{0}/plain --html {1}/p.html", "is not a liarsolve strategy"),
        ("{0}/table --html {1}/p.html", "liar_die for 3 players, and pages are made of cup games"),
        ("{0}/cup --html {1}/p.html --no-values", "--no-values is about rounds of bidding"),
        ("{0}/small --html {1}", "is a folder"),
        ("{0}/small --html {1}/none/p.html", "and there is no folder"),
        ("{0}/small --html /dev/null --overwrite", "/dev/null is no ordinary file"),
        ("{0}/small --html=", "--html names the file to write"),
        ("{0}/small --html {1}/p.html --min-reach 2", "is a chance from 0 to 1, got 2.0"),
        ("{0}/small --html {1}/p.html --min-reach nan", "is a chance from 0 to 1, got nan"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, stored, tmp_path, command, complaint):
    status, out, err = run(capsys, *command.format(stored, tmp_path).split())
    assert (status, out) == (2, "")
    assert err.startswith("liarsolve report: ")
    assert complaint in " ".join(err.split())
    assert list(tmp_path.iterdir()) == []


def test_no_page_is_written_into_the_strategy(capsys, tmp_path):
    folder = tmp_path / "strategy"
    solve(presets.COMMON.replace(faces=2), (1, 1)).save(folder)
    manifest = folder / "manifest.json"
    before = manifest.read_bytes()
    assert main(["report", str(folder), "--html", str(manifest), "--overwrite"]) == 2
    assert "which lies in" in capsys.readouterr().err
    assert manifest.read_bytes() == before
