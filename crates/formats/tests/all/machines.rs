//! Networks out of descriptions of machines.

use formats::network::{MachineSettings, NetworkFile, Wire, parse_machines, read_machines};
use formats::{Fault, ReadError};
use kernel::{Network, Node, Rational};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines").join(name)
}

/// So many machines with these rates in GB/s.
fn settings(machines: u32, rates: &[(Wire, u64)]) -> MachineSettings {
    let rates = rates.iter().map(|(wire, rate)| (*wire, Rational::whole(*rate))).collect();
    MachineSettings { machines, rates, ..MachineSettings::default() }
}

fn read(name: &str, settings: &MachineSettings) -> NetworkFile {
    read_machines(fixture(name), settings).unwrap_or_else(|error| panic!("{error}"))
}

/// The fixture with one text in place of another.
fn changed(name: &str, from: &str, to: &str, settings: &MachineSettings) -> Result<NetworkFile, ReadError> {
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    assert!(text.contains(from), "{from}");
    parse_machines(text.replacen(from, to, 1).as_bytes(), settings, Path::new(name))
}

/// GB/s by the labels of the ends.
fn rates(file: &NetworkFile) -> BTreeMap<(String, String), f64> {
    let links = file.links.as_ref().unwrap();
    let rate = |c: kernel::Channel| {
        let rate = links.bandwidth[c.index()];
        rate.numerator as f64 / rate.denominator as f64
    };
    let network = &file.network;
    let ends = |c| (network.label(network.from(c)), network.label(network.to(c)));
    network.channels().map(|c| (ends(c), rate(c))).collect()
}

fn of(rates: &BTreeMap<(String, String), f64>, from: &str, to: &str) -> Option<f64> {
    rates.get(&(from.to_owned(), to.to_owned())).copied()
}

fn counts(network: &Network) -> (usize, usize, usize) {
    (network.node_count(), network.terminals().len(), network.channel_count())
}

const NVLINK: (Wire, u64) = (Wire::Nvlink, 25);
const NIC: (Wire, u64) = (Wire::Nic, 50);
const PCIE: (Wire, u64) = (Wire::Pcie, 12);
const SOCKET: (Wire, u64) = (Wire::Socket, 10);

#[test]
fn nvlinks_of_a_mesh_are_direct() {
    let file = read("v100-hybrid-mesh.txt", &settings(1, &[NVLINK]));
    assert_eq!(counts(&file.network), (8, 8, 32));
    let rates = rates(&file);
    assert_eq!((of(&rates, "GPU0", "GPU1"), of(&rates, "GPU4", "GPU0")), (Some(25.0), Some(50.0)));
    assert_eq!(of(&rates, "GPU0", "GPU5"), None);
    for gpu in 0..8 {
        let name = format!("GPU{gpu}");
        assert_eq!(rates.iter().filter(|((from, _), _)| *from == name).map(|(_, rate)| rate).sum::<f64>(), 150.0);
    }
    // GPUs store what they send on.
    assert!(file.network.nodes().all(|v| !file.network.is_transit(v)));
}

#[test]
fn more_nvlinks_than_a_gpu_has_are_those_of_a_switch() {
    let file = read("h100-nvswitch.txt", &settings(1, &[NVLINK]));
    assert_eq!(counts(&file.network), (9, 8, 16));
    assert!(rates(&file).values().all(|rate| *rate == 450.0));
    assert_eq!(file.network.label(Node(8)), "NVSwitch");
    // Of two machines, with the NIC of each GPU.
    let two = read("h100-nvswitch.txt", &settings(2, &[NVLINK, NIC]));
    assert_eq!(counts(&two.network), (16 + 2 + 16 + 1, 16, 2 * (16 + 16 + 16)));
    let rates = rates(&two);
    assert_eq!(of(&rates, "node1.GPU3", "node1.NIC3"), Some(50.0));
    assert_eq!((of(&rates, "node0.NIC7", "fabric"), of(&rates, "node0.GPU3", "node0.NIC2")), (Some(50.0), None));
}

#[test]
fn gpus_that_are_as_near_to_a_nic_take_turns() {
    let two = read("v100-hybrid-mesh.txt", &settings(2, &[NVLINK, NIC]));
    let rates = rates(&two);
    for gpu in 0..8 {
        let nics = (0..4).filter(|nic| of(&rates, &format!("node0.GPU{gpu}"), &format!("node0.mlx5_{nic}")).is_some());
        assert_eq!(nics.collect::<Vec<u32>>(), [gpu / 2], "GPU{gpu}");
    }
}

#[test]
fn without_nvlinks_pcie_is_a_tree() {
    let file = read("pcie.txt", &settings(1, &[PCIE, SOCKET]));
    let network = &file.network;
    // A switch for the near pair, one of the first processor is not needed without its NIC; one for the other pair; what joins both.
    let rates = rates(&file);
    let up = |from: &str| {
        let all: Vec<_> =
            rates.iter().filter(|((a, _), _)| a == from).map(|((_, b), rate)| (b.clone(), *rate)).collect();
        let [(to, rate)] = &all[..] else { panic!("{from}: {all:?}") };
        (to.clone(), *rate)
    };
    let tops = [0, 1, 2, 3].map(|gpu| up(&format!("GPU{gpu}")));
    assert!(tops.iter().all(|(_, rate)| *rate == 12.0), "{tops:?}");
    assert!(tops[0] == tops[1] && tops[2] == tops[3] && tops[0] != tops[2], "{tops:?}");
    assert_eq!(rates.values().filter(|rate| **rate == 10.0).count(), 4, "{rates:?}");
    assert_eq!(network.terminals().len(), 4);
    // Its NIC hangs on the tree.
    let two = read("pcie.txt", &settings(2, &[PCIE, SOCKET, NIC]));
    assert_eq!(two.network.terminals().len(), 8);
    assert_eq!(self::rates(&two).iter().filter(|((from, _), _)| from == "fabric").count(), 2);
}

#[test]
fn nccl_says_rates_itself() {
    let file = read("nccl-4xa100.xml", &settings(1, &[]));
    assert_eq!(counts(&file.network), (5, 4, 8));
    // Twice six NVLinks of 20 GB/s, as NCCL counts those of an A100.
    assert!(rates(&file).values().all(|rate| *rate == 240.0), "{:?}", rates(&file));
    assert!(rates(&read("nccl-4xa100.xml", &settings(1, &[NVLINK]))).values().all(|rate| *rate == 300.0));
    let two = rates(&read("nccl-4xa100.xml", &settings(2, &[])));
    assert_eq!(of(&two, "node1.mlx5_1", "fabric"), Some(25.0));
    assert_eq!(
        (of(&two, "node0.GPU1", "node0.mlx5_0"), of(&two, "node0.GPU2", "node0.mlx5_1")),
        (Some(25.0), Some(25.0))
    );
    // An NVLink to a processor joins no GPUs.
    let other = changed("nccl-4xa100.xml", "tclass=\"0x068000\"", "tclass=\"0x068001\"", &settings(1, &[])).unwrap();
    assert_eq!(of(&self::rates(&other), "GPU0", "NVSwitch"), Some(120.0));
    assert_eq!(other.ignored, ["nvlink to a processor"]);
    // Without NVLinks PCIe is left: sixteen lanes of the fourth generation; what joins processors the file does not say.
    let text = std::fs::read_to_string(fixture("nccl-4xa100.xml")).unwrap();
    let bare: String = text.lines().filter(|line| !line.contains("nvlink")).map(|line| format!("{line}\n")).collect();
    let path = Path::new("bare.xml");
    let file = parse_machines(bare.as_bytes(), &settings(1, &[SOCKET]), path).unwrap();
    let bus = rates(&file);
    assert_eq!((of(&bus, "GPU3", "PCI 0000:10:00.0"), of(&bus, "CPU0", "SYS")), (Some(24.0), Some(10.0)));
    let error = parse_machines(bare.as_bytes(), &settings(1, &[]), path).unwrap_err();
    assert!(matches!(*error.fault, Fault::NoRate(Wire::Socket)), "{error}");
    assert_eq!(error.field.as_deref(), Some("CPU0"));
}

#[test]
fn msccl_has_capacities_and_limits() {
    let file = read("msccl-hub.json", &settings(1, &[]));
    let network = &file.network;
    assert_eq!((network.name(), file.links), ("Hub", None));
    let capacity = |from: u32, to: u32| {
        let mut between = network.channels().filter(|c| (network.from(*c).0, network.to(*c).0) == (from, to));
        between.next().map(|c| network.capacity(c))
    };
    // Node 3 is what leaves GPU 0, node 4 what enters GPU 2.
    assert_eq!([capacity(0, 3), capacity(3, 1), capacity(3, 4), capacity(4, 2)], [Some(1); 4]);
    assert_eq!([capacity(1, 0), capacity(1, 4), capacity(2, 0)], [Some(2), Some(1), Some(1)]);
    assert_eq!([capacity(0, 1), capacity(1, 2), capacity(0, 2)], [None; 3]);
}

/// Fixture, what is changed in it, settings, line and column, and what the message must say.
#[test]
fn errors_name_line_field_and_text() {
    let (one, nvlink) = (settings(1, &[]), settings(1, &[NVLINK]));
    let h100 = "h100-nvswitch.txt";
    let mut wrong = Vec::new();
    for (name, from, to, settings, place, says) in [
        (
            h100,
            "GPU0\t",
            "GPU0\t",
            &one,
            Some((2, 1)),
            "GPU0: has a connection whose rate the file does not give: nvlink",
        ),
        (h100, "NV18", "NV", &nvlink, Some((2, 10)), "GPU0, GPU1: the cell is not one of X, NV and a number"),
        (h100, "NV18", "NV17", &nvlink, Some((3, 1)), "GPU1, GPU0: says another thing than the row of GPU0"),
        (
            h100,
            "\nNIC7\tSYS",
            "\nNIC9\tSYS",
            &nvlink,
            Some((17, 1)),
            "the row of a device that no column has (found `NIC9`)",
        ),
        (h100, "\nGPU3\t", "\nGPU2\t", &nvlink, Some((5, 1)), "GPU2: has a second row"),
        (h100, "GPU1\tNV18", "GPU1\t X ", &nvlink, Some((3, 7)), "GPU1, GPU0: X stands where a device meets itself"),
        (
            h100,
            "\tSYS\t0-51\t0\t\tN/A\nGPU1",
            "\nGPU1",
            &nvlink,
            Some((2, 1)),
            "GPU0, NIC7: the row ends before this cell",
        ),
        ("pcie.txt", "X", "X", &one, Some((3, 1)), "GPU1: has a connection whose rate the file does not give: pcie"),
        (
            "pcie.txt",
            "X",
            "X",
            &settings(1, &[PCIE]),
            Some((1, 1)),
            "has a connection whose rate the file does not give: socket",
        ),
        ("pcie.txt", "\nGPU3", "\n\nLegend:\nGPU3", &one, Some((1, 1)), "GPU3: has a column and no row"),
        (
            "pcie.txt",
            "X",
            "X",
            &settings(2, &[PCIE, SOCKET]),
            Some((6, 1)),
            "NIC0: has a connection whose rate the file does not give: nic",
        ),
        (
            "pcie.txt",
            "X",
            "X",
            &settings(1, &[PCIE, SOCKET, NVLINK]),
            None,
            "no connection of its network needs the rate nvlink",
        ),
        ("nccl-4xa100.xml", "sm=\"80\"", "sm=\"1000\"", &one, Some((5, 9)), "GPU0: has a connection whose rate"),
        (
            "nccl-4xa100.xml",
            "count=\"6\"",
            "count=\"six\"",
            &one,
            Some((6, 11)),
            "nvlink count: is no whole number up to 1000 (found `six`)",
        ),
        ("nccl-4xa100.xml", " dev=\"0\"", "", &one, Some((5, 9)), "gpu dev: the attribute is missing"),
        (
            "nccl-4xa100.xml",
            "tclass=\"0x068000\"",
            "tclass=\"0x030200\"",
            &one,
            Some((6, 11)),
            "no element has this number of the bus (found `0000:c0:00.0`)",
        ),
        (
            "nccl-4xa100.xml",
            "speed=\"200000\"",
            "speed=\"fast\"",
            &one,
            Some((18, 11)),
            "net speed: is no number of Mbit/s (found `fast`)",
        ),
        ("nccl-4xa100.xml", "</system>", "", &one, Some((45, 1)), "the file ends within an element"),
        ("nccl-4xa100.xml", "<system version=\"1\">", "<graph><system/></graph><x>", &one, None, ""),
        (
            "msccl-hub.json",
            "[[0], [1, 2], 1",
            "[[0, 1], [1, 2], 1",
            &one,
            Some((5, 5)),
            "switches[0]: `gpu 0 out` is shared by several senders",
        ),
        ("msccl-hub.json", "[0, 2, 1]", "[0, 2]", &one, Some((9, 5)), "links[0]: has 2 entries where 3 are needed"),
        ("msccl-hub.json", "[0, 2, 1]", "[7, 2, 1]", &one, Some((9, 5)), "links[0]: has links of a GPU to itself"),
        (
            "msccl-hub.json",
            "[1, 2], 1",
            "[1, 3], 1",
            &one,
            Some((5, 5)),
            "switches[0]: names GPU 3, but GPUs are 0 to 2",
        ),
        ("msccl-hub.json", "1,", "1,", &nvlink, None, "describes a network and not a machine"),
    ] {
        let error = changed(name, from, to, settings).expect_err(says);
        let found = error.place.map(|place| (place.line, place.column));
        if !error.to_string().contains(says) || (place.is_some() && found != place) {
            wrong.push(format!("{error} is not {says} at {place:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn machines_without_gpus_or_nics_are_refused() {
    let error = parse_machines(b"<system version=\"1\"></system>", &settings(1, &[]), Path::new("a.xml")).unwrap_err();
    assert!(error.to_string().contains("it describes no GPU"), "{error}");
    let pair = b"\tGPU0\tGPU1\tCPU Affinity\nGPU0\tX\tNV4\t0\nGPU1\tNV4\tX\t0\n";
    let read = |settings| parse_machines(pair, &settings, Path::new("a.txt"));
    assert_eq!(counts(&read(settings(1, &[NVLINK])).unwrap().network), (2, 2, 2));
    assert!(read(settings(2, &[NVLINK])).unwrap_err().to_string().contains("it describes no NIC"));
    assert!(read(settings(4097, &[NVLINK])).unwrap_err().to_string().contains("are more than 4096"));
    let many: String = (0..300).map(|at| format!("GPU{at} ")).collect();
    let error = parse_machines(many.as_bytes(), &settings(1, &[NVLINK]), Path::new("a.txt")).unwrap_err();
    assert!(error.to_string().contains("300 devices are more than the 256"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_description_is_refused_or_read(
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"019X\t<>\"[],xGN \n\x1b\xff".to_vec())), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        for name in ["v100-hybrid-mesh.txt", "h100-nvswitch.txt", "pcie.txt", "nccl-4xa100.xml", "msccl-hub.json"] {
            let mut text = std::fs::read(fixture(name)).unwrap();
            for (at, byte) in &damage {
                let at = at.index(text.len());
                text[at] = *byte;
            }
            if let Some(cut) = cut {
                text.truncate(cut.index(text.len()));
            }
            let settings = settings(2, &[NVLINK, NIC, PCIE, SOCKET]);
            let lines = 1 + text.iter().filter(|&&b| b == b'\n').count();
            for settings in [settings, MachineSettings::default()] {
                if let Err(error) = parse_machines(&text, &settings, Path::new(name)) {
                    prop_assert!(error.place.is_none_or(|p| p.line <= lines && p.line > 0), "{}", error);
                }
            }
        }
    }
}
