"""Whatever is wrong raises one exception that says what, where and what to do; Ctrl-C ends a search and keeps its best."""

import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import redirect_stderr
from unittest import mock

import networkx as nx

import quadrille as q
from quadrille import pictures, progress

#: A call, the exception, and words of its message and its hint.
WRONG = [
    (lambda: q.network("tours:4x4"), q.BadInput, "no family of networks `tours`", "did you mean `torus`"),
    (lambda: q.network("torus:4x"), q.BadInput, "torus", ""),
    (lambda: q.network("nowhere.graphml"), q.BadInput, "nowhere.graphml: cannot be read", "a file that exists"),
    (lambda: q.network(7), q.BadInput, "7 is not a network", "a graph of NetworkX"),
    (lambda: q.network("ring:4", ports=0), q.BadInput, "ports: `0` is not a number of ports", "at least 1"),
    (lambda: q.network("ring:4", fail_link=[(0, 2)]), q.BadInput, "fail_link 0-2", ""),
    (lambda: q.network("ring:4", fail_link=[7]), q.BadInput, "fail_link: 7 is not a link", "a pair of nodes"),
    (lambda: q.network("ring:4", fail_node=9), q.BadInput, "fail_node: ring:4 has no node 9", "its nodes are 0, 1"),
    (
        lambda: q.network("ring:4", slow_link={(0, 1): 0.5}),
        q.BadInput,
        "slow_link: ring:4 has no bandwidths",
        "bandwidth",
    ),
    (lambda: q.network("ring:4", machines=2), q.BadInput, "no number of machines", "machines, nvlink"),
    (lambda: q.network(q.network("ring:4"), nvlink=25), q.BadInput, "no number of machines", "machines, nvlink"),
    (lambda: q.Network.from_links(3, [(0, 3)]), q.BadInput, "0-3 ends at a node that is not there", "0 to 2"),
    (lambda: q.Network.from_links(3, [(1, 1)]), q.BadInput, "node 1", ""),
    (lambda: q.Network.from_networkx(nx.Graph([(1, 0), ("1", 0)])), q.BadInput, "node 1: two nodes have this name", ""),
    (
        lambda: q.Network.from_networkx(nx.Graph([("a", "b", {"bandwidth": "fast"})])),
        q.BadInput,
        "link a b: the bandwidth is no number",
        "that node or link",
    ),
    (
        lambda: q.Network.from_networkx(nx.Graph([("a", "b", {"bandwidth": 1}), ("b", "c")])),
        q.BadInput,
        "link b c: has no `bandwidth`",
        "",
    ),
    (
        lambda: q.Network.from_networkx(nx.Graph([("a", "b", {"capacity": 0})])),
        q.BadInput,
        "the capacity is no number above 0",
        "",
    ),
    (
        lambda: q.solve("ring:4", "alltoal"),
        q.BadInput,
        "`alltoal` is not a collective",
        "did you mean `alltoall`? `quadrille.collectives()`",
    ),
    (
        lambda: q.solve("ring:4", "broadcast", root=4),
        q.BadInput,
        "root: ring:4 has no node 4",
        "its nodes are 0, 1, 2, 3",
    ),
    (lambda: q.solve("ring:4", "broadcast", root="x"), q.BadInput, "root: `x` is not a node of ring:4", ""),
    (lambda: q.solve("ring:4", "broadcast", root=[0]), q.BadInput, "root: ring:4 has no node [0]", ""),
    (lambda: q.solve("ring:4", "broadcast", root=0.5), q.BadInput, "root: ring:4 has no node 0.5", ""),
    (lambda: q.solve(nx.grid_2d_graph(2, 2), "broadcast", root=0), q.BadInput, "has no node 0", "its nodes are (0, 0)"),
    (lambda: q.solve("ring:4", "alltoall", senders=[0, 0]), q.BadInput, "senders: node 0 is listed twice", ""),
    (lambda: q.solve("ring:4", "alltoall", root=1), q.BadInput, "alltoall", "alltoall takes senders, receivers"),
    (
        lambda: q.solve("ring:4", "alltoall", method="pakcing"),
        q.BadInput,
        "`pakcing` is not a method",
        "did you mean `packing`?",
    ),
    (lambda: q.solve("ring:4", "alltoall", switching="x"), q.BadInput, "'x' for 'switching'", ""),
    (lambda: q.solve("ring:4", "alltoall", time=-1), q.BadInput, "time: not a number of seconds", "2.5"),
    (lambda: q.solve("ring:4", "alltoall", threads=0), q.BadInput, "threads: 0 threads", ""),
    (lambda: q.solve("ring:4", "alltoall", seed="x"), q.BadInput, "seed: `x` is not a whole number", "digits"),
    (lambda: q.solve("ring:4", "alltoall", steps=True), q.BadInput, "a value is required for 'steps'", ""),
    (lambda: q.solve("ring:4", "alltoall", chunks="auto"), q.BadInput, "chunks auto", "add bytes SIZE"),
    (
        lambda: q.solve("ring:4", "alltoall", bytes="1M"),
        q.BadInput,
        "bytes: ring:4 has no bandwidths",
        "bandwidth 25GB/s",
    ),
    (lambda: q.solve("ring:4", "alltoall", bytes=0, bandwidth=1), q.BadInput, "bytes: `0` is not a size above 0", ""),
    (
        lambda: q.solve("ring:4", "alltoall", param={"population": 3}),
        q.BadInput,
        "param: only evolutionary methods",
        "method",
    ),
    (lambda: q.solve("ring:4", "permutation", pairs={0: 9}), q.BadInput, "pairs: ring:4 has no node 9", ""),
    (lambda: q.solve(nx.Graph([(0, 1), (2, 3)]), "alltoall"), q.BadInput, "", "that the network connects"),
    (lambda: q.bound("ring:4", "alltoall", sendres=[0]), q.BadInput, "unexpected argument 'sendres'", ""),
    (lambda: q.tune("ring:4", "allgather", "1M..1K", bandwidth=1), q.BadInput, "runs backwards", "1K..1M"),
    (
        lambda: q.solve("random-regular:64,4", "alltoall", method="packing", time=0),
        q.NoSchedule,
        "no schedule found in 0 s",
        "time SECONDS",
    ),
    (lambda: q.load("nowhere.json"), q.BadInput, "nowhere.json: cannot be read", ""),
    (lambda: q.check("nowhere.json"), q.BadInput, "nowhere.json: cannot be read", ""),
    (lambda: q.network("ring:4").save("/nowhere/x.json"), q.BadInput, "/nowhere/x.json", "a folder that exists"),
    (
        lambda: q.solve("ring:4", "alltoall").save("/nowhere/x.json"),
        q.BadInput,
        "/nowhere/x.json",
        "a folder that exists",
    ),
    (lambda: q.solve("ring:4", "alltoall").save("x.nothing"), q.BadInput, "nothing", ""),
    (lambda: q.solve("ring:4", "alltoall").svg(step=9), q.BadInput, "the schedule has no step 9", "2 steps"),
]


class Wrong(unittest.TestCase):
    def test_each_mistake_has_its_exception(self):
        for number, (call, kind, message, hint) in enumerate(WRONG):
            with self.subTest(number=number, message=message):
                with self.assertRaises(q.QuadrilleError) as raised:
                    call()
                self.assertIs(type(raised.exception), kind, raised.exception)
                self.assertIn(message, raised.exception.message)
                self.assertIn(hint, raised.exception.hint or "")
                self.assertNotRegex(str(raised.exception), r"(?<!\w)--\w", "flags have become keywords")

    def test_a_missing_package_is_named(self):
        with (
            mock.patch.dict(sys.modules, {"networkx": None}),
            self.assertRaisesRegex(q.QuadrilleError, "pip install networkx"),
        ):
            q.network("ring:4").to_networkx()

    def test_every_flag_of_solve_is_a_keyword(self):
        said = subprocess.run(
            [sys.executable, "-m", "quadrille", "solve", "--help"], capture_output=True, text=True, check=True
        ).stdout
        flags = {flag.replace("-", "_") for flag in re.findall(r"^ +(?:-\w, )?--([a-z-]+)", said, re.M)}
        # What is written, told and printed is for the result; what describes a machine is for its network.
        flags -= {
            "help",
            "version",
            "json",
            "explain",
            "trace",
            "trace_every",
            "below_bound",
            "quiet",
            "verbose",
            "from",
            "machines",
            "nvlink",
            "nic",
            "pcie",
            "socket",
        }
        keywords = set(inspect.signature(q.solve).parameters) - {"network", "collective", "progress"}
        self.assertEqual(flags, keywords)
        machine = {"machines", "nvlink", "nic", "pcie", "socket"}
        self.assertLessEqual(machine, set(inspect.signature(q.network).parameters))


class Claims(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "x.json")

    def changed(self, change, **keywords):
        """A file of a schedule after a change."""
        q.solve("ring:5", "alltoall", **keywords).save(self.path)
        with open(self.path, encoding="utf-8") as file:
            document = json.load(file)
        change(document)
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(document, file)

    def test_files_come_back_as_they_went(self):
        for keywords in ({}, {"bytes": "1M", "bandwidth": 25}, {"ports": 2}):
            result = q.solve("ring:5", "alltoall", **keywords)
            result.save(self.path)
            again = q.load(self.path)
            self.assertEqual(again.transfers, result.transfers)
            known = ("steps", "bound", "time_us", "bound_us", "optimal", "algbw", "busbw", "method", "certificate")
            self.assertEqual([getattr(again, name) for name in known], [getattr(result, name) for name in known])

    def test_a_broken_schedule_is_rejected_with_its_violations(self):
        for keywords in ({}, {"bytes": "1M", "bandwidth": 25}):
            self.changed(lambda document: document["steps"][-1].clear(), **keywords)
            with self.assertRaises(q.Rejected) as rejected:
                q.load(self.path)
            violations = rejected.exception.violations
            self.assertTrue(all(violation["rule"] and violation.text for violation in violations))
            self.assertEqual(violations, q.check(self.path).violations)

    def test_a_false_bound_is_rejected(self):
        self.changed(lambda document: document["bound"].update(steps=document["bound"]["steps"] + 1))
        with self.assertRaises(q.Rejected) as rejected:
            q.load(self.path)
        self.assertEqual([violation.rule for violation in rejected.exception.violations], ["certificate"])

    def test_a_schedule_without_a_bound_is_no_optimum(self):
        self.changed(lambda document: document.pop("bound"))
        result = q.load(self.path)
        self.assertEqual((result.bound, result.gap, result.optimal), (None, None, False))


class Searching(unittest.TestCase):
    def setUp(self):
        # A shell may have begun the tests in the background, where Ctrl-C is ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

    def interrupted(self, call, after=0.3):
        """What Ctrl-C raises after so many seconds, and how long that takes."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(after, send)
        timer.start()
        self.addCleanup(timer.cancel)
        with self.assertRaises(KeyboardInterrupt) as raised:
            call()
        return raised.exception, time.monotonic() - sent[0]

    def test_ctrl_c_keeps_the_best(self):
        stopped, _ = self.interrupted(lambda: q.solve("mesh:5x5", "allreduce", time=60), after=1.5)
        self.assertIsInstance(stopped, q.Interrupted)
        self.assertNotIsInstance(stopped, q.QuadrilleError)
        self.assertEqual(stopped.result.stopped, "interrupted")
        self.assertTrue(q.check(stopped.result).valid)
        # It was of that search alone.
        self.assertTrue(q.solve("ring:4", "alltoall").optimal)

    def test_ctrl_c_ends_in_time_and_all_verbs(self):
        stopped, _ = self.interrupted(lambda: q.solve("dgx2:2", "alltoall", bytes="64M", time=60), after=1)
        self.assertIsInstance(stopped, q.Interrupted)
        stopped, _ = self.interrupted(lambda: q.tune("dgx2:2", "alltoall", "1K..1G", time=60))
        self.assertTrue(stopped.result is None or stopped.result.sizes is not None)

    def test_ctrl_c_leaves_alone_what_does_not_hear_it(self):
        with tempfile.TemporaryDirectory() as folder:
            # Nobody ever writes into it, so opening it does not end.
            pipe = os.path.join(folder, "pipe.json")
            os.mkfifo(pipe)
            self.interrupted(lambda: q.load(pipe))
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            self.interrupted(lambda: q.check(pipe))
            timer.join()

    def test_other_threads_go_on(self):
        counted, done = [], threading.Event()

        def count():
            while not done.is_set():
                counted.append(1)
                time.sleep(0.001)

        thread = threading.Thread(target=count, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(done.set)
        result = q.solve("random-regular:32,3", "alltoall", time=5)
        self.assertGreater(len(counted), 20)
        self.assertGreaterEqual(result.steps, result.bound)

    def test_a_function_is_told_and_may_end_it(self):
        states = []
        result = q.solve("random-regular:32,3", "alltoall", time=5, progress=states.append)
        self.assertTrue(states)
        self.assertEqual(set(states[-1]), {"seconds", "method", "steps", "bound", "target", "open"})
        self.assertLessEqual(max(state["bound"] for state in states), result.bound)

        def refuse(state):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            q.solve("random-regular:64,4,1", "alltoall", time=60, progress=refuse)

    def test_a_function_is_told_of_times(self):
        states = []
        result = q.solve("dgx2:1", "allreduce", bytes="64M", time=2, progress=states.append)
        told = [state for state in states if "bound_us" in state]
        self.assertTrue(told)
        self.assertEqual(set(told[-1]), {"seconds", "method", "time_us", "bound_us", "chunks"})
        self.assertTrue(all(state["time_us"] is None or state["time_us"] >= result.time_us for state in told))
        self.assertIn("µs, at least", progress.text(told[-1]))

    def test_progress_without_tqdm_is_lines(self):
        with mock.patch.dict(sys.modules, {"tqdm.auto": None}), redirect_stderr(io.StringIO()) as said:
            q.solve("random-regular:32,3", "alltoall", time=5, progress=True)
        self.assertRegex(said.getvalue(), r"\d s  [a-z-]+  best (\?|\d+)/\d+")

    def test_progress_is_a_bar(self):
        with redirect_stderr(io.StringIO()) as said:
            q.solve("random-regular:32,3", "alltoall", time=5, progress=True)
        self.assertRegex(said.getvalue(), r"best \d+/\d+.*/5\.0 s")


class Shown(unittest.TestCase):
    def test_results_are_pictures_and_pages(self):
        for keywords in ({}, {"bytes": "1M", "bandwidth": 25}):
            result = q.solve("ring:4", "alltoall", **keywords)
            self.assertTrue(result.svg().startswith("<svg"))
            self.assertIn("<svg", result._repr_html_())
            self.assertIn("<!doctype html", result.html()[:20].lower())
        self.assertNotEqual(result.svg(), result.svg(dark=True))
        self.assertIn("<svg", q.network("ring:4")._repr_svg_())
        large = q.solve("torus:20x20", "allgather")
        self.assertNotIn("<svg", large._repr_html_())

    def test_show_opens_a_page(self):
        with mock.patch.object(pictures.webbrowser, "open") as opened, mock.patch.dict(sys.modules, {"IPython": None}):
            q.solve("ring:4", "alltoall").show()
        path = opened.call_args[0][0].removeprefix("file://")
        self.addCleanup(os.remove, path)
        with open(path, encoding="utf-8") as file:
            self.assertIn("ring:4", file.read())

    def test_one_line_says_what_there_is(self):
        result = q.solve("ring:4", "alltoall")
        self.assertEqual(
            repr(result), "<alltoall on ring:4: 2 steps, lower bound 2: optimal; 12 transfers by ring-even>"
        )
        self.assertEqual(repr(result.network), "<Network ring:4: 4 nodes, 8 channels>")


if __name__ == "__main__":
    unittest.main()
