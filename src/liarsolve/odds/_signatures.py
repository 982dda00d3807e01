"""Types of the arguments that the odds functions share, for type checkers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

Number: TypeAlias = int | float | np.integer[Any] | np.floating[Any]  # Any: of any width
Dice: TypeAlias = ArrayLike | Sequence[int]
Fractions: TypeAlias = NDArray[np.object_]


class OneTable(TypedDict, total=False):
    """Keywords of one question."""

    hand: Sequence[int]
    total: Number | None
    own: Number | None
    wild: int | None
    sides: int


class ManyTables(TypedDict, total=False):
    """Keywords of many questions, which broadcast."""

    hand: ArrayLike
    total: ArrayLike | None
    own: ArrayLike | None
    wild: int | None
    sides: int
