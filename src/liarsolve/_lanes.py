"""Rows of numbers that kernels handle eight at a time.

A loop over six hands costs more for its bounds, and for finding out whether its arrays overlap,
than for its sums; numba has no way to say that a row has whole vectors of eight, and LLVM none to
guess it. So kernels whose rows are padded to a multiple of `LANES` say it with the functions
below, between which ``+``, ``-`` and ``*`` work as usual, with a number too:

    for h in range(0, n_hands, LANES):
        store(value, d, h, load(value, d, h) + load(policy, k, h) * load(below, d, h))

Sums are taken in an order that does not depend on the machine. Without compilation
(``NUMBA_DISABLE_JIT=1``) lanes are NumPy arrays, so ``+=`` may only change lanes that nobody else
holds. ``NUMBA_BOUNDSCHECK`` does not see these loads and stores, and the cache of compiled kernels
does not notice a change in this file.
"""

import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending
from numba.core import types
from numba.core.typing import templates
from numpy.typing import DTypeLike, NDArray

from liarsolve._typing import F8, I8, Real

LANES = 8
_LINE = 64
"""Bytes of a line of the cache."""

# numba ships no types, and its decorators would take away those of what they decorate.
_lower_builtin: Any = extending.lower_builtin
_register_model: Any = extending.register_model
_type_callable: Any = extending.type_callable
_infer_global: Any = templates.infer_global
_signature: Any = templates.signature


def pad(n: int) -> int:
    """Length of a row that holds ``n`` numbers."""
    return -(-n // LANES) * LANES


def aligned_zeros(n_rows: int, n_columns: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """Array that begins where a line of the cache does, so that no lanes lie across two lines.

    With whole vectors across lines an iteration at one die each took 0.29 ms instead of 0.23 ms.
    """
    n_bytes = n_rows * n_columns * np.dtype(dtype).itemsize
    memory = np.zeros(n_bytes + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    return memory[start : start + n_bytes].view(dtype).reshape(n_rows, n_columns)


def aligned(array: NDArray[Any], rows: I8 | None = None) -> NDArray[Any]:
    """Copy of an array with two axes, or of some of its rows, laid out as by `aligned_zeros`."""
    rows = np.arange(array.shape[0]) if rows is None else rows
    copy = aligned_zeros(rows.size, array.shape[1], array.dtype)
    np.take(array, rows, axis=0, out=copy, mode="clip")  # other modes make one more copy
    return copy


def lengthen_aligned(array: NDArray[Any], n_rows: int) -> NDArray[Any]:
    """Return an array of `aligned_zeros` with rows of zeros behind it.

    The memory is enlarged in place if the system can; nobody may use the old array afterwards.
    """
    memory: Any = array.base
    n_bytes, old_start = array.nbytes, array.ctypes.data - memory.ctypes.data
    new_bytes = n_rows * array.shape[1] * array.itemsize
    memory.resize(new_bytes + _LINE, refcheck=False)
    start = -memory.ctypes.data % _LINE
    if start != old_start:  # the memory is elsewhere, and lies otherwise
        memory[start : start + n_bytes] = memory[old_start : old_start + n_bytes].copy()
        memory[start + n_bytes : old_start + n_bytes] = 0
    view: NDArray[Any] = memory[start : start + new_bytes].view(array.dtype)
    return view.reshape(n_rows, array.shape[1])


def load(array: Real, row: int, column: int) -> F8:
    """Lanes of a row from ``column`` on, as float64."""
    return array[row, column : column + LANES].astype(np.float64)


def store(array: Real, row: int, column: int, lanes: F8) -> None:
    """Write lanes into a row, in its type."""
    array[row, column : column + LANES] = lanes


def spread(x: float) -> F8:
    """Lanes that are all ``x``."""
    return np.full(LANES, x)


def largest(x: F8, y: F8) -> F8:
    """Larger one in each lane."""
    return np.maximum(x, y)


def choose_by_sign(x: F8, positive: float, other: float) -> F8:
    """``positive`` in the lanes where ``x`` is, ``other`` elsewhere."""
    return np.where(x > 0.0, positive, other)


def invert(x: F8) -> F8:
    """``1 / x`` where ``x`` is positive, 0 elsewhere."""
    return np.divide(1.0, x, out=np.zeros(LANES), where=x > 0.0)


def add_lanes(x: F8) -> float:
    """Sum of the lanes: halves are added until one number is left."""
    while x.size > 1:
        x = x[: x.size // 2] + x[x.size // 2 :]
    return float(x[0])


def has_positive(x: F8) -> bool:
    """Whether some lane is positive."""
    return bool(np.any(x > 0.0))


def all_positive(x: F8) -> bool:
    """Whether every lane is positive."""
    return bool(np.all(x > 0.0))


class _Lanes(types.Type):
    """Type of lanes in kernels."""


_LANES: Any = _Lanes("Lanes")
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)


@_register_model(_Lanes)
class _LanesModel(extending.models.PrimitiveModel):
    """A vector of LLVM."""

    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, _VECTOR)  # type: ignore[no-untyped-call]


def _lower(function: Callable[..., Any], result: Any, *arguments: Any) -> Callable[..., Any]:
    """Let kernels call ``function``, with the code that the decorated one emits."""

    def register(emit: Callable[..., Any]) -> Callable[..., Any]:
        @_type_callable(function)  # type: ignore[untyped-decorator]
        def type_of_call(context: Any) -> Any:
            def typer(first: Any, *_: Any) -> Any:
                is_strided = isinstance(first, types.Array) and first.layout != "C"
                return None if is_strided else result  # None: there is no such call

            typer.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
            return typer

        @_lower_builtin(function, *arguments)  # type: ignore[untyped-decorator]
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return emit(context, builder, sig, *args)

        return emit

    return register


def _pointer(context: Any, builder: Any, sig: Any, array: Any, row: Any, column: Any) -> Any:
    """Address of an element, and the vector type that begins there."""
    kind, row_type, column_type = sig.args[:3]
    fields = context.make_array(kind)(context, builder, array)
    row = context.cast(builder, row, row_type, types.intp)
    column = context.cast(builder, column, column_type, types.intp)
    n_columns = builder.extract_value(fields.shape, 1)
    place = builder.add(builder.mul(row, n_columns), column)
    vector = ir.VectorType(context.get_data_type(kind.dtype), LANES)
    return builder.bitcast(builder.gep(fields.data, [place]), vector.as_pointer()), vector


@_lower(load, _LANES, types.Array, types.Integer, types.Integer)
def _load(context: Any, builder: Any, sig: Any, array: Any, row: Any, column: Any) -> Any:
    pointer, vector = _pointer(context, builder, sig, array, row, column)
    lanes = builder.load(pointer, align=sig.args[0].dtype.bitwidth // 8)
    return lanes if vector == _VECTOR else builder.fpext(lanes, _VECTOR)


@_lower(store, types.none, types.Array, types.Integer, types.Integer, _Lanes)
def _store(
    context: Any, builder: Any, sig: Any, array: Any, row: Any, column: Any, lanes: Any
) -> Any:
    pointer, vector = _pointer(context, builder, sig, array, row, column)
    lanes = lanes if vector == _VECTOR else builder.fptrunc(lanes, vector)
    builder.store(lanes, pointer, align=sig.args[0].dtype.bitwidth // 8)
    return context.get_dummy_value()


def _splat(builder: Any, x: Any) -> Any:
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), x, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), zeros)


def _zeros() -> Any:
    return ir.Constant(_VECTOR, [0.0] * LANES)


@_lower(spread, _LANES, types.Float)
def _spread(context: Any, builder: Any, sig: Any, x: Any) -> Any:
    return _splat(builder, x)


@_lower(largest, _LANES, _Lanes, _Lanes)
def _largest(context: Any, builder: Any, sig: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", x, y), x, y)


@_lower(choose_by_sign, _LANES, _Lanes, types.Float, types.Float)
def _choose_by_sign(context: Any, builder: Any, sig: Any, x: Any, positive: Any, other: Any) -> Any:
    is_positive = builder.fcmp_ordered(">", x, _zeros())
    return builder.select(is_positive, _splat(builder, positive), _splat(builder, other))


@_lower(invert, _LANES, _Lanes)
def _invert(context: Any, builder: Any, sig: Any, x: Any) -> Any:
    is_positive = builder.fcmp_ordered(">", x, _zeros())
    inverse = builder.fdiv(ir.Constant(_VECTOR, [1.0] * LANES), x)
    return builder.select(is_positive, inverse, _zeros())


@_lower(add_lanes, types.float64, _Lanes)
def _add_lanes(context: Any, builder: Any, sig: Any, x: Any) -> Any:
    n = LANES
    while n > 1:
        n //= 2
        indices = ir.VectorType(ir.IntType(32), n)
        low = builder.shuffle_vector(x, x, ir.Constant(indices, list(range(n))))
        high = builder.shuffle_vector(x, x, ir.Constant(indices, list(range(n, 2 * n))))
        x = builder.fadd(low, high)
    return builder.extract_element(x, ir.IntType(32)(0))


def _bits(builder: Any, x: Any) -> Any:
    """One bit for each lane: whether it is positive."""
    return builder.bitcast(builder.fcmp_ordered(">", x, _zeros()), ir.IntType(LANES))


@_lower(has_positive, types.boolean, _Lanes)
def _has_positive(context: Any, builder: Any, sig: Any, x: Any) -> Any:
    return builder.icmp_unsigned("!=", _bits(builder, x), ir.IntType(LANES)(0))


@_lower(all_positive, types.boolean, _Lanes)
def _all_positive(context: Any, builder: Any, sig: Any, x: Any) -> Any:
    return builder.icmp_unsigned("==", _bits(builder, x), ir.IntType(LANES)(2**LANES - 1))


def _lower_operator(function: Callable[..., Any], instruction: str) -> None:
    """Lanes with lanes, or with a number on the right."""

    @_infer_global(function)
    class _Template(templates.ConcreteTemplate):
        cases = (
            _signature(_LANES, _LANES, _LANES),
            _signature(_LANES, _LANES, types.float64),
            _signature(_LANES, types.float64, _LANES),
        )

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, y = (
            arg if kind == _LANES else _splat(builder, arg)
            for kind, arg in zip(sig.args, args, strict=True)
        )
        return getattr(builder, instruction)(x, y)

    for left, right in ((_Lanes, _Lanes), (_Lanes, types.Float), (types.Float, _Lanes)):
        _lower_builtin(function, left, right)(lower)


for _operator, _instruction in (
    (operator.add, "fadd"),
    (operator.iadd, "fadd"),
    (operator.sub, "fsub"),
    (operator.isub, "fsub"),
    (operator.mul, "fmul"),
    (operator.imul, "fmul"),
):
    _lower_operator(_operator, _instruction)
