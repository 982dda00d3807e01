import numba
import numpy as np
import pytest

from liarsolve import _lanes
from liarsolve._jit import kernel
from liarsolve._lanes import LANES, aligned, aligned_zeros, lengthen_aligned, load, pad, store

A = np.array([3.0, -1.5, 0.0, -0.0, 1e-300, 7.25, -2.0, 0.5])
B = np.array([-2.0, 4.0, 1.0, 0.25, 3.0, -7.25, -2.0, 1e10])


@kernel
def compute(rows, out):
    """Every function of lanes, one row or one number for each."""
    x, y = load(rows, 0, 0), load(rows, 1, 0)
    store(out, 0, 0, _lanes.spread(2.5))
    store(out, 1, 0, _lanes.largest(x, y))
    store(out, 2, 0, _lanes.choose_by_sign(x, 2.0, 0.5))
    store(out, 3, 0, _lanes.invert(x))
    store(out, 4, 0, x + y)
    store(out, 5, 0, x - y)
    store(out, 6, 0, 3.0 * x * y)
    z = x + y
    z -= x * 0.5
    z += y
    z *= y
    store(out, 7, 0, z)
    out[8, 0] = _lanes.add_lanes(x)
    out[8, 1] = _lanes.has_positive(x)
    out[8, 2] = _lanes.has_positive(x * 0.0)
    out[8, 3] = _lanes.all_positive(x)
    out[8, 4] = _lanes.all_positive(x * x + 1.0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_kernels_compute_with_lanes_as_numpy_does(dtype):
    rows, out = np.array([A, B], dtype), np.zeros((9, LANES))
    compute(rows, out)
    a, b = rows.astype(np.float64)
    expected = [
        np.full(LANES, 2.5),
        np.maximum(a, b),
        np.where(a > 0, 2.0, 0.5),
        [1 / x if x > 0 else 0.0 for x in a],
        a + b,
        a - b,
        3 * a * b,
        (a + b - a * 0.5 + b) * b,
        [(a[:4] + a[4:]).reshape(2, 2).sum(0).sum(), 1, 0, 0, 1, 0, 0, 0],
    ]
    assert np.array_equal(out, expected)


def test_lanes_are_stored_in_the_type_of_the_row():
    rows = np.zeros((2, 2 * LANES), np.float32)

    @kernel
    def copy(source, target):
        store(target, 1, LANES, load(source, 0, 0) * 0.1)

    copy(A[None], rows)
    assert not rows[0].any()
    assert not rows[1, :LANES].any()
    assert np.array_equal(rows[1, LANES:], (A * 0.1).astype(np.float32))


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_arrays_whose_rows_lie_apart_are_refused():
    with pytest.raises(numba.TypingError, match="load"):
        compute(np.zeros((2, 3 * LANES))[:, ::2], np.zeros((9, LANES)))


@pytest.mark.parametrize(("n", "padded"), [(1, 8), (6, 8), (8, 8), (21, 24), (252, 256)])
def test_rows_are_padded_to_whole_lanes(n, padded):
    assert pad(n) == padded


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_stay_aligned_while_the_array_grows(dtype):
    array, n_rows = aligned_zeros(0, LANES, dtype), 0
    for more in (1, 3, 70, 5, 3000, 100_000):
        array = lengthen_aligned(array, n_rows + more)
        assert array.ctypes.data % 64 == 0
        assert array.shape == (n_rows + more, LANES)
        assert array.dtype == dtype
        assert np.array_equal(array[:n_rows, 0], np.arange(n_rows))
        assert not array[n_rows:].any()
        n_rows += more
        array[:] = np.arange(n_rows)[:, None]
    rows = np.array([5, 0, n_rows - 1])
    kept = aligned(array, rows)
    assert kept.ctypes.data % 64 == 0
    assert np.array_equal(kept, array[rows])
    assert np.array_equal(aligned(array), array)


def test_growing_arrays_forget_what_lay_behind_their_old_place():
    array = aligned_zeros(4, LANES)
    array[:] = 7.0
    memory = array.base
    # As if the memory had been elsewhere before, and the rows had begun later in it.
    shifted = memory[memory.size - array.nbytes :].view(np.float64).reshape(4, LANES)
    shifted[:] = 5.0
    longer = lengthen_aligned(shifted, 8)
    assert np.array_equal(longer[:4], np.full((4, LANES), 5.0))
    assert not longer[4:].any()
