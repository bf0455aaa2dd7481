"""Networks come from graphs, links and files, and go back to graphs, without loss of what a network has."""

import os
import random
import tempfile
import unittest
import warnings

import networkx as nx
import numpy as np

import quadrille as q


def graphs():
    """Graphs of all kinds, with names that are no numbers among them."""
    choose = random.Random(1)
    yield nx.petersen_graph()
    yield nx.grid_2d_graph(3, 4)
    yield nx.relabel_nodes(nx.path_graph(4), {0: "a", 1: "b,c", 2: "d-e", 3: "4"})
    yield nx.relabel_nodes(nx.cycle_graph(5), {v: v + 1 for v in range(5)})
    yield nx.relabel_nodes(nx.cycle_graph(5), {v: 4 - v for v in range(5)})
    yield nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    yield nx.MultiDiGraph([(0, 1), (0, 1), (1, 0), (1, 2), (2, 0)])
    yield nx.DiGraph([("x", "y"), ("y", "z"), ("z", "x"), ("x", "z")])
    for seed in range(20):
        graph = nx.gnp_random_graph(8, 0.5, seed=seed, directed=seed % 2 == 1)
        bandwidths, capacities = seed % 3 > 0, seed % 4 > 1
        for known in (known for _, _, known in graph.edges(data=True)):
            if bandwidths:
                known.update(bandwidth=choose.choice([12.5, 25.0, 50.0]), latency=choose.choice([0.0, 0.5]))
            if capacities:
                known["capacity"] = choose.randint(1, 3)
        if graph.number_of_edges():
            yield graph


class RoundTrips(unittest.TestCase):
    def test_graphs_come_back_as_they_went(self):
        for graph in graphs():
            back = q.Network.from_networkx(graph).to_networkx()
            # A directed graph that has both ways of every edge says the same as an undirected one.
            mutual = graph.is_directed() and not back.is_directed()
            self.assertTrue(mutual or type(back) is type(graph), (graph, back))
            wanted = graph.to_undirected() if mutual else graph
            self.assertEqual(set(back.nodes), set(wanted.nodes))
            key = lambda edge: (frozenset(edge[:2]) if not back.is_directed() else edge[:2], sorted(edge[2].items()))
            self.assertCountEqual(map(key, back.edges(data=True)), map(key, wanted.edges(data=True)))

    def test_roles_come_back(self):
        graph = nx.star_graph(4)
        graph.nodes[0].update(kind="switch")
        net = q.Network.from_networkx(graph)
        self.assertEqual(net.terminals, [1, 2, 3, 4])
        back = net.to_networkx()
        self.assertEqual([known["role"] for _, known in back.nodes(data=True)], ["switch"] + ["terminal"] * 4)
        graph = nx.path_graph(3)
        graph.nodes[1]["transit"] = False
        self.assertEqual(q.Network.from_networkx(graph).to_networkx().nodes[1], {"transit": False})

    def test_numbers_are_names_in_any_order(self):
        graph = nx.DiGraph([(2, 0), (0, 1), (1, 2)])
        for label in (False, True):
            if label:
                nx.set_node_attributes(graph, {0: "zero", 1: "one", 2: "two"}, "label")
            net = q.Network.from_networkx(graph)
            self.assertEqual(net.nodes, [0, 1, 2])
            self.assertEqual(net.edges(), [(2, 0), (0, 1), (1, 2)])

    def test_files_hold_what_the_network_holds(self):
        net = q.Network.from_networkx(nx.relabel_nodes(nx.cycle_graph(4), dict(enumerate("abcd"))), name="square")
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("json", "graphml", "dot"):
                path = os.path.join(folder, f"square.{ending}")
                net.save(path)
                read = q.read(path)
                self.assertEqual((read.name, read.nodes, read.edges()), (net.name, net.nodes, net.edges()))
                self.assertEqual(q.solve(path, "scatter", root="c").transfers[0].sender, "c")

    def test_a_graph_is_what_its_file_is(self):
        graph = nx.grid_2d_graph(3, 3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "grid.graphml")
            nx.write_graphml(graph, path)
            self.assertEqual(q.read(path).channels.tolist(), q.Network.from_networkx(graph).channels.tolist())

    def test_links_and_channels_are_arrays(self):
        net = q.Network.from_links(4, np.array([[0, 1], [1, 2], [2, 3]]))
        self.assertEqual(net.channels.tolist(), [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]])
        again = q.Network.from_channels(4, net.channels)
        self.assertEqual(again.channels.tolist(), net.channels.tolist())
        self.assertIsNone(net.bandwidth)
        self.assertEqual(len(q.network("dgx2:1").bandwidth), len(q.network("dgx2:1").channels))


class Changes(unittest.TestCase):
    def test_names_outlive_changes(self):
        net = q.Network.from_networkx(nx.grid_2d_graph(3, 3))
        less = q.network(net, fail_link=[((0, 0), (0, 1))], fail_node=(2, 2))
        self.assertEqual(less.nodes, net.nodes)
        self.assertNotIn(((0, 0), (0, 1)), less.edges())
        self.assertFalse([edge for edge in less.edges() if (2, 2) in edge])
        senders = [(0, 0), (1, 1)]
        result = q.solve(less, "alltoall", senders=senders, receivers=[(0, 2)])
        self.assertEqual({transfer.path[0] for transfer in result.transfers}, set(senders))

    def test_one_link_is_no_list_of_links(self):
        both = q.network("ring:4", fail_link=[(0, 1), (2, 3)])
        self.assertEqual(q.network("ring:4", fail_link=((0, 1), (2, 3))).edges(), both.edges())
        self.assertEqual(len(q.network("ring:4", fail_link=(0, 1)).edges()), 6)
        self.assertEqual(len(q.network("ring:4", fail_link="0>1").edges()), 7)

    def test_attributes_that_mean_nothing_are_told(self):
        graph = nx.path_graph(3)
        nx.set_edge_attributes(graph, 2, "weight")
        with self.assertWarnsRegex(UserWarning, "attributes that are not used: `weight`"):
            q.Network.from_networkx(graph)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            q.Network.from_networkx(nx.path_graph(3))


if __name__ == "__main__":
    unittest.main()
