"""Stored solutions: what comes back, what is refused, and what a failing disk leaves behind."""

import errno
import json
import os
import zlib
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from liarsolve import load, presets, solve, solve_exact
from liarsolve.errors import StorageError
from liarsolve.strategy import BiddingSolution, storage

RULES = presets.COMMON.replace(faces=2)


@pytest.fixture(scope="module")
def solution():
    return solve_exact(RULES, dice=(1, 1), prove=True)


@pytest.fixture
def folder(solution, tmp_path):
    solution.save(tmp_path / "stored")
    return tmp_path / "stored"


def arrays_of(solution):
    tree = solution.result.tree
    return [tree.node, tree.first_edge, *tree.children, *solution.result.strategy]


def assert_same(one, two):
    assert one.to_dict() == two.to_dict()
    assert one.exact_value == two.exact_value
    assert one.stop is two.stop
    for a, b in zip(arrays_of(one), arrays_of(two), strict=True):
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()


def in_single_precision(solution):
    single = tuple(policy.astype(np.float32) for policy in solution.result.strategy)
    return BiddingSolution(replace(solution.result, strategy=single), solution.exact_value)


# --- there and back ---------------------------------------------------------------------------


def test_everything_comes_back(solution, folder):
    back = load(folder)
    assert_same(back, solution)
    assert back.exact_value == Fraction(0)
    assert back.rules == RULES
    assert back.dice == (1, 1)
    assert back.strategy.advise((1,), ["1x2"]) == solution.strategy.advise((1,), ["1x2"])


@pytest.mark.parametrize(
    "make",
    [
        lambda: solve(presets.PERUDO.replace(faces=3), (1, 1), exact_payoff=(2, 0.1), target=0.01),
        lambda: solve(presets.PERUDO.replace(faces=3), (1, 2), palifico=True, max_iterations=2),
        lambda: in_single_precision(solve(RULES, (2, 1), max_iterations=3, variant="cfr+")),
        lambda: solve_exact(presets.SNYD.replace(faces=2), (1, 1)),
    ],
    ids=["exact call", "palifico", "float32", "unproved"],
)
def test_every_kind_of_solution_comes_back(make, tmp_path):
    solution = make()
    solution.save(tmp_path / "a" / "b")  # folders above are made
    assert_same(load(tmp_path / "a" / "b"), solution)


def test_arrays_stay_on_disk_and_cannot_be_written(folder):
    for array in arrays_of(load(folder)):
        assert isinstance(array, np.memmap)
        assert not array.flags.writeable


def test_manifest_says_what_it_is(folder):
    manifest = json.loads((folder / "manifest.json").read_text()) | {"crc32": None}
    assert manifest["format"] == "liarsolve strategy"
    assert set(manifest["versions"]) == {"liarsolve", "numpy", "numba", "python"}
    names = {path.name for path in folder.iterdir()} - {"manifest.json"}
    assert names == {f"{name}.npy" for name in manifest["arrays"]}


# --- what is in the way -----------------------------------------------------------------------


def test_an_existing_folder_is_kept(solution, folder):
    before = (folder / "manifest.json").read_bytes()
    with pytest.raises(StorageError) as caught:
        solution.save(folder)
    assert str(caught.value) == (f"{folder} exists already; choose another folder, or overwrite it")
    assert (folder / "manifest.json").read_bytes() == before


def test_overwrite_replaces_a_stored_solution(folder):
    other = solve(RULES, dice=(2, 1), max_iterations=1, target=0)
    other.save(folder, overwrite=True)
    assert_same(load(folder), other)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_overwrite_touches_nothing_foreign(solution, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"meow")
    (tmp_path / "letter").write_text("dear")
    for name in ("photos", "letter"):
        with pytest.raises(StorageError, match="is not a liarsolve strategy: it has no manifest"):
            solution.save(tmp_path / name, overwrite=True)
    assert (tmp_path / "photos" / "cat.jpg").read_bytes() == b"meow"
    assert (tmp_path / "letter").read_text() == "dear"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_full_disk_leaves_things_as_they_were(solution, folder, monkeypatch, overwrite):
    target = folder if overwrite else folder.parent / "new"
    calls = []

    def save(file, array, **options):
        calls.append(array)
        file.write(b"half of it")
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage.np, "save", save)
    with pytest.raises(StorageError) as caught:
        solution.save(target, overwrite=overwrite)
    assert str(caught.value) == f"{target} could not be written: No space left on device"
    assert isinstance(caught.value, OSError)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert_same(load(folder), solution)


# --- damage -----------------------------------------------------------------------------------


def rewrite(**changes):
    """Change entries of the manifest; `None` removes one."""

    def damage(folder):
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text()) | {"crc32": None} | changes
        path.write_text(json.dumps({k: v for k, v in manifest.items() if v is not None}))

    return damage


def store(name, change):
    """Replace an array by ``change(array)``, with a manifest that fits."""

    def damage(folder):
        array = change(np.load(folder / f"{name}.npy"))
        np.save(folder / f"{name}.npy", array)
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text()) | {"crc32": None}
        manifest["arrays"][name] = {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "crc32": zlib.crc32(np.ascontiguousarray(array).data),
        }
        path.write_text(json.dumps(manifest))

    return damage


def overwrite_file(name, change):
    """Replace the bytes of a file by ``change(bytes)``."""

    def damage(folder):
        (folder / name).write_bytes(change((folder / name).read_bytes()))

    return damage


def describe(name, **changes):
    """Change the description of an array in the manifest."""

    def damage(folder):
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text()) | {"crc32": None}
        manifest["arrays"][name] |= changes
        path.write_text(json.dumps(manifest))

    return damage


def rename_array(old, new):
    def damage(folder):
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text()) | {"crc32": None}
        manifest["arrays"][new] = manifest["arrays"].pop(old)
        path.write_text(json.dumps(manifest))

    return damage


def flip_last_byte(content):
    return content[:-1] + bytes([content[-1] ^ 1])


def with_entry(value):
    def change(array):
        array[0] = value
        return array

    return change


DAMAGE = {
    # the manifest
    "no manifest": (
        lambda folder: (folder / "manifest.json").unlink(),
        "is not a liarsolve strategy: it has no manifest.json",
    ),
    "half a manifest": (overwrite_file("manifest.json", lambda b: b[:40]), "is damaged: "),
    "no text": (overwrite_file("manifest.json", lambda _: b"\xff\xfe\x00"), "is damaged: "),
    "a list": (
        overwrite_file("manifest.json", lambda _: b"[]"),
        "its manifest.json does not say so",
    ),
    "other format": (rewrite(format="pickles"), "its manifest.json does not say so"),
    "other version": (
        rewrite(format_version=99),
        "was written by a newer liarsolve (format version 99, this one reads version 1); update",
    ),
    "no arrays": (rewrite(arrays=None), "it does not describe its arrays"),
    "no rules": (rewrite(rules=None), "has a damaged manifest: it lacks 'rules'"),
    "rules of another kind": (rewrite(rules=["common"]), "has a damaged manifest: "),
    "unknown option": (rewrite(rules={"wilde": "ones"}), "no rule option 'wilde'"),
    "no dice": (rewrite(dice=[0, 1]), "each player needs a die"),
    "other dice": (rewrite(dice=[2, 1]), "policy_0 should be float64"),
    "unknown stop": (rewrite(stop="tired"), "has a damaged manifest: "),
    "stop of another kind": (rewrite(stop=3), "has a damaged manifest: "),
    "impossible fraction": (rewrite(exact_value="1/0"), "has a damaged manifest: "),
    "no fraction": (rewrite(exact_value="a third"), "has a damaged manifest: "),
    "too many values": (rewrite(br_values=[0.0, 0.0, 0.0]), "one finite number per player"),
    "no number": (rewrite(br_values=[0.0, float("nan")]), "one finite number per player"),
    "endless iterations": (rewrite(iterations=float("inf")), "has a damaged manifest: "),
    "unknown outcome": (rewrite(payoffs={"bonus": 1.0}), "has a damaged manifest: "),
    # the files
    "missing file": (
        lambda folder: (folder / "policy_1.npy").unlink(),
        "is damaged: policy_1.npy is missing",
    ),
    "empty file": (overwrite_file("node.npy", lambda _: b""), "node.npy is damaged: "),
    "short file": (overwrite_file("policy_0.npy", lambda b: b[:-8]), "policy_0.npy is damaged: "),
    "no npy file": (overwrite_file("node.npy", lambda b: b"x" * len(b)), "node.npy is damaged: "),
    "flipped bit": (
        overwrite_file("policy_0.npy", flip_last_byte),
        "policy_0.npy is damaged: its checksum is not that of the manifest",
    ),
    "other dtype": (
        describe("node", dtype="<i8"),
        "node.npy is damaged: the manifest says int64[16], the file holds int32[16]",
    ),
    "other shape": (
        describe("node", shape=[8, 2]),
        "node.npy is damaged: the manifest says int32[8, 2], the file holds int32[16]",
    ),
    "no checksum": (
        describe("node", crc32=None),
        "manifest.json is damaged: it describes node as ",
    ),
    "array elsewhere": (
        rename_array("node", "../node"),
        "'../node' is not the name of an array",
    ),
    "array unknown": (rename_array("node", "knot"), "knot.npy is missing"),
    # arrays that fit their description, but not the rules
    "wrong dtype": (
        store("first_edge", lambda a: a.astype(np.float64)),
        "first_edge should be int64[16] for these rules and dice, got float64[16]",
    ),
    "wrong shape": (
        store("policy_0", lambda a: a[:, :1]),
        "policy_0 should be float64",
    ),
    "columns first": (store("policy_0", np.asfortranarray), "policy_0.npy is damaged: "),
    "no states": (store("node", lambda a: a[:0]), "first_edge should be int64[0]"),
    "child beyond": (
        store("children_0", with_entry(99)),
        "the children in a tree must lie in -1..15",
    ),
    "child below": (
        store("children_0", with_entry(-2)),
        "the children in a tree must lie in -1..15",
    ),
    "child astray": (
        store("children_0", with_entry(9)),
        "a child in a tree is not where the rules lead",
    ),
    "edge beyond": (
        store("first_edge", lambda a: a + 99),
        "the edges of player 0 must lie in 0..",
    ),
    "edge below": (store("first_edge", lambda a: a - 1), "the edges of player 0 must lie in 0.."),
    "unknown node": (
        store("node", lambda a: np.where(a == 3, 99, a).astype(a.dtype)),
        "the nodes of a tree must lie in 0..",
    ),
    "start elsewhere": (
        store("node", lambda a: a[::-1].copy()),
        "the first state of a tree must be the start of the round",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused_in_one_sentence(folder, kind):
    damage, message = DAMAGE[kind]
    damage(folder)
    with pytest.raises(StorageError) as caught:
        load(folder)
    assert message in str(caught.value)
    assert str(folder) in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(StorageError) as caught:
        load(tmp_path / "nowhere")
    assert str(caught.value) == f"there is no folder {tmp_path / 'nowhere'}"


class Bomb:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("verify", [None, False])
def test_objects_are_never_unpickled(folder, tmp_path, verify):
    bomb = np.array([Bomb(tmp_path / "went off")], object)
    np.save(folder / "node.npy", bomb, allow_pickle=True)
    describe("node", dtype="|O", shape=[1])(folder)
    with pytest.raises(StorageError, match="it describes node as "):
        load(folder, verify=verify)
    assert not (tmp_path / "went off").exists()
    np.load(folder / "node.npy", allow_pickle=True)  # else the test would show nothing
    assert (tmp_path / "went off").exists()


def test_large_folders_are_verified_on_request_only(folder, monkeypatch):
    overwrite_file("policy_0.npy", flip_last_byte)(folder)
    load(folder, verify=False)
    monkeypatch.setattr(storage, "CHECKED_BYTES", 100)
    load(folder)
    with pytest.raises(StorageError, match="checksum"):
        load(folder, verify=True)
