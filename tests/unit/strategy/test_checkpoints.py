"""Checkpoints: a solve that was killed goes on, and ends with the same bits."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, SimilarHands, presets, resume, solve
from liarsolve.cli.main import main
from liarsolve.errors import InputError, InputTypeError, StorageError
from liarsolve.solvers import StopReason
from liarsolve.strategy.checkpoints import (
    CheckpointWarning,
    list_checkpoints,
    read_checkpoint,
)

RULES = presets.LIARS_DICE.replace(faces=3)
DICE = (2, 1)


class PlugPulledError(Exception):
    """Stands for a crash in the middle of a solve."""


def break_off(folder, *, after, rules=RULES, dice=DICE, **options):
    """Solve with a checkpoint after every iteration, and crash."""

    def crash(progress):
        if progress.iteration >= after:
            raise PlugPulledError

    with pytest.raises(PlugPulledError):
        solve(rules, dice, checkpoint=folder, checkpoint_seconds=0, on_progress=crash, **options)


def assert_same_bits(one, other):
    assert one.result.iterations == other.result.iterations
    assert one.result.certificate == other.result.certificate
    assert one.stop is other.stop
    for a, b in zip(one.result.strategy, other.result.strategy, strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(one.result.tree.node, other.result.tree.node)


@pytest.mark.parametrize("variant", ["discounted", "cfr+", "predictive+"])
@pytest.mark.parametrize("after", [2, 7, 30])
def test_a_resumed_solve_ends_with_the_bits_of_an_unbroken_one(tmp_path, variant, after):
    options = {"target": 1e-3, "variant": variant}
    unbroken = solve(RULES, DICE, **options)
    break_off(tmp_path / "c", after=after, **options)
    resumed = resume(tmp_path / "c")
    assert unbroken.result.iterations > after
    assert_same_bits(unbroken, resumed)


def test_what_linear_programs_found_survives_a_break(tmp_path, monkeypatch):
    # Two programs at a time are not enough here, but better than CFR for a while.
    monkeypatch.setattr("liarsolve.solvers.two_player.solve._POLISH_SHARE", 0.0)
    options = {"target": 1e-15, "max_iterations": 1_500}
    unbroken = solve(RULES, DICE, **options)
    assert unbroken.result.method == "discounted, then lp"
    break_off(tmp_path / "c", after=1_300, **options)
    with monkeypatch.context() as patch:  # what is returned was found before the break
        patch.setattr("liarsolve.solvers.two_player.solve._POLISH_AGAIN", 0.0)
        resumed = resume(tmp_path / "c")
    assert_same_bits(unbroken, resumed)
    assert resumed.result.method == unbroken.result.method


def test_a_large_round_resumes_to_the_same_bits_with_another_number_of_threads(tmp_path):
    options = {"rules": presets.COMMON, "dice": (2, 2), "target": 3e-2}
    unbroken = solve(**options, n_threads=1)
    break_off(tmp_path / "c", after=12, **options)
    assert_same_bits(unbroken, resume(tmp_path / "c", n_threads=2))


@pytest.mark.parametrize("variant", ["discounted", "predictive+"])
@pytest.mark.parametrize("after", [3, 40])
def test_more_players_resume_to_the_same_bits(tmp_path, variant, after):
    rules = presets.PERUDO.replace(faces=3)
    options = {"rules": rules, "dice": (1, 1, 1), "variant": variant, "target": 1e-3}
    unbroken = solve(**options)
    break_off(tmp_path / "c", after=after, **options)
    assert unbroken.result.iterations > after
    assert_same_bits(unbroken, resume(tmp_path / "c"))


def test_more_players_return_their_best_after_a_break_too(tmp_path):
    rules = presets.PERUDO.replace(faces=4)
    options = {"rules": rules, "dice": (1, 1, 1), "variant": "discounted", "target": 0.0}
    options |= {"max_iterations": 110}
    measured = []
    unbroken = solve(**options, on_progress=lambda p: measured.append((p.distance, p.iteration)))
    best = min(measured)[1]
    assert best < 100
    break_off(tmp_path / "c", after=best + 1, **options)
    assert_same_bits(unbroken, resume(tmp_path / "c"))


@pytest.mark.parametrize(
    "abstraction", [Recall(1), Recall(2) & MaxJump(3), Recall(2) & SimilarHands(1)], ids=str
)
@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1)])
def test_imperfect_recall_resumes_to_the_same_bits(tmp_path, abstraction, dice):
    options = {"abstraction": abstraction, "target": 0.0, "max_iterations": 60}
    unbroken = solve(RULES, dice, **options)
    break_off(tmp_path / "c", after=21, dice=dice, **options)
    resumed = resume(tmp_path / "c")
    assert_same_bits(unbroken, resumed)
    assert resumed.result.tree.abstraction == abstraction


def test_a_solve_that_forgets_and_was_stopped_by_the_clock_goes_on(tmp_path, ticks):
    options = {"abstraction": Recall(2), "target": 0.0, "max_seconds": 500}
    stopped = solve(presets.COMMON, (2, 2), checkpoint=tmp_path / "c", **options)
    resumed = resume(tmp_path / "c", max_seconds=500)
    assert resumed.result.iterations > stopped.result.iterations
    assert resumed.result.seconds > stopped.result.seconds  # of both parts together


def test_a_long_solve_goes_on_for_a_short_time(tmp_path, ticks):
    # What is kept for the last measurement is a share of the new seconds, not of the old ones too.
    options = {"abstraction": Recall(2), "target": 0.0, "max_iterations": 4}
    solve(presets.COMMON, (2, 2), checkpoint=tmp_path / "c", **options)
    (last,) = list_checkpoints(tmp_path / "c")
    manifest = json.loads((last / "manifest.json").read_text()) | {"crc32": None}
    manifest["state"]["seconds"] = 10_000.0
    (last / "manifest.json").write_text(json.dumps(manifest))
    resumed = resume(tmp_path / "c", max_seconds=500, max_iterations=10_000)
    assert resumed.result.iterations > 6


def test_a_checkpoint_of_another_shape_is_refused(tmp_path):
    break_off(tmp_path / "c", after=5, abstraction=Recall(1))
    (last,) = list_checkpoints(tmp_path / "c")
    manifest = json.loads((last / "manifest.json").read_text()) | {"crc32": None}
    manifest["settings"]["abstraction"]["recall"] = 2
    (last / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StorageError, match=r"the checkpoint in .* is damaged: "):
        resume(tmp_path / "c")


def test_kill_at_any_moment_loses_at_most_one_interval(tmp_path):
    folder = tmp_path / "c"
    code = (
        "from liarsolve import presets, solve\n"
        f"solve(presets.COMMON, (2, 1), target=1e-7, checkpoint={str(folder)!r},"
        " checkpoint_seconds=0.05)"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    seen = set()
    for _ in range(6000):  # until a few are written, and as likely as not while one more is
        seen.update(path.name for path in list_checkpoints(folder))
        if len(seen) > 3:
            break
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert list_checkpoints(folder)
    reached = int(list_checkpoints(folder)[-1].name.removeprefix("checkpoint-"))
    resumed = resume(folder, target=0.0, max_iterations=40)
    unbroken = solve(presets.COMMON, (2, 1), target=1e-7, max_iterations=reached + 40)
    assert_same_bits(unbroken, resumed)
    assert len(list(folder.iterdir())) == 1  # nothing half-written stays behind


def test_checkpoints_are_removed_when_the_solve_ends_by_itself(tmp_path):
    folder = tmp_path / "c"
    solve(RULES, DICE, target=1e-2, checkpoint=folder, checkpoint_seconds=0)
    assert not folder.exists()


def test_a_solve_stopped_by_a_limit_can_go_on(tmp_path):
    folder = tmp_path / "c"
    unbroken = solve(RULES, DICE, target=1e-3)
    stopped = solve(
        RULES, DICE, target=1e-3, max_iterations=20, checkpoint=folder, checkpoint_seconds=1e6
    )
    assert stopped.stop is StopReason.ITERATION_LIMIT
    assert_same_bits(unbroken, resume(folder, max_iterations=None))
    assert not folder.exists()


def test_new_seconds_count_from_now(tmp_path, ticks):
    folder = tmp_path / "c"
    solve(RULES, DICE, target=0, max_seconds=500, checkpoint=folder)
    before = int(list_checkpoints(folder)[-1].name.removeprefix("checkpoint-"))
    resumed = resume(folder, max_seconds=500)
    assert resumed.stop is StopReason.TIME_LIMIT
    assert resumed.result.iterations > 1.1 * before  # not one more, because the second was over


def test_only_the_last_checkpoint_is_kept(tmp_path):
    break_off(tmp_path / "c", after=20)
    assert len(list_checkpoints(tmp_path / "c")) == 1


def test_an_interrupted_solve_keeps_its_checkpoint(tmp_path):
    def interrupt(progress):
        if progress.iteration >= 10:
            raise KeyboardInterrupt

    folder = tmp_path / "c"
    solution = solve(
        RULES, DICE, target=1e-6, checkpoint=folder, checkpoint_seconds=0, on_progress=interrupt
    )
    assert solution.stop is StopReason.INTERRUPTED
    assert list_checkpoints(folder)


def test_resume_takes_new_limits(tmp_path):
    break_off(tmp_path / "c", after=10, target=1e-6)
    assert resume(tmp_path / "c", target=1e-2).stop is StopReason.CONVERGED
    break_off(tmp_path / "d", after=10, target=1e-6)
    assert resume(tmp_path / "d", max_iterations=30).stop is StopReason.ITERATION_LIMIT


def test_interval_decides_how_often_checkpoints_are_written(tmp_path):
    solution = solve(RULES, DICE, target=1e-2, checkpoint=tmp_path / "c", checkpoint_seconds=1e6)
    assert solution.stop is StopReason.CONVERGED
    assert not (tmp_path / "c").exists()  # never written: nothing to remove


def test_solve_refuses_the_checkpoint_of_another_solve(tmp_path):
    break_off(tmp_path / "c", after=5)
    with pytest.raises(StorageError, match="holds the checkpoint of another solve; resume it"):
        solve(RULES, DICE, checkpoint=tmp_path / "c")


def test_resume_needs_a_checkpoint(tmp_path):
    with pytest.raises(StorageError, match="there is no checkpoint in"):
        resume(tmp_path / "none")


def test_resume_refuses_what_is_not_a_limit(tmp_path):
    break_off(tmp_path / "c", after=5)
    with pytest.raises(InputTypeError, match="takes no dice"):
        resume(tmp_path / "c", dice=2)


def test_a_negative_interval_is_refused(tmp_path):
    with pytest.raises(InputError, match="checkpoint_seconds must be 0 or more, got -1"):
        solve(RULES, DICE, checkpoint=tmp_path / "c", checkpoint_seconds=-1)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    break_off(tmp_path / "c", after=5)
    (last,) = list_checkpoints(tmp_path / "c")
    array = last / "tree0_cum_regret_0.npy"
    content = bytearray(array.read_bytes())
    content[-3] ^= 1
    array.write_bytes(content)
    with pytest.raises(StorageError, match="its checksum is not that of the manifest"):
        resume(tmp_path / "c")
    manifest = json.loads((last / "manifest.json").read_text()) | {"crc32": None}
    del manifest["settings"]
    (last / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StorageError, match="damaged"):
        resume(tmp_path / "c")


def test_the_command_resumes(tmp_path, capsys):
    break_off(tmp_path / "c", after=5, target=1e-3)
    assert main(["solve", "--resume", str(tmp_path / "c"), "--target", "1e-2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["stop"] == "converged"
    assert report["dice"] == list(DICE)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--resume", "gone"], "there is no checkpoint in 'gone'"),
        (["--dice", "1,1", "--checkpoint-seconds", "5"], "needs --checkpoint"),
        (["--dice", "1,1", "--exact", "--checkpoint", "c"], "so --checkpoint would do nothing"),
    ],
)
def test_the_command_refuses_what_would_do_nothing(arguments, sentence, capsys):
    assert main(["solve", *arguments]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("limit", [{"max_iterations": 20}, {"max_seconds": 1e-6}])
def test_a_spent_limit_is_let_go(tmp_path, limit):
    folder = tmp_path / "c"
    stopped = solve(RULES, DICE, target=1e-3, checkpoint=folder, **limit)
    assert stopped.stop in (StopReason.ITERATION_LIMIT, StopReason.TIME_LIMIT)
    (spent,) = limit
    assert read_checkpoint(folder).spent == spent
    assert resume(folder).stop is StopReason.CONVERGED


def test_new_iterations_count_from_now(tmp_path):
    folder = tmp_path / "c"
    solve(RULES, DICE, target=0, max_iterations=20, checkpoint=folder)
    assert resume(folder, max_iterations=7).iterations == 27
    assert resume(folder, max_iterations=7).iterations == 34


def test_a_solve_with_imperfect_recall_that_was_stopped_goes_on(tmp_path):
    folder = tmp_path / "c"
    options = {"abstraction": Recall(1), "target": 0.0, "max_iterations": 4}
    solve(RULES, DICE, checkpoint=folder, **options)
    assert resume(folder).iterations > 4


def test_limits_of_a_solve_that_was_killed_stay(tmp_path):
    break_off(tmp_path / "c", after=10, target=1e-6, max_iterations=25)
    assert read_checkpoint(tmp_path / "c").spent is None
    assert resume(tmp_path / "c").iterations == 25


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "photo.jpg").write_bytes(b"")
    with pytest.raises(StorageError, match=r"holds something else .* such as photo.jpg; choose"):
        solve(RULES, DICE, checkpoint=tmp_path)
    with pytest.raises(StorageError, match=r"no checkpoint can be written to .*photo.jpg"):
        solve(RULES, DICE, checkpoint=tmp_path / "photo.jpg")
    assert [path.name for path in tmp_path.iterdir()] == ["photo.jpg"]


def test_a_folder_that_cannot_be_made_is_refused_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    calls = []
    with pytest.raises(StorageError, match=r"no checkpoint can be written to .*deep"):
        solve(RULES, DICE, checkpoint=tmp_path / "file" / "deep", on_progress=calls.append)
    assert calls == []


def test_an_empty_folder_serves(tmp_path):
    solve(RULES, DICE, target=0, max_iterations=2, checkpoint=tmp_path)
    assert len(list_checkpoints(tmp_path)) == 1


def test_a_checkpoint_that_cannot_be_written_costs_one_warning_and_no_result(tmp_path, monkeypatch):
    def refuse(*args, **keywords):
        raise StorageError("no space left on device")

    monkeypatch.setattr("liarsolve.strategy.checkpoints.write_folder", refuse)
    with pytest.warns(CheckpointWarning, match="the solve goes on: no space left") as warned:
        solution = solve(RULES, DICE, target=1e-2, checkpoint=tmp_path / "c", checkpoint_seconds=0)
    assert len(warned) == 1
    assert solution.stop is StopReason.CONVERGED


def test_the_command_prints_the_result_without_checkpoints_and_fails(tmp_path, monkeypatch, capsys):
    def refuse(*args, **keywords):
        raise StorageError("no space left on device")

    monkeypatch.setattr("liarsolve.strategy.checkpoints.write_folder", refuse)
    words = "solve --rules common --faces 3 --dice 1,1 --target 1e-2 --checkpoint-seconds 0"
    status = main([*words.split(), "--checkpoint", str(tmp_path / "c"), "--json"])
    out, err = capsys.readouterr()
    assert status == 1
    assert json.loads(out)["stop"] == "converged"
    assert err == (
        "liarsolve solve: a checkpoint could not be written, the solve goes on: "
        "no space left on device\n"
    )


@pytest.mark.parametrize("path", [5, b"c", ["c"]])
def test_a_checkpoint_is_a_path(path):
    with pytest.raises(InputTypeError, match="checkpoint is the path of a folder, got"):
        solve(RULES, DICE, checkpoint=path)


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        ("--rules perudo", "--rules"),
        ("--faces 4", "--faces"),
        ("--set wild=none", "--set"),
        ("--dice 1,2", "--dice"),
        ("--palifico", "--palifico"),
        ("--exact-payoff 2,1", "--exact-payoff"),
        ("--variant cfr", "--variant"),
        ("--recall 2", "--recall"),
    ],
)
def test_the_command_refuses_to_resume_another_game(tmp_path, capsys, words, flag):
    break_off(tmp_path / "c", after=3)
    assert main(["solve", "--resume", str(tmp_path / "c"), *words.split()]) == 2
    err = capsys.readouterr().err
    assert f"says something else than {flag}: it holds liars_dice" in err
    assert err.endswith(f"with dice 2,1; leave {flag} out, or resume another\n")


def test_the_command_resumes_the_game_that_is_named(tmp_path, capsys):
    solve(RULES, DICE, target=0.0, max_iterations=3, checkpoint=tmp_path / "c")
    words = "--rules liars_dice --faces 3 --dice 2,1 --variant discounted --max-iterations 2 --json"
    assert main(["solve", "--resume", str(tmp_path / "c"), *words.split()]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["iterations"], json.loads(out)["target"]) == (5, 0.0)
    assert "after 3 iterations and" in err
    assert "to a target of 0; --max-iterations 2 from now on" in err


def test_a_look_at_a_looser_target_keeps_the_checkpoint(tmp_path):
    folder = tmp_path / "c"
    solve(RULES, DICE, target=1e-9, max_iterations=60, checkpoint=folder)
    looked = resume(folder, target=0.5)
    assert looked.stop is StopReason.CONVERGED
    assert list_checkpoints(folder)
    resume(folder, target=1e-9, max_iterations=5)
