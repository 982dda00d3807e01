"""Mixtures of actions, and how players of solved strategies draw from them in both families."""

from collections.abc import Mapping
from itertools import accumulate
from typing import TypeAlias, TypeVar

import numpy as np

A = TypeVar("A")
Mixture: TypeAlias = tuple[tuple[A, ...], tuple[float, ...]]
"""Actions that are played at all, and the running sum of their probabilities."""


def to_mixture(probs: Mapping[A, float]) -> Mixture[A]:
    """Keep what is played, with the running sum of the probabilities."""
    played = {action: p for action, p in probs.items() if p > 0.0}
    return tuple(played), tuple(accumulate(played.values()))


def draw_action(mixture: Mixture[A], rng: np.random.Generator) -> A:
    """Draw an action with one number of ``rng``."""
    actions, rising = mixture
    point = rng.random() * rising[-1]
    for action, below in zip(actions, rising, strict=True):
        if point < below:
            return action
    return actions[-1]  # unreachable but for rounding
