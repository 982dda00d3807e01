"""``python -m liarsolve``, the same as the command ``liarsolve``."""

import sys

from liarsolve.cli.main import main

sys.exit(main())
