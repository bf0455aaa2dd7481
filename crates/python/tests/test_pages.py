"""Pages and the notebook do what they say."""

import unittest
from pathlib import Path

import pages

DOCS = Path(__file__).parents[3] / "docs"


class Pages(unittest.TestCase):
    def test_pages_print_what_they_say(self):
        for name in ("python.md", "python-figure.md", "python.ipynb"):
            path = DOCS / name
            text, faults = pages.made(path)
            self.assertEqual(faults, [], "python crates/python/tests/pages.py --write FILE writes it anew")
            self.assertEqual(text, path.read_text(encoding="utf-8"))

    def test_the_figure_is_that_of_the_page(self):
        names = {"__name__": "page"}
        blocks = list(pages.BLOCK.finditer((DOCS / "python-figure.md").read_text(encoding="utf-8")))
        with pages.elsewhere():
            for block in blocks:
                pages.run(block["code"], names, "python-figure.md")
            drawn = Path("prism.svg").read_text(encoding="utf-8")
        self.assertEqual(drawn, (DOCS / "pictures" / "prism-alltoall.svg").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
