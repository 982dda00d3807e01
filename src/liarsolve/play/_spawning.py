"""Generators and seeds that are drawn from a generator, one for each seat or game."""

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence

from liarsolve.errors import InputError


def check_spawns(rng: np.random.Generator) -> None:
    """Refuse a generator that cannot make others.

    Raises
    ------
    InputError
        If it was made without a seed sequence.
    """
    if not isinstance(rng.bit_generator.seed_seq, ISpawnableSeedSequence):
        raise InputError(
            "rng must be a generator that can spawn others, as numpy.random.default_rng makes them"
        )


def spawn_seeds(rng: np.random.Generator, n: int) -> list[np.random.SeedSequence]:
    """Take seeds of a generator that have nothing to do with each other.

    Raises
    ------
    InputError
        If the generator was made without a seed sequence, and cannot give any.
    """
    check_spawns(rng)
    return [child.bit_generator.seed_seq for child in rng.spawn(n)]  # type: ignore[misc]  # numpy's stubs promise only an interface
