"""The entry point of the packaged program."""

import sys

from game.__main__ import main

sys.exit(main())
