"""How far a search is: a bar of tqdm, lines on stderr where tqdm is not installed, or a function of one's own."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, Optional, Union

#: Called with a dictionary now and then: `seconds`, `method`, `steps` (the best until now, or `None`), `bound`, and the `target`
#: that the method works on with so many transfers still `open`. In time: `time_us` (the best until now, or `None`), and the
#: `bound_us` of schedules in as many `chunks` as the method tries.
Callback = Callable[[dict[str, Any]], object]


def text(state: dict[str, Any]) -> str:
    """A state in a line."""
    if "bound_us" in state:
        best = "?" if state["time_us"] is None else f"{state['time_us']:.6g}"
        return f"{state['method']}  best {best} µs, at least {state['bound_us']:.6g} in {state['chunks']} chunks"
    best = "?" if state["steps"] is None else state["steps"]
    return f"{state['method']}  best {best}/{state['bound']}"


@contextlib.contextmanager
def told(progress: Union[bool, Callback, None], seconds: Optional[float]) -> Iterator[Optional[Callback]]:
    """The function that is told, for as long as the search lasts."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            yield lambda state: print(f"{state['seconds']:6.1f} s  {text(state)}", file=sys.stderr)
            return
        with tqdm(
            total=seconds, unit="s", bar_format=None if seconds is None else "{l_bar}{bar}| {n:.1f}/{total:.1f} s"
        ) as bar:

            def update(state: dict[str, Any]) -> None:
                bar.set_description_str(text(state), refresh=False)
                bar.n = state["seconds"] if seconds is None else min(state["seconds"], seconds)
                bar.refresh()

            yield update
