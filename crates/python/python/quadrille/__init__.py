"""Conflict-free schedules of collective communications on any network, verified and certified.

>>> import quadrille as q
>>> result = q.solve("torus:4x4", "alltoall")
>>> result.steps, result.bound, result.optimal
(8, 8, True)
"""

from .errors import BadInput, Interrupted, NoSchedule, QuadrilleError, Rejected
from .network import Network, NetworkLike, network
from .result import Result, Transfer
from .verbs import Answer, bound, check, collectives, families, formats, load, methods, solve, tune

#: Reads the network of a file, as `network` does.
read = network

__all__ = [
    "Answer",
    "BadInput",
    "Interrupted",
    "Network",
    "NetworkLike",
    "NoSchedule",
    "QuadrilleError",
    "Rejected",
    "Result",
    "Transfer",
    "bound",
    "check",
    "collectives",
    "families",
    "formats",
    "load",
    "methods",
    "network",
    "read",
    "solve",
    "tune",
]
