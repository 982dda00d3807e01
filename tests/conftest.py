"""Tests compare what commands print, whatever has been compiled before."""

import os

os.environ.setdefault("LIARSOLVE_QUIET", "1")
