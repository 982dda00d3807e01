"""How large a stored strategy is, what its files mean, and disks that are too small for it."""

import json
import re
import shutil
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, SimilarHands, compact, load, presets, solve
from liarsolve.errors import StorageError
from liarsolve.rules import Bid

RULES = presets.COMMON.replace(faces=3)
DOCUMENT = (Path(__file__).parents[3] / "docs" / "storage.md").read_text(encoding="utf-8")


def solutions():
    small = {"max_iterations": 5}
    plain = solve(RULES, (2, 1), target=1e-2)
    return {
        "plain": plain,
        "compact": compact(plain, bits=8),
        "recall": solve(RULES, (2, 1), abstraction=Recall(1), **small),
        "jump": solve(RULES, (2, 1), abstraction=MaxJump(2), **small),
        "similar": solve(RULES, (2, 1), abstraction=SimilarHands(1), **small),
        "three": solve(RULES.replace(faces=2), (1, 1, 1), **small),
        "cup": solve(presets.LIAR_DIE),
    }


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stored")
    found = solutions()
    sizes = {name: solution.n_bytes_stored for name, solution in found.items()}  # before
    for name, solution in found.items():
        solution.save(folder / name)
    return folder, sizes, found


NAMES = ["plain", "compact", "recall", "jump", "similar", "three", "cup"]


@pytest.mark.parametrize("name", NAMES)
def test_the_size_is_that_of_the_arrays_that_are_written(stored, name):
    folder, sizes, _ = stored
    files = list((folder / name).glob("*.npy"))
    assert files
    assert sizes[name] == sum(np.load(path).nbytes for path in files)
    # and of the files but for their headers, which are multiples of 64 bytes
    headers = sum(path.stat().st_size for path in files) - sizes[name]
    assert headers == 128 * len(files)
    assert load(folder / name).n_bytes_stored == sizes[name]


@pytest.mark.parametrize("name", ["plain", "cup"])
def test_a_disk_that_is_too_small_is_refused_before_anything_is_written(
    stored, name, tmp_path, monkeypatch
):
    _, sizes, found = stored
    usage = namedtuple("usage", "total used free")
    asked = []

    def disk_usage(place):
        asked.append(Path(place))
        return usage(1, 1, sizes[name] - 1)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    with pytest.raises(StorageError) as caught:
        found[name].save(tmp_path / "new" / "strategy")
    assert "could not be written: the strategy takes " in str(caught.value)
    assert "choose another disk" in str(caught.value)
    assert asked == [tmp_path]
    assert list(tmp_path.iterdir()) == []


def test_a_disk_with_room_is_written_to(stored, tmp_path, monkeypatch):
    _, sizes, found = stored
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1, 1, sizes["plain"] + (1 << 20)))
    found["plain"].save(tmp_path / "strategy")
    assert load(tmp_path / "strategy").n_states == found["plain"].n_states


def test_the_example_of_the_document_reads_a_strategy(stored, tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    _, _, found = stored
    found["plain"].save(tmp_path / "strategy")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)
    probs = load("strategy").strategy.probs("3", ["1x2"])
    answers = {
        Bid(*action) if isinstance(action, tuple) else action: p
        for action, p in names["answers"].items()
    }
    assert {str(action): p for action, p in answers.items()} == pytest.approx(
        {str(action): p for action, p in probs.items()}
    )
    assert len(answers) == 8


@pytest.mark.parametrize("name", NAMES)
def test_the_document_names_every_file_and_key(stored, name):
    folder, _, _ = stored
    manifest = json.loads((folder / name / "manifest.json").read_text(encoding="utf-8"))
    for array in manifest["arrays"]:
        assert f"`{re.sub(r'_[12]$', '_0', array)}.npy`" in DOCUMENT
    for key in set(manifest) - {"players"}:
        assert f"`{key}`" in DOCUMENT, key


@pytest.mark.parametrize(
    ("dice", "options"),
    [((2, 1), {}), ((2, 1), {"abstraction": Recall(1)}), ((1, 1, 1), {})],
    ids=["two", "recall", "three"],
)
def test_the_document_names_every_array_of_a_checkpoint(tmp_path, dice, options):
    def stop(progress):
        if any(tmp_path.glob("checkpoint-*")):
            raise KeyboardInterrupt

    solve(RULES, dice, target=0, max_iterations=10_000, checkpoint=tmp_path, checkpoint_seconds=0,
          on_progress=stop, **options)  # fmt: skip
    (folder,) = tmp_path.glob("checkpoint-*")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {"settings", "state"} <= set(manifest)
    assert manifest["arrays"]
    for array in manifest["arrays"]:
        name = re.sub(r"_\d$", "_p", array.removeprefix("tree0_"))
        assert f"`{name}`" in DOCUMENT, array
