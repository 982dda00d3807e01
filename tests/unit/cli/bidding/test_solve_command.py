import json
import os
import pty
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest

from command_words import replacing
from liarsolve import load, presets, solve, solve_exact
from liarsolve.cli.bidding.opening import format_mixture
from liarsolve.cli.main import main
from liarsolve.errors import StorageError
from liarsolve.rules import Bid, RuleSet
from liarsolve.solvers import VARIANTS, StopReason
from liarsolve.strategy import BiddingSolution

SMALL = "--rules common --faces 3 --dice 1,1"
FIELDS = {
    "rules", "dice", "value_bounds", "exploitability", "nash_conv", "stop", "iterations",
    "seconds", "states", "peak_memory_mb", "folder", "target",
}  # fmt: skip


def run(capsys, command):
    status = main(["solve", *command.split()])
    return status, *capsys.readouterr()


def run_json(capsys, command):
    status, out, err = run(capsys, f"{command} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def test_json_is_one_object_with_the_certificate(capsys):
    report = run_json(capsys, f"{SMALL} --target 1e-4")
    assert set(report) >= FIELDS
    rules = RuleSet.from_dict(report["rules"])
    assert (rules, report["dice"]) == (presets.COMMON.replace(faces=3), [1, 1])
    lower, upper = report["value_bounds"]
    assert lower <= -1 / 9 <= upper
    assert report["nash_conv"] == 2 * report["exploitability"] <= 2e-4
    assert (report["stop"], report["target"], report["folder"]) == ("converged", 1e-4, None)


def test_the_command_is_the_function(capsys):
    expected = solve(presets.COMMON.replace(faces=3), (1, 1), target=1e-4).to_dict()
    report = run_json(capsys, f"{SMALL} --target 1e-4")
    del expected["seconds"]
    assert {key: report[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("--rules liars_dice", "rules"),
        ("--faces 2", "states"),
        ("--set raise_rule=strict", "value_bounds"),
        ("--dice 1,2", "dice"),
        ("--target 1e-6", "iterations"),
        ("--max-iterations 7", "iterations"),
        ("--max-seconds 1e-9", "stop"),
        ("--variant cfr+", "method"),
        ("--palifico", "palifico"),
        ("--set exact_who=next --exact-payoff 2,1", "payoffs"),
        ("--exact", "method"),
    ],
)
def test_every_option_changes_the_result(capsys, option, key):
    base = run_json(capsys, SMALL)
    assert run_json(capsys, replacing(SMALL, option))[key] != base[key]


def test_limits_are_named_in_stop(capsys):
    assert run_json(capsys, f"{SMALL} --max-iterations 2")["stop"] == "iteration_limit"
    assert run_json(capsys, f"{SMALL} --target 1e-9 --max-seconds 0.01")["stop"] == "time_limit"
    report = run_json(capsys, "--rules dudo --faces 4 --dice 1,2 --target 1e-9 --max-memory 700kB")
    assert report["stop"] == "memory_limit"
    assert report["peak_memory_mb"] <= 0.7


def test_memory_bounds_the_linear_program_too(capsys):
    status, out, err = run(capsys, f"{SMALL} --exact --max-memory 1MB")
    assert (status, out) == (1, "")
    assert "needs at least" in err
    assert "1 MB may be used" in err


def test_exact_values_are_proved_on_request(capsys):
    assert run_json(capsys, f"{SMALL} --exact")["exact_value"] is None
    report = run_json(capsys, f"{SMALL} --exact --prove")
    assert (report["exact_value"], report["stop"], report["target"]) == ("-1/9", "exact", None)
    _, out, _ = run(capsys, f"{SMALL} --exact --prove")
    assert "exactly         -1/9, proved in rational arithmetic\n" in out
    assert "linear program" in out
    assert "\nproof " not in out


def test_values_of_rounds_on_a_growing_tree_are_proved_too(capsys):
    _, out, _ = run(capsys, "--rules common --faces 4 --dice 2,1 --prove")
    assert "exactly         345/1696, proved in rational arithmetic\n" in out
    assert "(target 1e-09)" in out
    status, out, _ = run(capsys, "--rules common --faces 4 --dice 2,1 --prove --target 1e-2")
    assert status == 0
    assert "proof           no proof was sought, since the strategies lose " in out
    assert "\nexactly" not in out


@pytest.fixture
def interrupted_proof(monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("liarsolve.solvers.exact.proof.find_exact_weights", interrupt)


@pytest.mark.usefixtures("interrupted_proof")
@pytest.mark.parametrize("option", ["", " --exact"])
def test_a_proof_that_is_interrupted_leaves_the_solution(capsys, tmp_path, option):
    status, out, err = run(capsys, f"{SMALL} --prove --out {tmp_path}/half{option}")
    assert (status, err) == (1, "")
    assert "value           -0.111111112 to -0.111111111" in out
    assert "proof           interrupted before a fraction was proved; the bounds of the" in out
    status, out, err = run(capsys, f"{SMALL} --prove --json{option}")
    assert (status, err, out.count("\n")) == (1, "", 1)
    report = json.loads(out)
    assert (report["proof"], report["exact_value"]) == ("interrupted", None)
    stored = load(tmp_path / "half")
    assert stored.to_dict()["proof"] == "interrupted"
    assert stored.proof.reason == report["proof_reason"]


def test_an_interrupt_while_solving_is_one_of_the_proof_too(capsys, monkeypatch):
    def stop(*arguments, **keywords):
        solution = solve(*arguments, **keywords)
        return replace(solution, result=replace(solution.result, stop=StopReason.INTERRUPTED))

    monkeypatch.setattr("liarsolve.strategy.solve", stop)
    status, out, _ = run(capsys, f"{SMALL} --prove --json")
    assert status == 1
    assert json.loads(out)["proof"] == "interrupted"


def test_what_a_proof_came_to_is_always_said(capsys):
    report = run_json(capsys, SMALL)
    assert (report["proof"], report["proof_reason"]) == (None, None)
    report = run_json(capsys, f"{SMALL} --prove")
    assert (report["proof"], report["exact_value"]) == ("proved", "-1/9")
    report = run_json(capsys, f"{SMALL} --prove --target 1e-2 --max-iterations 3")
    assert (report["proof"], report["exact_value"]) == ("not_found", None)


def test_the_time_covers_solving_and_proof(capsys, monkeypatch):
    class Clock:
        now = 0.0

        def __call__(self):
            return self.now

    clock = Clock()

    def solve_for_a_minute(*arguments, max_seconds, **keywords):
        clock.now += 60.0
        return solve(*arguments, **keywords)

    monkeypatch.setattr("liarsolve.cli.solve.perf_counter", clock)
    monkeypatch.setattr("liarsolve.strategy.solve", solve_for_a_minute)
    report = run_json(capsys, f"{SMALL} --prove --max-seconds 59")
    assert (report["proof"], report["exact_value"]) == ("time_limit", None)
    _, out, _ = run(capsys, f"{SMALL} --prove --max-seconds 59")
    assert "proof           the time was over before a fraction was proved" in out
    assert run_json(capsys, f"{SMALL} --prove --max-seconds 6000")["proof"] == "proved"


def test_a_linear_program_that_takes_too_long_is_given_up(capsys):
    status, out, err = run(capsys, "--rules common --faces 5 --dice 1,1 --exact --max-seconds 0")
    assert (status, out) == (1, "")
    assert "was not solved in the 0 s that it may take; allow more" in err


def test_a_value_of_zero_is_proved(capsys):
    _, out, _ = run(capsys, "--rules perudo --faces 3 --dice 1,1 --exact --prove")
    assert solve_exact(presets.PERUDO.replace(faces=3), (1, 1), prove=True).exact_value == Fraction(
        0
    )
    assert "exactly         0, proved" in out
    assert "\nproof " not in out


def test_a_missing_proof_is_admitted(capsys, monkeypatch):
    for name in ("find_exact_weights", "prove_value"):
        monkeypatch.setattr(f"liarsolve.solvers.exact.proof.{name}", lambda *arguments: None)
    status, out, _ = run(capsys, f"{SMALL} --exact --prove")
    assert status == 0
    assert "proof           no fraction was found that both strategies prove to be" in out
    assert "\nexactly" not in out


def test_text_says_what_is_proved_and_how_to_open(capsys):
    status, out, err = run(capsys, "--rules common --dice 2,1 --target 1e-3 --faces 3")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "common, faces=3: 2 dice against 1"
    headings = [line.split()[0] for line in lines[2:7]]
    assert headings == ["value", "exploitability", "states", "work", "stopped"]
    solution = solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-3)
    printed = lines[2].split()
    lower, upper = solution.value_bounds
    assert lower - 1e-3 < float(printed[1]) <= lower
    assert upper <= float(printed[3]) < upper + 1e-3
    assert "for the first bidder, who wins" in lines[2]
    assert "(target 0.001)" in lines[3]
    assert "of the 512 public states" in lines[4]
    assert lines[6].endswith("the certified exploitability is at or below the target")
    assert "How the first bidder opens" in out
    row = next(line for line in lines if line.split()[:1] == ["1,2"])
    probs = solution.strategy.probs("1,2")
    favourite = max(probs, key=lambda action: probs[action])
    assert row.split()[3] == str(favourite)
    assert f"{100 * probs[favourite]:.0f} %" in row
    assert lines[-2].split()[0] == "all"
    assert max(map(len, lines)) <= 80


def test_worth_of_the_hands_adds_up(capsys):
    _, out, _ = run(capsys, f"{SMALL} --target 1e-5")
    lines = [line.split() for line in out.splitlines()]
    wins = [float(words[1]) for words in lines if words[:1] in (["1"], ["2"], ["3"])]
    total = next(float(words[1]) for words in lines if words[:1] == ["all"])
    assert len(wins) == 3
    assert total == pytest.approx(sum(wins) / 3, abs=0.1)
    assert total == pytest.approx(100 * 4 / 9, abs=0.1)  # the value is -1/9


def test_many_hands_are_cut_to_telling_ones_and_fit_the_screen(capsys):
    status, out, _ = run(capsys, "--rules common --faces 5 --dice 3,1 --max-iterations 2")
    assert status == 0
    assert "How the first bidder opens: 12 of 35 hands" in out
    table = out.split("12 of 35 hands")[1]
    hands = {line.split()[0] for line in table.splitlines() if line.split()[1:2]}
    assert sum("," in hand for hand in hands) == 12
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("columns", [40, 50, 72, 80, 100])
@pytest.mark.parametrize(
    "command",
    [
        f"{SMALL} --max-iterations 2",
        "--rules common --faces 5 --dice 3,1 --max-iterations 2",
        "--rules perudo --faces 2 --dice 6,1 --exact-payoff 2,1 --max-iterations 2",
        "--rules common --faces 2 --dice 1,1,1 --max-iterations 2",
        "--rules common --faces 3 --dice 2,1 --recall 1 --max-iterations 2",
        "--rules common --faces 12 --dice 4,1 --recall 1 --max-jump 1 --max-iterations 1",
        "--rules common --faces 2 --dice 12,1 --max-iterations 1",
    ],
)
def test_what_is_printed_fits_the_page(capsys, monkeypatch, columns, command):
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = run(capsys, command)
    lines = out.splitlines()
    assert max(map(len, lines)) <= columns
    assert not any(line.strip().startswith("%") for line in lines)
    monkeypatch.setenv("COLUMNS", "100")
    _, wide, _ = run(capsys, command)
    words = [w for w in out.split() if w[0].isalpha()]
    assert set(words) <= set(wide.split())  # none is broken
    assert "\N{HORIZONTAL ELLIPSIS}" not in out  # and none is cut


def test_long_hands_take_several_lines(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = run(capsys, "--rules common --faces 12 --dice 4,1 --max-jump 1 --max-iterations 1")
    assert "   10,10,   100.0 %   1x10 100 %\n     11,12\n" in out  # the commas tell dice apart
    _, out, _ = run(capsys, "--rules common --faces 2 --dice 12,1 --max-iterations 1")
    assert "  1111122222   100.0 %   1x1 100 %\n          22\n" in out


def test_bounds_do_not_leave_the_game(capsys):
    report = run_json(capsys, "--rules common --faces 2 --dice 6,1 --max-iterations 1")
    lower, upper = report["value_bounds"]
    assert -1.0 <= lower <= upper <= 1.0
    assert report["br_values"][0] == pytest.approx(1.0)  # whoever has six dice may win all
    _, out, _ = run(capsys, "--rules common --faces 2 --dice 6,1 --max-iterations 1")
    assert "1.01" not in out


def test_long_mixtures_break_between_actions():
    mixture = format_mixture({Bid(q, f): 1 / 12 for q in (1, 2) for f in range(1, 7)})
    first, second = mixture.splitlines()
    assert first == "1x1 8 %, 1x2 8 %, 1x3 8 %, 1x4 8 %, 1x5 8 %, 1x6 8 %,"
    assert second == "2x1 8 %, 2x2 8 %, 2x3 8 %, 2x4 8 %, 2x5 8 %, 2x6 8 %"


def test_other_payoffs_are_values_not_chances(capsys):
    _, out, _ = run(capsys, "--rules perudo --faces 3 --dice 1,1 --exact-payoff 2,1")
    assert " wins " not in out
    assert "hand    value" in out
    _, out, _ = run(capsys, "--rules common --faces 3 --dice 1,1 --palifico")
    assert out.startswith("common, faces=3: 1 die against 1, palifico round\n")


def test_out_saves_what_load_reads(capsys, tmp_path):
    folder = tmp_path / "new" / "strategy"
    report = run_json(capsys, f"{SMALL} --out {folder}")
    assert report["folder"] == str(folder)
    assert load(folder).exploitability == report["exploitability"]
    status, out, err = run(capsys, f"{SMALL} --out {folder} --overwrite --target 1e-5")
    assert (status, err) == (0, "")
    assert f"saved           {folder}," in out
    assert load(folder).exploitability <= 1e-5


@pytest.fixture
def no_solving(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("the solver was started")

    monkeypatch.setattr("liarsolve.strategy.solve", fail)
    monkeypatch.setattr("liarsolve.strategy.solve_exact", fail)


@pytest.mark.usefixtures("no_solving")
def test_folders_are_checked_before_the_work(capsys, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "file").write_text("")
    for out, sentence in (
        ("letters", "letters exists already; choose another folder, or add --overwrite"),
        ("letters --overwrite", "--overwrite replaces only a stored strategy: "),
        ("file/inside", "file is not a folder to write to"),
    ):
        status, printed, err = run(capsys, f"{SMALL} --out {tmp_path}/{out}")
        assert (status, printed, err.count("\n")) == (2, "", 1)
        assert sentence in err


def test_a_result_that_cannot_be_saved_is_printed(capsys, monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise StorageError("the disk is full")

    monkeypatch.setattr(BiddingSolution, "save", refuse)
    status, out, err = run(capsys, f"{SMALL} --json --out {tmp_path}/x")
    assert (status, err) == (1, "liarsolve solve: the disk is full\n")
    assert json.loads(out)["folder"] is None


@pytest.mark.usefixtures("no_solving")
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("", "say how many dice each player has, such as --dice 2,1"),
        ("--dice 2", "takes a number for each of two to 6 players, such as 2,1, got 2"),
        ("--dice 1,1,1,1,1,1,1", "for each of two to 6 players, such as 2,1, got 1,1,1,1,1,1,1"),
        ("--exact --dice 1,1,1", "--exact and --prove are about two players, such as --dice 2,1"),
        ("--dice x", "dice are written as the number of each player, such as 2,1, got 'x'"),
        ("--dice 1,1 --rules comon", "there is no preset 'comon'; did you mean common?"),
        ("--dice 1,1 --set wild=x", "wild=x is not allowed"),
        ("--dice 1,1 --max-memory 4", "--max-memory is a size such as 4GB or 500MB, got '4'"),
        (
            "--rules perudo --dice 1,1 --exact-payoff 2",
            "--exact-payoff is WIN,LOSE, such as 2,1, got '2'",
        ),
        ("--dice 1,1 --prove --recall 2", "so --recall and --prove do not go together"),
        ("--dice 1,1,1 --prove", "--exact and --prove are about two players, such as --dice 2,1"),
        ("--dice 1,1 --overwrite", "--overwrite needs --out"),
        ("--dice 1,1 --exact --target 1e-3", "by linear program, so --target would do nothing"),
        ("--dice 1,1 --exact --max-iterations 3", "so --max-iterations would do nothing"),
        ("--dice 1,1 --exact --variant cfr", "so --variant would do nothing"),
    ],
)
def test_bad_input_is_one_sentence(capsys, command, sentence):
    status, out, err = run(capsys, command)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("liarsolve solve: ")
    assert sentence in err


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--target -1", "target is an exploitability of 0 or more, got -1.0"),
        ("--target nan", "target is an exploitability of 0 or more, got nan"),
        ("--target 0", "target 0 is never reached exactly"),
        ("--max-iterations 0", "--max-iterations must be more than 0, got 0"),
        ("--variant best", "there is no CFR variant 'best'; choose one of cfr, cfr+"),
        (
            "--set exact_who=next --exact-payoff inf,1",
            "a payoff must be a finite number, got exact_right=inf",
        ),
        ("--dice 0,1", "each player needs a die, got 0,1; a player without dice has lost"),
    ],
)
def test_what_the_solver_refuses_is_one_sentence(capsys, option, sentence):
    status, out, err = run(capsys, replacing(SMALL, option))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_names_of_checkpoints_that_are_none_are_refused(capsys):
    assert main(["solve", "--resume", 300 * "a"]) == 2
    assert "aaa... cannot be read: File name too long" in capsys.readouterr().err
    assert main(["solve", "--resume", ""]) == 2
    assert "there is no checkpoint in ''" in capsys.readouterr().err


def test_an_option_that_is_close_to_none_gets_no_suggestion(capsys):
    with pytest.raises(SystemExit):
        main(["solve", "--dice", "2,1", "--threads", "3"])
    assert "unrecognized arguments: --threads 3\n" in capsys.readouterr().err


def test_words_that_are_no_numbers_are_refused_by_name(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["solve", "--dice", "1,1", "--target", "small"])
    assert stopped.value.code == 2
    assert (
        "argument --target: a number is wanted, such as 1e-3 or 60, got 'small'"
        in capsys.readouterr().err
    )


def test_help_names_every_variant(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["solve", "--help"])
    out = capsys.readouterr().out
    assert stopped.value.code == 0
    assert all(name in out for name in VARIANTS)
    assert max(map(len, out.splitlines())) <= 82


def test_a_stopped_solve_prints_what_it_has_and_fails(capsys, monkeypatch):
    def stop(progress):
        if progress.iteration >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(
        "liarsolve.strategy.solve",
        lambda *args, **keywords: solve(*args, **keywords | {"on_progress": stop}),
    )
    status, out, err = run(capsys, f"{SMALL} --target 1e-9 --json")
    assert (status, err) == (1, "")
    report = json.loads(out)
    assert (report["stop"], report["iterations"]) == (StopReason.INTERRUPTED.name.lower(), 3)
    assert 0 < report["exploitability"] < 1


def test_ctrl_c_in_a_terminal():
    """The real thing: progress on the terminal, the certificate on standard output."""
    terminal, far_end = pty.openpty()
    # Larger rounds are stored in float32, whose kernels may have to be compiled first.
    round_ = ["--rules", "perudo", "--dice", "2,1", "--faces", "5"]
    command = [sys.executable, "-m", "liarsolve", "solve", *round_]
    process = subprocess.Popen(
        [*command, "--target", "1e-12", "--max-seconds", "60"],
        stdout=subprocess.PIPE,
        stderr=far_end,
        text=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(far_end)
    seen, is_solving = bytearray(), threading.Event()

    def read_all():
        """Until the command ends: it waits for room where nobody reads what it shows."""
        with suppress(OSError):  # of a terminal whose other end is closed
            while part := os.read(terminal, 4096):
                seen.extend(part)
                if b"states" in seen:
                    is_solving.set()

    reader = threading.Thread(target=read_all)
    reader.start()
    is_solving.wait(60)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    reader.join()
    os.close(terminal)
    assert b"starting" in seen
    assert b"of 1e-12" in seen
    assert process.returncode == 1
    assert "stopped         interrupted before the target" in out
    assert "How the first bidder opens" in out
    assert "\x1b" not in out
