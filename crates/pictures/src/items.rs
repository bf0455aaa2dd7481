//! **What:** the messages of a verified schedule as a page lists them: all that are written down, and of orbits or a product those of the
//! steps that are shown.

use kernel::orbits::{Image, VerifiedOrbits};
use kernel::product::ProductTransfer;
use kernel::{Message, Node, Slots, Storage, Verified};

/// One message or chunk.
pub(crate) struct Item {
    pub number: u64,
    pub from: Vec<Node>,
    pub to: Vec<Node>,
}

/// What a picture of a schedule is called.
pub(crate) fn title(schedule: &Verified) -> String {
    schedule.problem().title()
}

/// How time-division divides time.
pub(crate) fn slots(schedule: &Verified) -> Option<Slots> {
    schedule.problem().model().switching.slots()
}

/// Messages: all of a schedule that is written down; of orbits those of the first `steps` steps, by their numbers.
pub(crate) fn items(schedule: &Verified, steps: usize) -> Vec<Item> {
    let orbits = match schedule.storage() {
        Storage::Orbits(orbits) => orbits,
        Storage::Product(product) => {
            let sent = (0..steps).flat_map(|s| product.step(s));
            let item = |t: ProductTransfer| Item { number: t.message, from: vec![t.from], to: vec![t.to] };
            let mut items: Vec<Item> = sent.map(item).collect();
            items.sort_by_key(|i| i.number);
            return items;
        }
        Storage::Plain(_) => {
            let collective = schedule.problem().collective();
            let item = |m: Message| Item {
                number: u64::from(m.0),
                from: collective.contributors(m).to_vec(),
                to: collective.destinations(m).to_vec(),
            };
            return collective.messages().map(item).collect();
        }
    };
    let problem = orbits.problem();
    let collective = problem.representatives().collective();
    let image = |element, v| problem.translations().image_node(element, v);
    let item = |sent: Image| {
        let mut to: Vec<Node> = collective.destinations(sent.message).iter().map(|v| image(sent.element, *v)).collect();
        to.sort_unstable();
        let from = vec![image(sent.element, collective.origin(sent.message))];
        Item { number: problem.number(sent.message, sent.element), from, to }
    };
    let mut items: Vec<Item> = (0..steps).flat_map(|s| orbits.step(s)).map(item).collect();
    items.sort_by_key(|i| i.number);
    items.dedup_by_key(|i| i.number);
    items
}

/// How many messages each node has, of a schedule that is not written down.
pub(crate) fn loads(schedule: &Verified) -> Option<Loads> {
    match schedule.storage() {
        Storage::Plain(_) => None,
        Storage::Orbits(orbits) => Some(loads_of_orbits(orbits)),
        Storage::Product(product) => {
            let nodes = product.problem().network().node_count();
            let each = vec![nodes as u64 - 1; nodes];
            Some(Loads { starts: each.clone(), ends: each })
        }
    }
}

/// How many messages each node has.
pub(crate) struct Loads {
    /// Those that start there.
    pub starts: Vec<u64>,
    /// Those that must end there.
    pub ends: Vec<u64>,
}

/// The messages of all nodes: every orbit has one image that starts at each node of its origin's orbit, and one that ends at
/// each node of its destination's.
fn loads_of_orbits(schedule: &VerifiedOrbits) -> Loads {
    let problem = schedule.problem();
    let (network, collective) = (problem.network(), problem.representatives().collective());
    let base = |v: Node| problem.translations().representative(v, v).0;
    let (mut starts, mut ends) = (vec![0u64; network.node_count()], vec![0u64; network.node_count()]);
    for message in collective.messages() {
        starts[base(collective.origin(message)).index()] += 1;
        collective.destinations(message).iter().for_each(|to| ends[base(*to).index()] += 1);
    }
    let of = |counts: &[u64], v: Node| if network.is_terminal(v) { counts[base(v).index()] } else { 0 };
    let all = |counts: Vec<u64>| network.nodes().map(|v| of(&counts, v)).collect();
    Loads { starts: all(starts), ends: all(ends) }
}
