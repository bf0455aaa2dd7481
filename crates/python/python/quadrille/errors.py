"""What is raised: one kind a cause, in the words of the command line, with keywords where it says flags."""

from __future__ import annotations

import re
from typing import Any, Optional


class QuadrilleError(Exception):
    """What all errors of this package are. `hint` says what to do about it."""

    def __init__(self, message: str, hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class BadInput(QuadrilleError, ValueError):
    """A network, a node, a keyword or a file that is not what it should be."""


class NoSchedule(QuadrilleError):
    """The answer is no: nothing was found in the time, or nothing can be done."""


class Rejected(QuadrilleError):
    """A schedule breaks rules, or its bound does not hold.

    `violations` has a dictionary for each: its `rule`, its numbers by name, and a sentence as `text`.
    """

    def __init__(self, message: str, violations: list[dict[str, Any]]) -> None:
        super().__init__(message)
        self.violations = violations


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search. `result` is the best verified schedule until then, or `None`; of `tune` the sizes until then."""

    def __init__(self, result: Any) -> None:
        said = "nothing was found until then" if result is None else f"`.result` has the best until then: {result}"
        super().__init__(said)
        self.result = result


def ended(raised: BaseException, result: Any) -> BaseException:
    """What is raised where a call was ended early with a result, or with none."""
    if not isinstance(raised, KeyboardInterrupt):
        return raised
    interrupted = Interrupted(result)
    interrupted.__suppress_context__ = True
    return interrupted


#: Verbs of the command line that are functions here, by other names.
_VERBS = {
    "networks": "families",
    "collectives": "collectives",
    "methods": "methods",
    "formats": "formats",
    "check": "check",
}


def in_keywords(text: str) -> str:
    """A text of the command line, for those who write keywords."""
    text = re.sub(r"usage: quadrille .*; see `quadrille help .*`", "`help(quadrille.solve)` tells the keywords", text)
    text = re.sub(
        r"`quadrille (\w+)`", lambda verb: f"`quadrille.{_VERBS[verb[1]]}()`" if verb[1] in _VERBS else verb[0], text
    )
    return re.sub(r"(?<!\w)--([a-z][a-z-]*)( <[^>]*>)?", lambda flag: flag[1].replace("-", "_"), text)


def refusal(message: str, hint: Optional[str], status: int) -> QuadrilleError:
    """The exception for what the command line refuses with that exit status."""
    kind = BadInput if status == 2 else NoSchedule
    return kind(in_keywords(message), in_keywords(hint) if hint else None)
