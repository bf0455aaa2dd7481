"""The command line: `python -m quadrille solve torus:4x4 alltoall`."""

import signal
import sys

from . import _quadrille


def main() -> int:
    """Runs the program `quadrille` with the arguments of this one; the exit status."""
    # The program listens to Ctrl-C itself, and is not Python while it runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _quadrille.main(["quadrille", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
