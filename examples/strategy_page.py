"""Write a page to look around in a strategy; give a name to keep it, such as page.html."""

import sys
import tempfile
from pathlib import Path

from liarsolve import presets, solve

solution = solve(presets.COMMON.replace(faces=4), dice=(2, 1), target=1e-3)
with tempfile.TemporaryDirectory() as folder:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(folder) / "page.html")
    page = solution.export_html(path, min_reach=1e-3)
    print(f"{path.name}: {page.n_written} sequences of bids, {page.n_bytes / 1e3:.0f} kB")
    print("open it in a browser; name.html#1x3,2x3 leads to what follows these bids")
