"""Networks: nodes and channels, from a family, a file, links, or NetworkX, and back."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _quadrille, pictures
from .errors import BadInput
from .optional import need
from .words import Words, said, warn

if TYPE_CHECKING:
    import networkx
    import numpy

#: What is taken wherever a network is meant: one of these, a family such as "torus:4x4", a file, or a graph of NetworkX.
NetworkLike = Union["Network", str, "os.PathLike[str]", "networkx.Graph"]


class Network:
    """Nodes joined by channels. Make one with `network`, `from_networkx`, `from_links` or `from_channels`."""

    def __init__(self, core: _quadrille.Network, names: Optional[list[Hashable]] = None) -> None:
        self._core = core
        # Names that are not the labels: objects of a graph.
        self._objects = names is not None
        labels = core.labels
        if names is None:
            labelled = labels is not None and len(set(labels)) == len(labels)
            names = list(labels) if labels is not None and labelled else list(range(core.nodes))
        #: The name of each node: as in the graph it is from, or its label, or its number.
        self.nodes: list[Hashable] = names
        self._numbers = {name: number for number, name in enumerate(self.nodes)}

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, name: Optional[str] = None) -> Network:
        """The network of a graph; an undirected edge is a channel each way, a directed one a single channel.

        Attributes that count: of nodes `role` (or `kind`: terminal, host, switch), `transit` and `label`; of edges `capacity`,
        `bandwidth` (GB/s, or "25GB/s") and `latency` (µs, or "0.7us"). Nodes keep their names.
        """
        names = list(graph.nodes)
        places = {node: place for place, node in enumerate(names)}
        nodes = [(str(node), _attributes(known, {"kind": "role"})) for node, known in graph.nodes(data=True)]
        edges = [(places[a], places[b], _attributes(known, {})) for a, b, known in graph.edges(data=True)]
        core, ignored = _quadrille.graph(name or graph.name or "graph", graph.is_directed(), nodes, edges)
        # Nodes named 0 to n - 1 keep these numbers, in whatever order they come.
        if {str(node) for node in names} == {str(number) for number in range(len(names))}:
            names.sort(key=lambda node: int(str(node)))
        if ignored:
            warn(f"{core.name}: attributes that are not used: {', '.join(f'`{name}`' for name in ignored)}")
        return cls(core, names)

    @classmethod
    def from_links(cls, nodes: int, links: Iterable[tuple[int, int]], name: str = "links") -> Network:
        """The network of nodes 0 to n - 1 with a channel each way for every link."""
        return cls._from_pairs(nodes, links, name, directed=False)

    @classmethod
    def from_channels(cls, nodes: int, channels: Iterable[tuple[int, int]], name: str = "channels") -> Network:
        """The network of nodes 0 to n - 1 with these channels."""
        return cls._from_pairs(nodes, channels, name, directed=True)

    @classmethod
    def _from_pairs(cls, nodes: int, pairs: Iterable[tuple[int, int]], name: str, *, directed: bool) -> Network:
        edges: list[tuple[int, int, list[tuple[str, str]]]] = []
        for pair in pairs:
            a, b = (int(end) for end in pair)
            if not (0 <= a < nodes and 0 <= b < nodes):
                raise BadInput(
                    f"{name}: the link {a}-{b} ends at a node that is not there", f"nodes are 0 to {nodes - 1}"
                )
            edges.append((a, b, []))
        core, _ = _quadrille.graph(name, directed, [(str(node), []) for node in range(nodes)], edges)
        return cls(core)

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def terminals(self) -> list[Hashable]:
        """The nodes that send and receive."""
        return [self.nodes[number] for number in self._core.terminals]

    @property
    def channels(self) -> numpy.ndarray:
        """The ends of all channels as numbers of nodes: an array of shape (channels, 2)."""
        return need("numpy").frombuffer(self._core.ends(), dtype="uint32").reshape(-1, 2)

    def _carried(self, what: str, kind: str) -> Optional[numpy.ndarray]:
        known = self._core.carries().get(what)
        return None if known is None else need("numpy").frombuffer(known, dtype=kind)

    @property
    def capacity(self) -> Optional[numpy.ndarray]:
        """Transfers that each channel carries in a step; `None` where that is 1 for all."""
        return self._carried("capacity", "uint32")

    @property
    def bandwidth(self) -> Optional[numpy.ndarray]:
        """GB/s that each channel carries, where that is known."""
        return self._carried("bandwidth", "float64")

    @property
    def latency(self) -> Optional[numpy.ndarray]:
        """The latency of each channel in µs, where that is known."""
        return self._carried("latency", "float64")

    def number(self, node: Hashable, where: str = "node") -> int:
        """The number of a node, which is named as in `nodes`; a label's number names the node as well."""
        try:
            if node in self._numbers:
                return self._numbers[node]
        except TypeError:
            pass
        if not isinstance(node, (str, bytes)) and not self._objects:
            try:
                number = int(node)  # type: ignore[call-overload]
                if number == node and 0 <= number < len(self.nodes):
                    return number
            except (TypeError, ValueError):
                pass
        known = ", ".join(map(repr, self.nodes[:4])) + (", …" if len(self.nodes) > 4 else "")
        if not self._objects and self.nodes[0] != 0:
            known += f", or 0 to {len(self.nodes) - 1}"
        raise BadInput(f"{where}: {self.name} has no node {node!r}", f"its nodes are {known}")

    def edges(self) -> list[tuple[Hashable, Hashable]]:
        """The ends of all channels, by the names of the nodes."""
        ends = memoryview(self._core.ends()).cast("I")
        return [(self.nodes[a], self.nodes[b]) for a, b in zip(ends[0::2], ends[1::2])]

    def to_networkx(self) -> networkx.Graph:
        """A graph with the names, roles, capacities, bandwidths and latencies.

        It is undirected where every channel has one that is the same the other way, and a multigraph where channels are parallel.
        """
        networkx = need("networkx")
        carried = {
            name: memoryview(known).cast("I" if name == "capacity" else "d")
            for name, known in self._core.carries().items()
        }
        numbers = range(self._core.channels)
        rows = [(a, b, tuple(list_[at] for list_ in carried.values())) for at, (a, b) in zip(numbers, self.edges())]
        count = Counter(rows)
        undirected = all(count[b, a, known] == times for (a, b, known), times in count.items())
        if undirected:
            # One of the two: the first of each pair in order.
            left: Counter[Any] = Counter()
            kept = []
            for a, b, known in rows:
                if left[a, b, known]:
                    left[a, b, known] -= 1
                else:
                    left[b, a, known] += 1
                    kept.append((a, b, known))
            rows = kept
        ends = [frozenset(row[:2]) if undirected else row[:2] for row in rows]
        parallel = len(set(ends)) < len(ends)
        kinds = {
            (True, False): "Graph",
            (False, False): "DiGraph",
            (True, True): "MultiGraph",
            (False, True): "MultiDiGraph",
        }
        graph = getattr(networkx, kinds[undirected, parallel])(name=self.name)
        terminals, blocked = set(self._core.terminals), set(self._core.no_transit)
        for number, node in enumerate(self.nodes):
            role = (
                {} if len(terminals) == len(self.nodes) else {"role": "terminal" if number in terminals else "switch"}
            )
            graph.add_node(node, **role, **({"transit": False} if number in blocked else {}))
        graph.add_edges_from((a, b, dict(zip(carried, known))) for a, b, known in rows)
        return graph

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it; the ending says how: .json, .dot, .graphml, .svg, .edges or .txt."""
        self._core.write(os.fspath(path))

    def svg(self, *, dark: bool = False) -> str:
        """A picture of it."""
        return pictures.drawn(lambda file: said(Words("network", "-").flag("dark", dark).file(file), self._core))

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() if len(self.nodes) <= pictures.MOST_NODES else None

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<Network {self.name}: {len(self.nodes)} nodes, {self._core.channels} channels>"


def _attributes(known: Mapping[Any, Any], names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Attributes as text, under the names that the graph formats have."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        # A whole number may come as a float.
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

    return [(names.get(name, str(name)), text(value)) for name, value in known.items() if value is not None]


def network(
    what: NetworkLike,
    *,
    ports: Union[int, str, None] = None,
    half_duplex: bool = False,
    fail_link: Any = None,
    fail_node: Any = None,
    slow_link: Any = None,
    machines: Optional[int] = None,
    nvlink: Optional[str] = None,
    nic: Optional[str] = None,
    pcie: Optional[str] = None,
    socket: Optional[str] = None,
) -> Network:
    """A network of a family such as "torus:4x4", of a file such as "chip.graphml", of a graph, or one with changes.

    `ports` limits the messages a node sends and receives in a step ("all", "one" or a number); `fail_link` and `fail_node` take out
    links, such as (0, 1), and nodes; `slow_link` maps links to what is left of their bandwidth, such as {(0, 1): 0.5}. `machines`,
    `nvlink`, `nic`, `pcie` and `socket` are for files that describe a machine.
    """
    if not isinstance(what, (Network, str, os.PathLike)):
        if not all(hasattr(what, part) for part in ("nodes", "edges", "is_directed")):
            raise BadInput(
                f"{what!r} is not a network", 'give a family such as "torus:4x4", a file, a Network or a graph of NetworkX'
            )
        what = Network.from_networkx(what)
    given = what if isinstance(what, Network) else None
    words = Words("network", "-" if given else os.fspath(what), network=given)  # type: ignore[arg-type]
    words.value("ports", ports).flag("half_duplex", half_duplex)
    words.value("machines", machines)
    for name, rate in (("nvlink", nvlink), ("nic", nic), ("pcie", pcie), ("socket", socket)):
        words.value(name, rate, "GB/s")
    if given and len(words) == 2 and fail_link is None and fail_node is None and slow_link is None:
        return given
    if given is None and not (fail_link is None and fail_node is None and slow_link is None):
        # Names of nodes are those of the whole network.
        given = Network(_chosen(words, None))
        words = Words("network", "-", network=given)
    words.links("fail_link", fail_link).each("fail_node", fail_node).slowed("slow_link", slow_link)
    names = given.nodes if given and given._objects else None
    return Network(_chosen(words, given), names)


def _chosen(words: Words, given: Optional[Network]) -> _quadrille.Network:
    core, warnings = _quadrille.choose(list(words), None if given is None else given._core)
    warn(warnings)
    return core
