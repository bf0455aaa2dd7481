"""Pictures and pages, drawn by the verb `show` and kept as texts."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from collections.abc import Callable
from typing import Any

#: Nodes beyond which a notebook shows a line of text instead of a picture.
MOST_NODES = 256
#: Steps beyond which it does.
MOST_STEPS = 64


def drawn(draw: Callable[[str], Any], ending: str = "svg") -> str:
    """The text of the file that `draw` writes."""
    with tempfile.TemporaryDirectory(prefix="quadrille-") as folder:
        path = os.path.join(folder, f"drawn.{ending}")
        draw(path)
        with open(path, encoding="utf-8") as file:
            return file.read()


def in_frame(page: str, height: int) -> str:
    """A page within another."""
    source = html.escape(page, quote=True)
    return f'<iframe srcdoc="{source}" style="width:100%;height:{height}px;border:0"></iframe>'


def show(page: str, height: int) -> None:
    """Shows a page: in a notebook below the cell, elsewhere in a browser."""
    try:
        from IPython import get_ipython
        from IPython.display import HTML, display

        if get_ipython() is not None and get_ipython().__class__.__name__ != "TerminalInteractiveShell":
            display(HTML(in_frame(page, height)))
            return
    except ImportError:
        pass
    # The browser reads it after this returns, so it stays.
    with tempfile.NamedTemporaryFile("w", prefix="quadrille-", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(page)
    webbrowser.open(f"file://{file.name}")
