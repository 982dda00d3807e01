"""``python -m liarsolve``, the same as the command ``liarsolve``."""

import sys

try:
    from liarsolve.cli.main import main

    status = main()
except KeyboardInterrupt:  # before `main` could answer it
    print("liarsolve: interrupted", file=sys.stderr)
    status = 1
sys.exit(status)
