"""Linear programs and rational proofs: the values of small rounds, exactly."""
