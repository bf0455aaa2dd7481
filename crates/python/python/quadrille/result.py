"""Results: verified schedules with their bounds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _quadrille, pictures
from .network import Network
from .optional import need
from .words import Words, said

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Transfer:
    """One transfer of a schedule."""

    step: int
    sender: Hashable
    receivers: tuple[Hashable, ...]
    messages: tuple[int, ...]
    path: tuple[Hashable, ...]
    """The nodes from the sender to the receiver; of a transfer in time that branches, the ends of its channels in order."""
    begin_us: Optional[float] = None
    end_us: Optional[float] = None

    @property
    def receiver(self) -> Hashable:
        """The receiver; of several the first."""
        return self.receivers[0]

    @property
    def hops(self) -> int:
        """Channels from the sender to the receiver."""
        return len(self.path) - 1


class Result:
    """A schedule that was verified, with the bound that was certified. It has steps, or, of a problem with `bytes`, times."""

    def __init__(
        self, core: _quadrille.Schedule, network: Optional[Network] = None, answer: Optional[dict[str, Any]] = None
    ) -> None:
        self._core = core
        self._facts = core.facts()
        self._answer = answer or {}
        self._columns: Optional[dict[str, bytes]] = None
        # What was solved may have fewer channels than what was given, but its nodes have the same names.
        names = network.nodes if network is not None and network._objects else None
        self._network = Network(core.network(), names)

    @property
    def network(self) -> Network:
        """The network."""
        return self._network

    @property
    def collective(self) -> str:
        """The collective."""
        return self._facts["collective"]

    @property
    def is_timed(self) -> bool:
        """Whether it has times in microseconds instead of steps."""
        return "time_us" in self._facts

    @property
    def steps(self) -> Optional[int]:
        """How many steps it has; `None` in time."""
        return self._facts.get("steps")

    @property
    def time_us(self) -> Optional[float]:
        """Its microseconds; `None` in steps."""
        return self._facts.get("time_us")

    @property
    def bound(self) -> Optional[int]:
        """No schedule has fewer steps than this, which is proved; `None` in time, or without a bound in the file."""
        return self._facts.get("bound")

    @property
    def bound_us(self) -> Optional[float]:
        """No schedule takes fewer microseconds than this, which is proved."""
        return self._facts.get("bound_us")

    @property
    def optimal(self) -> bool:
        """Whether the schedule meets the bound."""
        return self._facts["optimal"]

    @property
    def gap(self) -> Union[int, float, None]:
        """Steps, or microseconds, above the bound."""
        if self.is_timed:
            return None if self.bound_us is None else self.time_us - self.bound_us  # type: ignore[operator]
        return None if self.bound is None else self.steps - self.bound  # type: ignore[operator]

    @property
    def certificate(self) -> Optional[str]:
        """The kind of the bound's proof."""
        return self._facts["certificate"]

    @property
    def chunks(self) -> int:
        """Chunks that every message is cut into."""
        return self._facts["chunks"]

    @property
    def algbw(self) -> Optional[float]:
        """In time: bytes of the collective over its time, in GB/s."""
        return self._facts.get("algbw")

    @property
    def busbw(self) -> Optional[float]:
        """In time: the same times the factor of the collective, as nccl-tests tells it, in GB/s."""
        return self._facts.get("busbw")

    @property
    def method(self) -> str:
        """The method that made the schedule."""
        return self._facts["method"]

    @property
    def seed(self) -> Optional[int]:
        """Seed of random choices."""
        return self._facts["seed"]

    @property
    def seconds(self) -> Optional[float]:
        """Seconds that it took to find."""
        return self._facts["seconds"]

    @property
    def stopped(self) -> Optional[str]:
        """Why the search ended: optimal, steps, time, interrupted, exhausted or ticks; `None` of a file."""
        return self._answer.get("stopped")

    @property
    def identity(self) -> Optional[str]:
        """The member of a family that the network is isomorphic to, where one was found."""
        return self._answer.get("identity")

    @property
    def reports(self) -> list[dict[str, Any]]:
        """What each method did."""
        return self._answer.get("methods", [])

    def _column(self, name: str) -> Any:
        if self._columns is None:
            self._columns = self._core.transfers()
        kinds: Any = {"step": "Q", "messages": "Q", "begin_us": "d", "end_us": "d"}
        return memoryview(self._columns[name]).cast("Q" if name.endswith("_ends") else kinds.get(name, "I"))

    def _lists(self, name: str) -> Iterator[list[int]]:
        values, begin = self._column(name).tolist(), 0
        for end in self._column(f"{name}_ends"):
            yield values[begin:end]
            begin = end

    def __len__(self) -> int:
        return self._facts["transfers"]

    @property
    def transfers(self) -> list[Transfer]:
        """All transfers, in the order of the schedule."""
        return list(self._transfers())

    def _transfers(self) -> Iterator[Transfer]:
        nodes = self.network.nodes
        target = memoryview(self.network._core.ends()).cast("I")[1::2].tolist()
        times: Any = (
            zip(self._column("begin_us"), self._column("end_us")) if self.is_timed else iter(lambda: (None, None), 0)
        )
        columns = zip(
            self._column("step"),
            self._column("from"),
            self._lists("to"),
            self._lists("messages"),
            self._lists("channels"),
            times,
        )
        for step, sender, to, messages, channels, (begin, end) in columns:
            path = (nodes[sender], *(nodes[target[channel]] for channel in channels))
            yield Transfer(step, nodes[sender], tuple(nodes[v] for v in to), tuple(messages), path, begin, end)

    def table(self) -> dict[str, list[Any]]:
        """Columns with a row a transfer, ready for `pandas.DataFrame`."""
        rows = self.transfers
        columns: dict[str, list[Any]] = {
            "step": [row.step for row in rows],
            "from": [row.sender for row in rows],
            "to": [row.receiver if len(row.receivers) == 1 else row.receivers for row in rows],
            "messages": [row.messages for row in rows],
            "hops": [row.hops for row in rows],
            "path": [row.path for row in rows],
        }
        if self.is_timed:
            columns["begin_us"] = [row.begin_us for row in rows]
            columns["end_us"] = [row.end_us for row in rows]
        return columns

    def to_numpy(self) -> numpy.ndarray:
        """A record a transfer: `step`, `from` and `to` (numbers of nodes; of several receivers the first), `message` (of several the
        first), `messages` and `hops` (how many), and in time `begin_us` and `end_us`."""
        numpy = need("numpy")

        def array(name: str) -> Any:
            return numpy.asarray(self._column(name))

        def count(name: str) -> Any:
            return numpy.diff(array(f"{name}_ends").astype("int64"), prepend=0)

        def first(name: str) -> Any:
            return array(name)[array(f"{name}_ends").astype("int64") - count(name)]

        fields = {"step": array("step"), "from": array("from"), "to": first("to"), "message": first("messages")}
        fields.update(messages=count("messages"), hops=count("channels"))
        if self.is_timed:
            fields.update(begin_us=array("begin_us"), end_us=array("end_us"))
        return numpy.rec.fromarrays(list(fields.values()), names=list(fields))

    def usage(self) -> numpy.ndarray:
        """How often each channel is used in each step: an array of shape (steps, channels)."""
        numpy = need("numpy")
        ends = numpy.asarray(self._column("channels_ends")).astype("int64")
        each = numpy.diff(ends, prepend=0)
        step = numpy.repeat(numpy.asarray(self._column("step")).astype("int64"), each)
        used = numpy.zeros(
            (int(self.steps or (step.max() + 1 if len(step) else 0)), self.network._core.channels), dtype="int64"
        )
        numpy.add.at(used, (step, numpy.asarray(self._column("channels"))), 1)
        return used

    @contextmanager
    def _file(self) -> Iterator[str]:
        """Its schedule file, for a verb that takes one."""
        with tempfile.TemporaryDirectory(prefix="quadrille-") as folder:
            path = os.path.join(folder, "schedule.json")
            self._core.write(path)
            yield path

    def save(
        self,
        path: Union[str, os.PathLike[str]],
        to: Optional[str] = None,
        *,
        bytes: Union[int, str, None] = None,
    ) -> None:
        """Writes it in the format that is the ending (.json or .qdr, with its proof, .csv, .svg, .html, .npz), or `to` another of `formats`.

        A name may end in .gz besides. `bytes` is the size of the collective, for formats that hold sizes and a schedule of steps."""
        path = os.fspath(path)
        to = to or path.removesuffix(".gz").rpartition(".")[2]
        if to in ("json", "qdr"):
            self._core.write(path)
            return
        with self._file() as own:
            said(Words("export", own).value("to", to).value("bytes", bytes).file(path))

    def svg(
        self, *, step: Optional[int] = None, kind: str = "steps", message: Optional[int] = None, dark: bool = False
    ) -> str:
        """A picture: of all steps or one, or by `kind` "tree" of a message's tree, or "chromosome"; in time, bars."""
        with self._file() as own:
            words = Words("show", own).value("step", step).value("message", message).flag("dark", dark)
            words.value("as", None if kind == "steps" else kind)
            return pictures.drawn(lambda file: said([*words, f"-o{file}"]))

    def html(self) -> str:
        """The page that plays it, all in one."""
        with self._file() as own:
            return pictures.drawn(lambda file: said(["show", own, f"-o{file}"]), "html")

    def show(self, height: int = 640) -> None:
        """Plays it: in a notebook below the cell, elsewhere in a browser."""
        pictures.show(self.html(), height)

    def _repr_html_(self) -> str:
        from html import escape

        large = len(self.network) > pictures.MOST_NODES or (self.steps or 0) > pictures.MOST_STEPS
        return f"<p><code>{escape(str(self))}</code></p>" + ("" if large else self.svg())

    def __str__(self) -> str:
        what = f"{self.collective} on {self.network.name}"
        optimal = ": optimal" if self.optimal else ""
        if self.is_timed:
            bound = "no bound" if self.bound_us is None else f"lower bound {self.bound_us:.6g} µs"
            return f"{what}: {self.time_us:.6g} µs, {bound}{optimal}"
        bound = "no bound" if self.bound is None else f"lower bound {self.bound}"
        return f"{what}: {self.steps} steps, {bound}{optimal}"

    def __repr__(self) -> str:
        stopped = f", stopped: {self.stopped}" if self.stopped and not self.optimal else ""
        return f"<{self}; {len(self)} transfers by {self.method}{stopped}>"
