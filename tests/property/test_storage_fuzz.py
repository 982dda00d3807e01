"""Stored folders that anything has happened to: they load as they were, or are refused.

`pytest -m slow tests/property/test_storage_fuzz.py` tries some nine thousand more damages.
"""

import json
import random
import shutil
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest

from liarsolve import load
from liarsolve.errors import InputError, StorageError
from liarsolve.solvers import SolverState
from liarsolve.strategy import CupSolution
from liarsolve.strategy.checkpoints import StoredSolve, read_checkpoint

DATA = Path(__file__).parents[1] / "golden" / "data"
FAMILIES = ["stored-bidding", "stored-cup", "checkpoint"]
MOST_MEMORY = 64e6
VALUES = [
    None, True, False, 0, 1, 2, -1, 3.0, 0.5, -0.0, 1e308, float("nan"), float("inf"), 10**30,
    -(10**30), 2**63, 65, "", "x", "1", "1e999999999", "1/0", "0/1", "../node", "|O", ">i4", "<f8",
    [], [0], [1, 1], [10**9, 10**9], [1] * 5000, [[1, 2], [3, 4]], {}, {"a": 1}, {"faces": 10**9},
    [None], ["a"], [True, True], "dice(9,99)", "dice(1,10)", "cards24",
]  # fmt: skip


def open_folder(folder, verify=None):
    if folder.parent.name == "checkpoint":
        return read_checkpoint(folder.parent)
    return load(folder, verify=verify)


def look_of(opened):
    """All that was read, to be compared."""
    if isinstance(opened, StoredSolve):
        settings, state = opened.settings, opened.state
        assert isinstance(state, SolverState)
        arrays = sorted(state.arrays.items())
        return json.dumps([settings, state.values]), [(k, a.tobytes()) for k, a in arrays]
    result = opened.result
    if isinstance(opened, CupSolution):
        arrays = [result.low, result.high]
    else:
        arrays = [result.tree.node, result.tree.first_edge, *result.tree.children, *result.strategy]
    return json.dumps(opened.to_dict()), [a.tobytes() for a in arrays]


def damage_bytes(random_, folder):
    """Change one file as a failing disk might."""
    path = random_.choice(sorted(folder.iterdir()))
    content = bytearray(path.read_bytes())
    start = random_.randrange(len(content))
    stop = min(len(content), start + random_.randint(1, 40))
    kind = random_.choice(["bit", "byte", "cut", "grow", "remove", "repeat", "zero", "delete"])
    if kind == "bit":
        content[start] ^= 1 << random_.randrange(8)
    elif kind == "byte":
        content[start] = random_.randrange(256)
    elif kind == "cut":
        del content[start:]
    elif kind == "grow":
        content += random_.randbytes(8)
    elif kind == "remove":
        del content[start:stop]
    elif kind == "repeat":
        content[start:start] = content[start:stop]
    elif kind == "zero":
        content[start:stop] = bytes(stop - start)
    path.write_bytes(content)
    if kind == "delete":
        path.unlink()
    return f"{kind} {path.name} {start}:{stop}"


def damage_entry(random_, folder):
    """Change one entry of the manifest, as somebody might who leaves out its checksum."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["crc32"]
    places = list(places_in(manifest))
    *above, last = random_.choice(places)
    inside = manifest
    for key in above:
        inside = inside[key]
    kind = random_.choice(["replace", "replace", "replace", "delete", "rename"])
    value = random_.choice(VALUES)
    if kind == "replace" or isinstance(inside, list):
        inside[last] = value
    elif kind == "rename":
        inside[str(value)[:80]] = inside.pop(last)
    else:
        del inside[last]
    path.write_text(json.dumps(manifest))
    return f"{kind} {[*above, last]} {str(value)[:50]}"


def places_in(value, above=()):
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inside in entries:
        yield (*above, key)
        if isinstance(inside, dict | list):
            yield from places_in(inside, (*above, key))


def damage_array(random_, folder):
    """Store an array in another way, with a manifest that fits and has no checksum."""
    path = random_.choice(sorted(folder.glob("*.npy")))
    array = np.load(path)
    changes = [
        lambda: array.astype(random_.choice(["<f4", ">f8", ">i4", "<i8", "u1", "c16", "?"])),
        lambda: np.asfortranarray(array),
        lambda: array[:-1],
        lambda: array[..., None],
        lambda: array.reshape(-1),
        lambda: np.concatenate([array, array]),
        lambda: np.where(random_.random() < 0.5, 10**6, -3).astype(array.dtype) + 0 * array,
        lambda: array.astype(object),
        lambda: array.astype("U3"),
        lambda: array[::-1],
    ]
    with np.errstate(all="ignore"):
        changed = random_.choice(changes)()
    np.save(path, changed)
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["crc32"]
    description = manifest["arrays"][path.stem]
    if random_.random() < 0.8:
        changed = np.load(path, allow_pickle=True)  # our own
        description["dtype"], description["shape"] = changed.dtype.str, list(changed.shape)
    if random_.random() < 0.8:
        description["crc32"] = zlib.crc32(np.ascontiguousarray(changed).tobytes())
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return f"{path.stem} as {changed.dtype} {changed.shape}"


def copied(family, tmp_path):
    shutil.copytree(DATA / family, tmp_path / family, dirs_exist_ok=True)
    folder = tmp_path / family
    return next(folder.iterdir()) if family == "checkpoint" else folder


def try_damages(damage, family, tmp_path, seed, n_tries, *, must_be_equal):
    random_ = random.Random(f"{family} {seed}")
    whole = look_of(open_folder(copied(family, tmp_path)))
    n_refused = 0
    for _ in range(n_tries):
        shutil.rmtree(tmp_path / family)
        folder = copied(family, tmp_path)
        story = damage(random_, folder)
        tracemalloc.start()
        try:
            look, refusal = look_of(open_folder(folder)), None
        except StorageError as error:
            refusal = str(error)
        except Exception as error:
            raise AssertionError(f"{story}: {error!r}") from error
        finally:
            memory = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        if refusal is None:
            assert not must_be_equal or look == whole, story
        else:
            n_refused += 1
            assert "\n" not in refusal, story
            assert "allow_pickle" not in refusal, story
            assert len(refusal) < 1000, story
        assert memory < MOST_MEMORY, story
    assert n_refused > 0


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_damaged_bytes_are_refused_or_harmless(family, seed, tmp_path):
    try_damages(damage_bytes, family, tmp_path, seed, 60, must_be_equal=True)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_entries_of_any_kind_are_refused_or_mean_something(family, seed, tmp_path):
    try_damages(damage_entry, family, tmp_path, seed, 60, must_be_equal=False)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_arrays_of_any_kind_are_refused_or_fit(family, seed, tmp_path):
    try_damages(damage_array, family, tmp_path, seed, 40, must_be_equal=False)


@pytest.mark.parametrize("family", FAMILIES[:2])
@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ('{"a":' * 100_000, "it is nested too deeply"),
        ('{"format": 1, "format": 2}', "it has two entries 'format'"),
        ("9" * 100_000, "is damaged: "),
        (" " * (16 * 1024 * 1024 + 1), "no manifest has 16,777,217 bytes"),
    ],
    ids=["brackets", "braces", "doubles", "number", "length"],
)
def test_manifests_beyond_reason_are_one_sentence(family, manifest, message, tmp_path):
    folder = copied(family, tmp_path)
    (folder / "manifest.json").write_text(manifest)
    with pytest.raises(StorageError) as caught:
        load(folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["manifest.json", "policy_0.npy"])
def test_links_lead_nowhere_else(name, tmp_path):
    folder = copied("stored-bidding", tmp_path)
    (folder / name).rename(tmp_path / "secret")
    (folder / name).symlink_to(tmp_path / "secret")
    with pytest.raises(StorageError, match="leads out of the folder"):
        load(folder)


def test_a_link_to_the_folder_is_the_folder(tmp_path):
    folder = copied("stored-bidding", tmp_path)
    (tmp_path / "link").symlink_to(folder)
    assert look_of(load(tmp_path / "link")) == look_of(load(folder))


def test_arrays_that_nobody_has_asked_for_are_refused(tmp_path):
    folder = copied("stored-cup", tmp_path)
    shutil.copy(folder / "low.npy", folder / "more.npy")
    with pytest.raises(StorageError, match=r"more\.npy is not in its manifest"):
        load(folder)
    manifest = json.loads((folder / "manifest.json").read_text()) | {"crc32": None}
    manifest["arrays"]["more"] = manifest["arrays"]["low"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StorageError, match="there is no place for the array more"):
        load(folder)


def test_notes_beside_the_arrays_are_kept(tmp_path):
    folder = copied("stored-cup", tmp_path)
    (folder / "notes.txt").write_text("for the match on Friday")
    solution = load(folder)
    with pytest.raises(StorageError, match=r"is not replaced, since it also holds notes\.txt"):
        solution.save(folder, overwrite=True)
    assert (folder / "notes.txt").exists()


@pytest.mark.parametrize("folder", [None, 5, True, b"folder", ["folder"], 2.0])
def test_what_names_no_folder_is_refused(folder):
    with pytest.raises(TypeError, match="a folder is named by text or a path, got ") as caught:
        load(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("folder", ["", "a\0b"])
def test_names_that_no_folder_has_are_refused(folder):
    with pytest.raises(InputError, match="a folder is named by text or a path, got "):
        load(folder)


def test_a_name_that_is_too_long_is_one_sentence(tmp_path):
    name = tmp_path / ("a" * 400)
    with pytest.raises(StorageError, match="cannot be read"):
        load(name)
    with pytest.raises(StorageError, match="could not be written"):
        load(DATA / "stored-cup").save(name)
