"""What there is to do: the verbs of the command line with keywords for flags, on networks in memory."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Union

from . import _quadrille
from .errors import NoSchedule, Rejected, ended
from .network import NetworkLike, network as network_of
from .progress import Callback, told
from .result import Result
from .words import Words, said, warn


class Answer(dict[str, Any]):
    """What a verb says with `--json`; its entries are attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no `{name}`: entries are {', '.join(self)}") from None


def _posed(verb: str, network: NetworkLike, collective: str, asked: dict[str, Any]) -> tuple[Words, Any, Any, Any]:
    """The words of a problem, its network, and the graph of its processes; takes out of `asked` what it knows."""
    chosen = network_of(network)
    words = Words(verb, "-", collective, network=chosen)
    take = asked.pop
    words.node("root", take("root", None))
    for name in ("roots", "senders", "receivers"):
        words.nodes(name, take(name, None))
    words.groups("groups", take("groups", None)).counts("counts", take("counts", None)).pairs(
        "pairs", take("pairs", None)
    )
    words.links("fail_link", take("fail_link", None)).each("fail_node", take("fail_node", None))
    words.slowed("slow_link", take("slow_link", None)).parameters("param", take("param", None))
    words.value("bandwidth", take("bandwidth", None), "GB/s").value("latency", take("latency", None), "us")
    graph = take("graph", None)
    graph = None if graph is None else network_of(graph)
    for name, value in asked.items():
        if isinstance(value, bool):
            words.flag(name, value)
        else:
            words.value(name, value)
    return words, chosen, chosen._core, graph and graph._core


def solve(
    network: NetworkLike,
    collective: str,
    *,
    time: Optional[float] = None,
    seed: int = 1,
    method: str = "auto",
    ticks: Optional[int] = None,
    draws: Optional[int] = None,
    threads: Optional[int] = None,
    steps: Optional[int] = None,
    slack: Optional[int] = None,
    param: Optional[dict[str, Any]] = None,
    root: Any = None,
    roots: Any = None,
    senders: Any = None,
    receivers: Any = None,
    groups: Any = None,
    members_only: bool = False,
    counts: Any = None,
    pairs: Any = None,
    graph: Optional[NetworkLike] = None,
    chunks: Union[int, str, None] = None,
    ports: Union[int, str, None] = None,
    half_duplex: bool = False,
    switching: str = "wormhole",
    switches: Optional[str] = None,
    combining: bool = False,
    fail_link: Any = None,
    fail_node: Any = None,
    slow_link: Any = None,
    bytes: Union[int, str, None] = None,
    bandwidth: Union[float, str, None] = None,
    latency: Union[float, str, None] = None,
    orbits: bool = False,
    progress: Union[bool, Callback, None] = None,
) -> Result:
    """The best schedule found, verified, with a certified bound: the same as `quadrille solve`, whose flags the keywords are.

    Nodes are named as in `network`: `root`, lists for `roots`, `senders` and `receivers`, lists of lists for `groups`, pairs for
    `pairs` and `fail_link`. `time` is in seconds; without it the search ends by its ticks, the same on any machine. With `bytes` (64e6
    or "64M") the result counts microseconds; a number for `bandwidth` is in GB/s, for `latency` in µs. `progress` is True, or is called
    with a dictionary now and then.

    Raises `BadInput`; `NoSchedule` where none was found; on Ctrl-C `Interrupted` with the best until then as `result`.
    """
    asked = {name: value for name, value in locals().items() if name not in ("network", "collective", "progress")}
    words, chosen, core, processes = _posed("solve", network, collective, asked)
    with told(progress, time) as callback:
        made, (_, text, warnings), raised = _quadrille.solve(list(words), core, processes, callback)
    warn(warnings)
    result = None if made is None else Result(made, chosen, json.loads(text))
    if raised is not None:
        raise ended(raised, result)
    assert result is not None, "what ends without an exception has a schedule"
    return result


def _ask(words: list[str], core: Any = None, graph: Any = None) -> Any:
    """The document that a verb prints."""
    return said([*words, "--json"], core, graph, lambda text: json.loads(text, object_hook=Answer))


def bound(network: NetworkLike, collective: str, *, time: Optional[float] = None, **problem: Any) -> Answer:
    """A number of steps (`bound`), or with `bytes` of microseconds (`bound_us`), below which no schedule exists, and its `certificate`.

    Takes the keywords of a problem that `solve` takes, and `all=True` for every bound that applies.
    """
    words, _, core, graph = _posed("bound", network, collective, {"time": time, **problem})
    return _ask(words, core, graph)


def tune(
    network: NetworkLike,
    collective: str,
    bytes: str,
    *,
    points: Optional[int] = None,
    time: Optional[float] = None,
    seed: int = 1,
    output: Union[str, os.PathLike[str], None] = None,
    to: Optional[str] = None,
    **problem: Any,
) -> Answer:
    """The fastest schedule of each size, such as "1K..1G", beside what libraries do; `sizes` is ready for `pandas.DataFrame`.

    `output` is a picture (.svg), a folder for the schedules, or, with `to`, the file of a library: nccl-tuner, ompi-tuned, mpich, ucc.
    """
    asked = {"bytes": bytes, "points": points, "time": time, "seed": seed, "to": to, **problem}
    words, _, core, graph = _posed("tune", network, collective, asked)
    if output is not None:
        words.file(os.fspath(output))
    return _ask(words, core, graph)


def check(what: Union[Result, str, os.PathLike[str]], **flags: bool) -> Answer:
    """Everything that a schedule file, or the file of a result, claims, derived again: `valid`, `steps`, `bound`, `violations`, …

    `deadlock=True` tells whether messages may block each other if steps overlap; `all=True` gives all violations.
    """
    if isinstance(what, Result):
        with what._file() as own:
            return check(own, **flags)
    words = Words("check", os.fspath(what))
    for name, on in flags.items():
        words.flag(name, on)
    return _ask(words)


def load(path: Union[str, os.PathLike[str]]) -> Result:
    """The schedule of a file, verified, with its bound, certified.

    Raises `Rejected` where the schedule breaks a rule or the bound does not hold, `BadInput` where the file holds no schedule.
    """
    path = os.fspath(path)
    try:
        result = Result(_quadrille.load(path))
    except NoSchedule:
        result = None
    # Without a bound, none was in the file, or what is there does not hold.
    if result is None or result.certificate is None:
        found = check(path)
        if not found.valid:
            count = found.violation_count
            raise Rejected(
                f"{path}: {count} violation{'s' if count > 1 else ''}: {found.violations[0].text}", found.violations
            )
    assert result is not None, "a valid file has a valid schedule"
    return result


def families() -> list[Answer]:
    """The families of networks: `name`, `form`, `about`, `source`, `examples`."""
    return _ask(["networks"])


def collectives() -> list[Answer]:
    """The collectives: `name`, `also`, `about`, `parameters`, `semantics`, `source`."""
    return _ask(["collectives"])


def formats() -> Any:
    """The formats of networks and schedules, with what they hold."""
    return _ask(["formats"])


def methods(name: Optional[str] = None) -> Any:
    """The methods that make schedules, or one of them: `name`, `about`, `source`, `kind`, `steps`, `parameters`, …"""
    return _ask(["methods"] if name is None else ["methods", name])
