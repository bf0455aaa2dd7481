"""Packages that only some functions need."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import QuadrilleError


def need(name: str) -> Any:
    """The package of that name, or an error that says how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise QuadrilleError(
            f"this needs the package {name}, which is not installed", f"pip install {name}"
        ) from missing
