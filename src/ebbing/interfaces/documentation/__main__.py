"""`python -m ebbing.interfaces.documentation [FOLDER]`: write the generated pages and pictures, into docs."""

from __future__ import annotations

import sys
from pathlib import Path

from .generated_files import write

for path in write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")):
    print(path)
