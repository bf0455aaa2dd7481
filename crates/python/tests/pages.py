"""Runs the code of a page or a notebook and compares, or with --write fills in, what it prints.

In a page, each block marked `python` is run, one after the other; the block marked `text` behind it holds what it prints. In a notebook,
the last expression of a cell is shown as a notebook shows it.

Usage: python pages.py [--write] FILE...
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<text>.*?)^```\n)?", re.S | re.M)


def run(code: str, names: dict[str, Any], where: str, *, shown: bool = False) -> tuple[str, Any]:
    """What the code prints, and the value of its last expression, if `shown`."""
    tree, last = ast.parse(code, where), None
    if shown and tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, where, "exec"), names)
        value = None if last is None else eval(compile(last, where, "eval"), names)
    return said.getvalue(), value


@contextlib.contextmanager
def elsewhere():
    """A folder of its own for the files that a page writes."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def page(path: Path) -> tuple[str, list[str]]:
    """The page as it ought to be, and where it is not."""
    text, names, faults = path.read_text(encoding="utf-8"), {"__name__": "page"}, []

    def fill(block: re.Match[str]) -> str:
        where = f"{path.name}:{text.count(chr(10), 0, block.start()) + 1}"
        said, _ = run(block["code"], names, where)
        if said != (block["text"] or ""):
            faults.append(f"{where}: prints\n{said}instead of\n{block['text']}")
        return f"```python\n{block['code']}```\n" + (f"\n```text\n{said}```\n" if said else "")

    with elsewhere():
        return BLOCK.sub(fill, text), faults


def outputs(said: str, value: Any) -> list[dict[str, Any]]:
    """What a cell shows, as a notebook keeps it."""
    shown: list[dict[str, Any]] = []
    if said:
        shown.append({"name": "stdout", "output_type": "stream", "text": said.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
            drawn = getattr(value, method, lambda: None)()
            if drawn:
                data[kind] = drawn.splitlines(keepends=True)
        shown.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return shown


def notebook(path: Path) -> tuple[str, list[str]]:
    """The same of a notebook."""
    document, names, faults = json.loads(path.read_text(encoding="utf-8")), {"__name__": "page"}, []
    with elsewhere():
        for number, cell in enumerate(document["cells"]):
            if cell["cell_type"] == "code":
                where = f"{path.name}, cell {number}"
                found = outputs(*run("".join(cell["source"]), names, where, shown=True))
                if found != cell["outputs"]:
                    faults.append(f"{where}: shows {str(found)[:400]}\ninstead of {str(cell['outputs'])[:400]}")
                cell["outputs"] = found
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n", faults


def made(path: Path) -> tuple[str, list[str]]:
    """What a file ought to be, and where it is not."""
    return notebook(path) if path.suffix == ".ipynb" else page(path)


def main() -> int:
    """Compares or writes the files that are named."""
    write = "--write" in sys.argv
    status = 0
    for name in [name for name in sys.argv[1:] if name != "--write"]:
        text, faults = made(Path(name).resolve())
        if write:
            Path(name).write_text(text, encoding="utf-8")
        elif faults:
            print("\n".join(faults), file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
