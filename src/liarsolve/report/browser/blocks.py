"""How a page holds its data: JSON, packed by gzip, written in base64 into inert script blocks."""

import base64
import gzip
import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from liarsolve._typing import F8

__all__ = ["pack", "read_blocks", "round_reach", "thousandths", "thousandths_of_probs", "unpack"]

_BLOCK = re.compile(
    r'<script type="application/octet-stream" id="data-([a-z0-9]+)">([A-Za-z0-9+/=]*)</script>'
)


def pack(value: Any) -> str:  # Any: whatever JSON has
    """Write a value as JSON, packed, in letters that mean nothing to a page.

    >>> unpack(pack({"hands": [[1, 2]]}))
    {'hands': [[1, 2]]}
    """
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # without a time in it, so that the same solution makes the same page
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")


def unpack(letters: str) -> Any:  # Any: whatever JSON has
    """Read back what `pack` wrote."""
    return json.loads(gzip.decompress(base64.b64decode(letters)))


def read_blocks(page: str) -> dict[str, Any]:
    """Read all data blocks of a page, by name.

    >>> read_blocks(f'<script type="application/octet-stream" id="data-b0">{pack([1])}</script>')
    {'b0': [1]}
    """
    return {name: unpack(letters) for name, letters in _BLOCK.findall(page)}


def thousandths(values: F8) -> list[Any]:
    """Whole thousandths, as a page prints them.

    >>> thousandths(np.array([0.5, -0.0004]))
    [500, 0]
    """
    whole: list[Any] = np.rint(values * 1000.0).astype(np.int64).tolist()
    return whole


def thousandths_of_probs(probs: F8) -> list[Any]:
    """Whole thousandths of probabilities; -1 is what happens, but less often than half of one.

    >>> thousandths_of_probs(np.array([0.0, 1e-5, 0.25]))
    [0, -1, 250]
    """
    whole = np.rint(probs * 1000.0).astype(np.int64)
    whole[(probs > 0.0) & (whole == 0)] = -1
    listed: list[Any] = whole.tolist()
    return listed


def round_reach(chances: Sequence[float] | F8) -> list[float]:
    """Chances to three digits that count.

    >>> round_reach([0.0123456, 1.0])
    [0.0123, 1.0]
    """
    return [float(f"{chance:.3g}") for chance in chances]
