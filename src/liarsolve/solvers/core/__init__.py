"""What all solvers share: limits, the loop that runs them, and what they return."""
