"""The package solves what the command line solves, in the same way, and nothing that it says is taken on trust."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict

import networkx as nx
import numpy as np

import quadrille as q

#: Network, collective, keywords and the same as flags.
PROBLEMS = [
    ("torus:4x4", "alltoall", {}, []),
    ("petersen", "allgather", {"seed": 3}, ["--seed", "3"]),
    ("mesh:3x4", "broadcast", {"root": 5, "ports": 1}, ["--root", "5", "--ports", "one"]),
    ("ring:8", "alltoall", {"senders": [0, 1, 2], "receivers": [5, 6]}, ["--senders", "0-2", "--receivers", "5,6"]),
    (
        "kautz:2,2",
        "alltoall",
        {"method": "packing", "ticks": 200_000, "seed": 7},
        ["--method", "packing", "--ticks", "200000", "--seed", "7"],
    ),
    (
        "hypercube:3",
        "allreduce",
        {"combining": True, "chunks": 2, "ticks": 20_000},
        ["--combining", "--chunks", "2", "--ticks", "20000"],
    ),
    (
        "mesh:3x3",
        "allgather",
        {"switching": "store-and-forward", "half_duplex": True},
        ["--switching", "store-and-forward", "--half-duplex"],
    ),
    (
        "mesh:3x3",
        "alltoall",
        {"fail_link": [(0, 1), "4>5"], "fail_node": 8},
        ["--fail-link", "0-1", "--fail-link", "4>5", "--fail-node", "8"],
    ),
    ("torus:3x4", "allgather", {"groups": "rows"}, ["--groups", "rows"]),
    (
        "ring:6",
        "scatter",
        {"groups": [[0, 1, 2], [3, 4, 5]], "roots": [1, 4]},
        ["--groups", "0-2/3-5", "--roots", "1,4"],
    ),
    ("ring:4", "allgatherv", {"counts": [3, 1, 0, 2]}, ["--counts", "3,1,0,2"]),
    ("ring:6", "neighbor_alltoall", {"graph": nx.cycle_graph(6)}, ["--graph", "ring:6"]),
    (
        "hypercube:3",
        "allgather",
        {"method": "umda", "param": {"population": 20}, "ticks": 400_000},
        ["--method", "umda", "--param", "population=20", "--ticks", "400000"],
    ),
    (
        "hypercube:4",
        "alltoall",
        {"slack": 0, "threads": 1, "orbits": True},
        ["--slack", "0", "--threads", "1", "--orbits"],
    ),
    (
        "ring:4",
        "allgather",
        {"bytes": 1e6, "bandwidth": 25, "latency": 0.7},
        ["--bytes", "1M", "--bandwidth", "25GB/s", "--latency", "0.7us"],
    ),
    (
        "dgx2:1",
        "broadcast",
        {"bytes": "1M", "chunks": 4, "slow_link": {(0, 16): 0.5}},
        ["--bytes", "1M", "--chunks", "4", "--slow-link", "0-16=0.5"],
    ),
]


def program(*words):
    """What the command line prints; it is another process."""
    command = [os.environ["QUADRILLE"]] if "QUADRILLE" in os.environ else [sys.executable, "-m", "quadrille"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class SameAsTheCommandLine(unittest.TestCase):
    def test_schedules_are_the_same(self):
        for network, collective, keywords, flags in PROBLEMS:
            with self.subTest(network=network, collective=collective), tempfile.TemporaryDirectory() as folder:
                own, other = os.path.join(folder, "own.json"), os.path.join(folder, "other.json")
                result = q.solve(network, collective, **keywords)
                result.save(own)
                said = json.loads(program("solve", network, collective, *flags, "--json", "-o", other))
                with open(own, encoding="utf-8") as mine, open(other, encoding="utf-8") as theirs:
                    one, two = json.load(mine), json.load(theirs)
                for document in (one, two):
                    document.pop("provenance", None)
                self.assertEqual(one, two)
                self.assertEqual(result.steps, said.get("steps"))
                self.assertEqual(result.time_us, said.get("time_us"))
                self.assertEqual(
                    (result.method, result.optimal, result.stopped), (said["method"], said["optimal"], said["stopped"])
                )
                self.assertTrue(q.check(result).valid)

    def test_bounds_and_lists_are_the_same(self):
        for verb, function in (
            ("networks", q.families),
            ("collectives", q.collectives),
            ("methods", q.methods),
            ("formats", q.formats),
        ):
            self.assertEqual(json.loads(program(verb, "--json")), function())
        own, other = q.bound("levi", "alltoall"), json.loads(program("bound", "levi", "alltoall", "--json"))
        self.assertEqual(own["bound"], other["bound"])
        self.assertEqual(own.certificate, other["certificate"])
        self.assertGreater(len(q.bound("ring:5", "alltoall", all=True).bounds), 1)

    def test_a_number_names_a_node_as_its_label_does(self):
        by_number, by_label = q.solve("mesh:3x3", "scatter", root=4), q.solve("mesh:3x3", "scatter", root="1,1")
        self.assertEqual(by_number.transfers, by_label.transfers)
        self.assertEqual(
            {transfer.messages[0] for transfer in by_number.transfers if transfer.sender == "1,1"}, set(range(8))
        )


class Transfers(unittest.TestCase):
    def test_what_is_shown_delivers_everything_without_a_collision(self):
        for graph in (
            nx.petersen_graph(),
            nx.grid_2d_graph(3, 3),
            nx.DiGraph([(a, (a + d) % 7) for a in range(7) for d in (1, 3)]),
        ):
            result = q.solve(graph, "alltoall", ticks=300_000)
            at = {}
            met = defaultdict(set)
            for transfer in result.transfers:
                message, path = transfer.messages[0], transfer.path
                self.assertEqual(at.get(message, path[0]), path[0])
                at[message] = path[-1]
                for hop in zip(path, path[1:]):
                    self.assertTrue(graph.has_edge(*hop))
                    self.assertNotIn(hop, met[transfer.step])
                    met[transfer.step].add(hop)
            ends = {(transfer.sender, transfer.receiver) for transfer in result.transfers}
            self.assertEqual(len(at), len(graph) * (len(graph) - 1))
            self.assertEqual(len(ends), len(at))
            self.assertEqual(len(met), result.steps)
            self.assertLessEqual(result.usage().max(), 1)
            self.assertEqual(result.usage().sum(), sum(len(hops) for hops in met.values()))

    def test_list_table_and_array_say_the_same(self):
        for keywords in ({}, {"bytes": "1M", "bandwidth": 25}):
            result = q.solve("ring:5", "allgather", **keywords)
            rows, table, array = result.transfers, result.table(), result.to_numpy()
            self.assertEqual(len(rows), len(result))
            self.assertEqual([row.step for row in rows], table["step"])
            self.assertEqual([row.hops for row in rows], array["hops"].tolist())
            self.assertEqual([row.sender for row in rows], array["from"].tolist())
            self.assertEqual([row.receiver for row in rows], array["to"].tolist())
            self.assertEqual([row.messages[0] for row in rows], array["message"].tolist())
            if keywords:
                self.assertAlmostEqual(max(row.end_us for row in rows), result.time_us)
                self.assertEqual([row.begin_us for row in rows], array["begin_us"].tolist())
                self.assertEqual(table["end_us"], array["end_us"].tolist())

    def test_schedules_stored_as_orbits_have_transfers(self):
        result = q.solve("hypercube:4", "alltoall", orbits=True)
        self.assertEqual(np.bincount(result.to_numpy()["hops"]).tolist(), [0, 64, 96, 64, 16])


class Files(unittest.TestCase):
    def test_other_formats_are_those_of_export(self):
        result = q.solve("ring:5", "alltoall")
        with tempfile.TemporaryDirectory() as folder:
            own = os.path.join(folder, "own.json")
            result.save(own)
            for name, to, size in (
                ("x.csv", None, None),
                ("x.tex", "table", None),
                ("x.goal", None, "1M"),
                ("x.svg", None, None),
            ):
                path, other = os.path.join(folder, name), os.path.join(folder, "other-" + name)
                result.save(path, to, bytes=size)
                flags = [] if size is None else ["--bytes", size]
                program("export", own, "--to", to or name[2:], "-o", other, *flags)
                with open(path, encoding="utf-8") as mine, open(other, encoding="utf-8") as theirs:
                    self.assertEqual(mine.read(), theirs.read())


class Times(unittest.TestCase):
    def test_bandwidths_are_those_of_the_time(self):
        result = q.solve("ring:4", "allreduce", bytes=64e6, bandwidth=25, latency=1)
        self.assertAlmostEqual(result.algbw, 64e6 / result.time_us / 1000)
        self.assertAlmostEqual(result.busbw, result.algbw * 2 * 3 / 4)
        self.assertGreaterEqual(result.time_us, result.bound_us)
        self.assertAlmostEqual(result.gap, result.time_us - result.bound_us)
        self.assertIsNone(result.steps)

    def test_sizes_are_rows_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            tuned = q.tune(
                "ring:4", "allgather", "1K,64K", bandwidth=25, latency=1, output=os.path.join(folder, "schedules")
            )
            self.assertEqual([size.bytes for size in tuned.sizes], [1000, 64000])
            for size in tuned.sizes:
                self.assertAlmostEqual(q.load(size.file).time_us, size.time_us)


if __name__ == "__main__":
    unittest.main()
