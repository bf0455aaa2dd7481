"""Keywords as words of the command line, so that both take, mean and refuse the same."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import _quadrille
from .errors import BadInput, ended, in_keywords

if TYPE_CHECKING:
    from .network import Network


def warn(text: str) -> None:
    """Passes on what the command line would warn of."""
    for line in filter(None, text.splitlines()):
        warnings.warn(in_keywords(line.removeprefix("warning: ")), stacklevel=4)


def said(words: list[str], core: Any = None, graph: Any = None, of: Callable[[str], Any] = str) -> Any:
    """`of` what a verb says."""
    (_, text, warnings), raised = _quadrille.ask(list(words), core, graph)
    if raised is not None:
        raise ended(raised, of(text) if text else None)
    warn(warnings)
    return of(text)


class Words(list):  # type: ignore[type-arg]
    """A verb and its arguments. Nodes are looked up in a network and become numbers; a text goes as it is."""

    def __init__(self, *words: str, network: Optional[Network] = None) -> None:
        super().__init__(words)
        self._network = network
        self._names: Optional[dict[str, int]] = None

    def flag(self, name: str, on: bool) -> Words:
        """A flag, where it is on."""
        if on:
            self.append(_flag(name))
        return self

    def value(self, name: str, value: Any, unit: str = "") -> Words:
        """A flag with a value; a number gets the unit."""
        if value is None:
            return self
        if isinstance(value, bool):
            raise BadInput(f"{name}: {value} is not a value", "give a number or a text")
        if not isinstance(value, (str, os.PathLike)):
            value = f"{_plain(value)}{unit}"
        self.append(f"{_flag(name)}={os.fspath(value)}")
        return self

    def file(self, path: str) -> Words:
        """The file that is written."""
        self.append(f"-o{path}")
        return self

    def _number(self, name: str, node: Any) -> str:
        if isinstance(node, str) and (self._network is None or node not in self._network._numbers):
            return node
        if self._network is None:
            return str(node)
        number = self._network.number(node, name)
        # The name of another node may be the same text as this number.
        if self._names is None:
            self._names = {str(known): at for known, at in self._network._numbers.items()}
        return f"number:{number}" if self._names.get(str(number), number) != number else str(number)

    def node(self, name: str, node: Any) -> Words:
        """One node."""
        return self if node is None else self.value(name, self._number(name, node))

    def _several(self, nodes: Any) -> Iterable[Any]:
        """Nodes as they are listed; one alone is a list of itself. Any hashable thing may be the name of one."""
        named = self._network is not None and isinstance(nodes, Hashable) and nodes in self._network._numbers
        alone = named or isinstance(nodes, (str, bytes)) or not isinstance(nodes, Iterable)
        return [nodes] if alone else nodes

    def _list(self, name: str, nodes: Any) -> str:
        if isinstance(nodes, str) and self._network is not None and nodes not in self._network._numbers:
            return nodes
        return ",".join(self._number(name, node) for node in self._several(nodes))

    def nodes(self, name: str, nodes: Any) -> Words:
        """A list of nodes."""
        return self if nodes is None else self.value(name, self._list(name, nodes))

    def groups(self, name: str, groups: Any) -> Words:
        """Lists of nodes."""
        if groups is None or isinstance(groups, str):
            return self.value(name, groups)
        return self.value(name, "/".join(self._list(name, group) for group in groups))

    def each(self, name: str, nodes: Any) -> Words:
        """A flag for each node."""
        for node in () if nodes is None else self._several(nodes):
            self.node(name, node)
        return self

    def _link(self, name: str, link: Any) -> str:
        if isinstance(link, str):
            return link
        ends = tuple(link) if isinstance(link, Iterable) else ()
        if len(ends) != 2:
            raise BadInput(
                f"{name}: {link!r} is not a link",
                'give a pair of nodes, or a text: "A-B" for both directions, "A>B" for one',
            )
        return "-".join(self._number(name, end) for end in ends)

    def links(self, name: str, links: Any) -> Words:
        """A flag for each link: a pair, a text, or several of them."""
        if links is None:
            return self
        alone = isinstance(links, str) or (isinstance(links, tuple) and len(links) == 2 and not _pairs(links))
        for link in [links] if alone else links:
            self.value(name, self._link(name, link))
        return self

    def slowed(self, name: str, left: Any) -> Words:
        """A flag for each link with what is left of it: a mapping, a text, or several texts."""
        if isinstance(left, Mapping):
            left = [f"{self._link(name, link)}={part}" for link, part in left.items()]
        for text in () if left is None else [left] if isinstance(left, str) else left:
            self.value(name, text)
        return self

    def counts(self, name: str, counts: Any) -> Words:
        """Numbers of messages: a list, a matrix, a text or a file."""
        if counts is None or isinstance(counts, (str, os.PathLike)):
            return self.value(name, counts)
        flat = [count for row in counts for count in (row if isinstance(row, Iterable) else [row])]
        return self.value(name, ",".join(str(_plain(count)) for count in flat))

    def pairs(self, name: str, pairs: Any) -> Words:
        """Who sends to whom: a permutation by name, a file, a mapping, or pairs that may have a count."""
        if pairs is None or isinstance(pairs, (str, os.PathLike)):
            return self.value(name, pairs)
        rows = pairs.items() if isinstance(pairs, Mapping) else pairs
        lines = []
        for row in rows:
            ends, count = tuple(row)[:2], [str(_plain(count)) for count in tuple(row)[2:]]
            lines.append(" ".join([self._number(name, end) for end in ends] + count))
        folder = tempfile.mkdtemp(prefix="quadrille-")
        # The file lives as long as the words.
        weakref.finalize(self, shutil.rmtree, folder, True)
        path = os.path.join(folder, "pairs.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return self.value(name, path)

    def parameters(self, name: str, parameters: Optional[Mapping[str, Any]]) -> Words:
        """Parameters of a method."""
        for parameter, value in (parameters or {}).items():
            self.value(name, f"{parameter}={_plain(value)}")
        return self


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _plain(value: Any) -> Any:
    """A number of NumPy as a plain one; a whole float as a whole number."""
    value = value.item() if hasattr(value, "item") else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _pairs(links: tuple[Any, ...]) -> bool:
    """Whether two things are two links, not the ends of one."""
    return all(isinstance(link, (tuple, list)) and len(link) == 2 for link in links)
