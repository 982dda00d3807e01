"""Array aliases, so that signatures say which dtype a kernel expects."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

B1: TypeAlias = NDArray[np.bool_]
F4: TypeAlias = NDArray[np.float32]
F8: TypeAlias = NDArray[np.float64]
I2: TypeAlias = NDArray[np.int16]
I4: TypeAlias = NDArray[np.int32]
I8: TypeAlias = NDArray[np.int64]
U1: TypeAlias = NDArray[np.uint8]
Real: TypeAlias = NDArray[np.floating[Any] | np.unsignedinteger[Any]]
"""Floats of any width, or probabilities as whole-number weights."""
