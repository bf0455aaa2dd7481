//! **What:** the topology of a machine as NCCL writes it (`NCCL_TOPO_DUMP_FILE`) and reads it (`NCCL_TOPO_FILE`).
//!
//! **Parameters:** `system` holds `cpu`s, these a tree of `pci`, and the leaves are `gpu` (with `nvlink`s) and `nic` (with `net`s).
//!
//! **Facts:** rates are those that NCCL derives: of an NVLink by the GPU's `sm`, of PCIe by `link_width` and `link_speed`, of a NIC by its `speed`;
//! what the user gives counts more. All NVSwitches are one. What joins processors is no part of the file.
//! Elements and attributes that say nothing of channels are passed over.
//!
//! **Source:** NCCL, `src/graph/xml.cc`, `topo.cc` and `topo.h`.

use super::assembly::fault;
use super::machine::{Connection, Device, Kind, Machine, Wire};
use super::text_of;
use super::xml::{Places, attributes, broken};
use crate::units::{RATES, in_file};
use crate::{Place, ReadError};
use kernel::Rational;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::path::Path;

/// Deepest nesting of elements.
const DEEPEST: usize = 100;

/// Most devices of one machine.
const MOST_DEVICES: usize = 1024;

/// The class of a device that is an NVSwitch.
const NVSWITCH: &str = "0x068000";

/// The class of a bridge to a processor.
const PROCESSOR: &str = "0x068001";

/// Elements that say nothing of channels, or what others say again.
const SILENT: [&str; 3] = ["system", "nic", "c2c"];

/// Whether a text is such a file.
pub(super) fn is_meant(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]).contains("<system")
}

/// An NVLink as a GPU tells of it.
struct Told {
    gpu: usize,
    target: String,
    class: String,
    count: u32,
    place: Place,
}

struct Parser<'a> {
    path: &'a Path,
    machine: Machine,
    /// Of each open element, the device that it is or is in.
    open: Vec<Option<usize>>,
    /// Devices by their numbers on the bus.
    buses: BTreeMap<String, usize>,
    /// GB/s of one NVLink of a GPU.
    nvlink: BTreeMap<usize, Option<Rational>>,
    processors: Vec<usize>,
    told: Vec<Told>,
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Machine, ReadError> {
    let text = text_of(bytes, path)?;
    let mut reader = Reader::from_str(text);
    let mut places = Places::new(text);
    let mut parser = Parser {
        path,
        machine: Machine::default(),
        open: Vec::new(),
        buses: BTreeMap::new(),
        nvlink: BTreeMap::new(),
        processors: Vec::new(),
        told: Vec::new(),
    };
    let mut systems = 0;
    loop {
        let place = places.of(reader.buffer_position());
        match reader.read_event().map_err(|e| broken(path, text, &e, reader.error_position()))? {
            Event::Start(tag) => {
                systems += usize::from(tag.local_name().as_ref() == b"system");
                let device = parser.element(&tag, place)?;
                parser.open.push(device);
                if parser.open.len() > DEEPEST {
                    return Err(fault(path, place, None, "", "elements are nested too deep"));
                }
            }
            Event::Empty(tag) => drop(parser.element(&tag, place)?),
            Event::End(_) => drop(parser.open.pop()),
            Event::Eof if !parser.open.is_empty() => {
                return Err(fault(path, place, None, "", "the file ends within an element"));
            }
            Event::Eof if systems == 0 => return Err(fault(path, place, None, "", "there is no element `system`")),
            Event::Eof => return parser.finish(),
            _ => {}
        }
    }
}

/// GB/s of one NVLink, as NCCL counts it.
fn nvlink_rate(sm: u32) -> Option<Rational> {
    let tenths = match sm {
        60..70 => 180,
        70..80 => 200,
        80 => 200,
        81..90 => 120,
        90..100 => 206,
        100..110 => 401,
        _ => return None,
    };
    Some(Rational::new(tenths, 10))
}

/// GB/s of a link of PCIe, as NCCL counts it: lanes times a number of the generation, over 80.
fn pcie_rate(speed: &str, width: u64) -> Option<Rational> {
    let lane = match speed.split_whitespace().next()?.trim_end_matches(".0") {
        "2.5" => 15,
        "5" => 30,
        "8" => 60,
        "16" => 120,
        "32" => 240,
        "64" => 480,
        _ => return None,
    };
    Some(Rational::new(lane * if width == 0 { 16 } else { width }, 80))
}

impl Parser<'_> {
    /// An element that begins; gives the device that it is or is in.
    fn element(&mut self, tag: &BytesStart<'_>, place: Place) -> Result<Option<usize>, ReadError> {
        let path = self.path;
        let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
        let all = attributes(tag, path, place)?;
        let inside = self.open.last().copied().flatten();
        let field = |attribute: &str| Some(format!("{name} {attribute}"));
        let need = |attribute: &str| {
            let missing = || fault(path, place, field(attribute), "", "the attribute is missing");
            all.get(attribute).map(String::as_str).ok_or_else(missing)
        };
        let number = |attribute: &str, most: u32| {
            let text = need(attribute)?;
            let number = text.parse::<u32>().ok().filter(|number| *number <= most);
            number
                .ok_or_else(|| fault(path, place, field(attribute), text, &format!("is no whole number up to {most}")))
        };
        let within = |what: &str| {
            inside.ok_or_else(|| fault(path, place, None, "", &format!("an element `{name}` outside of a `{what}`")))
        };
        match name.as_str() {
            "cpu" => {
                let cpu = self.machine.device(format!("CPU{}", number("numaid", u32::MAX)?), Kind::Switch, place);
                self.processors.push(cpu);
                Ok(Some(cpu))
            }
            "pci" => {
                let bus = need("busid")?.to_owned();
                let device = self.machine.device(format!("PCI {bus}"), Kind::Switch, place);
                if self.buses.insert(bus.clone(), device).is_some() {
                    return Err(fault(path, place, field("busid"), &bus, "two elements have this number"));
                }
                let width = if all.contains_key("link_width") { number("link_width", 64)? } else { 0 };
                let rate = pcie_rate(all.get("link_speed").map_or("", String::as_str), width.into());
                let ends = [device, within("cpu")?];
                self.machine.buses.push(Connection { ends, wire: Wire::Pcie, count: 1, rate });
                Ok(Some(device))
            }
            "gpu" => {
                let device = within("pci")?;
                let label = format!("GPU{}", number("dev", u32::MAX)?);
                self.machine.devices[device] = Device { label, kind: Kind::Gpu, place, rate: None };
                let sm = if all.contains_key("sm") { number("sm", 10_000)? } else { 0 };
                self.nvlink.insert(device, nvlink_rate(sm));
                Ok(Some(device))
            }
            "nvlink" => {
                let gpu = within("gpu")?;
                let count = number("count", 1000)?;
                let class = all.get("tclass").cloned().unwrap_or_default();
                if class.starts_with(PROCESSOR) {
                    self.machine.ignored.insert("nvlink to a processor".into());
                    return Ok(inside);
                }
                self.told.push(Told { gpu, target: need("target")?.to_owned(), class, count, place });
                Ok(inside)
            }
            "net" => {
                let above = within("pci")?;
                let label = all.get("name").cloned().unwrap_or_else(|| "NIC".into());
                let nic = self.machine.device(label, Kind::Nic, place);
                let speed = all.get("speed").map(|text| {
                    let rate = in_file(text, RATES).and_then(|mbits| {
                        mbits.denominator.checked_mul(8000).map(|below| Rational::new(mbits.numerator, below))
                    });
                    rate.ok_or_else(|| fault(path, place, field("speed"), text, "is no number of Mbit/s"))
                });
                let rate = speed.transpose()?;
                self.machine.devices[nic].rate = rate;
                self.machine.buses.push(Connection { ends: [nic, above], wire: Wire::Nic, count: 1, rate });
                Ok(inside)
            }
            _ => {
                if !SILENT.contains(&name.as_str()) {
                    self.machine.ignored.insert(name);
                }
                Ok(inside)
            }
        }
    }

    /// NVLinks of both ends are one; processors are joined at one place; NICs are near where the tree is.
    fn finish(mut self) -> Result<Machine, ReadError> {
        if self.machine.devices.len() > MOST_DEVICES {
            let why = format!(
                "{} devices are more than the {MOST_DEVICES} that a machine may have",
                self.machine.devices.len()
            );
            return Err(fault(self.path, Place { line: 1, column: 1 }, None, "", &why));
        }
        let mut switch = None;
        // Of two devices what the one with the smaller number tells, and the other.
        let mut counts: BTreeMap<[usize; 2], [u32; 2]> = BTreeMap::new();
        for told in &self.told {
            let wrong = |why: &str| fault(self.path, told.place, Some("nvlink target".into()), &told.target, why);
            let other = if told.class.starts_with(NVSWITCH) {
                *switch.get_or_insert_with(|| self.machine.device("NVSwitch".into(), Kind::Switch, told.place))
            } else {
                *self.buses.get(&told.target).ok_or_else(|| wrong("no element has this number of the bus"))?
            };
            if other == told.gpu {
                return Err(wrong("is the GPU itself"));
            }
            let pair = [told.gpu.min(other), told.gpu.max(other)];
            let sum = &mut counts.entry(pair).or_default()[usize::from(pair[0] != told.gpu)];
            *sum = sum.saturating_add(told.count);
        }
        for ([a, b], told) in counts {
            let [there, back] = told;
            if there > 0 && back > 0 && there != back {
                let [a, b] = [a, b].map(|at| &self.machine.devices[at]);
                let why = format!("tells of {back} NVLinks to {}, which tells of {there}", a.label);
                return Err(fault(self.path, b.place, Some(b.label.clone()), "", &why));
            }
            // An end that tells of them comes first: errors name it.
            let ends = if told[0] > 0 { [a, b] } else { [b, a] };
            let rate = self.nvlink.get(&ends[0]).copied().flatten();
            self.machine.nvlinks.push(Connection { ends, wire: Wire::Nvlink, count: told[0].max(told[1]), rate });
        }
        let above: BTreeMap<usize, usize> = self.machine.buses.iter().map(|bus| (bus.ends[0], bus.ends[1])).collect();
        if let [first, _, ..] = self.processors[..] {
            let place = self.machine.devices[first].place;
            let between = self.machine.device("SYS".into(), Kind::Switch, place);
            for &cpu in &self.processors {
                self.machine.buses.push(Connection { ends: [cpu, between], wire: Wire::Socket, count: 1, rate: None });
            }
        }
        let line = |from: usize| std::iter::successors(Some(from), |at| above.get(at).copied());
        // Hops from the GPU up to what holds the NIC too.
        self.machine.choose_nics(|gpu, nic| {
            let meets = line(gpu).position(|at| line(nic).any(|other| other == at));
            meets.map_or(u32::MAX, |hops| u32::try_from(hops).unwrap_or(u32::MAX))
        });
        Ok(self.machine)
    }
}
