"""The command match."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import liarsolve.matches.solve as solving
from liarsolve import load_match_values, match_values, presets
from liarsolve.cli.main import main

TINY = "--rules common --faces 2 --dice 2"


def run(capsys, command):
    status = main(["match", *command.split()])
    return status, *capsys.readouterr()


def test_people_see_a_table(capsys):
    status, out, err = run(capsys, "--rules common --dice 2")
    assert (status, err) == (0, "")
    assert out.splitlines()[:7] == [
        "common: the starter's chance of winning the match, in per cent.",
        "",
        "           opponent's dice",
        "starter's      1      2",
        "        1  44.44  20.23",
        "        2  79.86  49.50",
        "",
    ]
    assert "rounds    4 known before, 0 solved" in out.splitlines()


def test_the_page_shows_what_is_printed(capsys):
    page = Path(__file__).parents[3] / "docs" / "matches.md"
    block = next(part for part in page.read_text().split("```") if "opponent's dice" in part)
    _, out, _ = run(capsys, "--rules liars_dice --dice 2")
    assert out.startswith(block.strip())


def test_json_has_every_score(capsys):
    status, out, err = run(capsys, "--rules common --dice 2 --json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    values = match_values(presets.COMMON, dice=2)
    assert {tuple(row["dice"]): row["bounds"] for row in found["scores"]} == {
        score.dice: list(values.bounds(score)) for score in values.scores
    }
    assert found["rules"] == presets.COMMON.replace(dice=2, name="common").to_dict()
    assert (found["out"], found["svg"], found["folder"]) == (None, None, None)


def test_values_are_saved_and_drawn(capsys, tmp_path):
    out, svg, folder = tmp_path / "table.json", tmp_path / "table.svg", tmp_path / "rounds"
    command = f"{TINY} --out {out} --svg {svg} --folder {folder}"
    assert run(capsys, command)[0] == 0
    assert load_match_values(out).bounds((1, 1))[0] > 0
    assert ElementTree.fromstring(svg.read_text()).tag.endswith("svg")
    assert len(list(folder.iterdir())) == 4
    status, _, err = run(capsys, command)
    assert status == 2
    assert err == (
        f"liarsolve match: {out} exists already; choose another file, or add --overwrite\n"
    )
    assert run(capsys, f"{command} --overwrite")[0] == 0


def test_a_table_that_cannot_be_saved_is_still_printed(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    status, out, err = run(capsys, f"--rules common --dice 1 --out {tmp_path}/file/table.json")
    assert status == 1
    assert "44.44" in out
    assert "saved" not in out
    assert err.startswith(f"liarsolve match: {tmp_path}/file/table.json could not be written: ")


def test_rounds_of_the_folder_count_as_known(capsys, tmp_path):
    run(capsys, f"{TINY} --folder {tmp_path}")
    assert "4 known before, 0 solved" in run(capsys, f"{TINY} --folder {tmp_path}")[1]


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_it_fits_the_page(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    status, out, _ = run(capsys, "--rules mia")
    assert status == 0
    assert max(map(len, out.splitlines())) <= columns


def test_where_time_runs_out_the_table_says_so(capsys):
    status, out, err = run(capsys, f"{TINY} --max-seconds 1e-9")
    assert (status, err) == (0, "")
    assert "stopped   the time was over before every round was solved" in out
    assert "0 solved, 4 left unsolved" in out
    assert "0-100" in out


def test_ctrl_c_prints_what_is_known(capsys, monkeypatch):
    def interrupt(job):
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "solve_round", interrupt)
    status, out, _ = run(capsys, TINY)
    assert status == 1
    assert "stopped   interrupted; what was finished is proved" in out


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("--dice 0", "--dice is the number of each player at the start, such as 5, got '0'"),
        ("--dice 2,1", "--dice is the number of each player at the start, such as 5, got '2,1'"),
        (
            "--rules mia --dice 2",
            "mia is a cup game with one hand for all, so --dice would do nothing; say --set "
            "lives=N for other lives",
        ),
        ("--overwrite", "--overwrite needs --out or --svg, the file to replace"),
        ("--target -1", "--target is a number of 0 or more, got -1.0"),
        ("--max-seconds 0", "--max-seconds is a number above 0, got 0"),
        ("--round-seconds nan", "--round-seconds is a number of 0 or more, got nan"),
        ("--out /", "--out / is a folder; name a file"),
        (
            "--rules common --dice 2 --set loss=difference",
            "with loss=difference a round at 1 v 2 has more outcomes than it can be solved for; "
            "use loss=one, or a single die each",
        ),
        (
            "--set min_players=3",
            "min_players=3, but values of matches are of two players; use min_players=2",
        ),
    ],
)
def test_bad_input_is_one_sentence(capsys, command, sentence):
    status, out, err = run(capsys, command)
    assert (status, out) == (2, "")
    assert err == f"liarsolve match: {sentence}\n"


def test_one_file_is_not_written_twice(capsys, tmp_path):
    file = tmp_path / "both"
    words = [
        "match",
        "--rules",
        "liar_die",
        "--out",
        str(file),
        "--svg",
        str(tmp_path / "." / "both"),
    ]
    assert main(words) == 2
    assert "--out and --svg are both" in capsys.readouterr().err
    assert not file.exists()
