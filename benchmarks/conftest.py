"""Let the benchmarks import `games` and `peers`, as Python does for scripts in this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
