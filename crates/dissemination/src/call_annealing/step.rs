//! **What:** the calls of one step: who calls whom along which lanes, within what the network can carry in a step.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use search::resources::Resources;

/// A transfer that takes whatever its sender has.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The lanes it takes, in order.
    pub(super) path: Vec<u32>,
}

/// Who calls whom.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// A call that tells nothing.
const NONE: Ends = Ends { from: 0, to: 0 };

/// The calls of a step.
pub(super) struct Step {
    /// With gaps where calls were removed.
    calls: Vec<Option<Call>>,
    /// Who calls whom; in gaps a node calls itself, which tells nothing.
    ends: Vec<Ends>,
    gaps: Vec<u32>,
    /// The calls that take each resource.
    users: Vec<Vec<u32>>,
}

/// What was changed in a step, to take it back.
#[derive(Default)]
pub(super) struct Changes {
    removed: Vec<Call>,
    added: Vec<u32>,
}

impl Step {
    /// A step without calls.
    pub(super) fn new(resources: &Resources<'_>) -> Self {
        Step {
            calls: Vec::new(),
            ends: Vec::new(),
            gaps: Vec::new(),
            users: vec![Vec::new(); resources.capacity.len()],
        }
    }

    /// All calls.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter().flatten()
    }

    /// Who calls whom, with calls that tell nothing among them.
    pub(super) fn ends(&self) -> &[Ends] {
        &self.ends
    }

    /// Whether no further call can take a resource.
    pub(super) fn is_full(&self, resources: &Resources<'_>, resource: u32) -> bool {
        self.users[resource as usize].len() >= resources.capacity[resource as usize] as usize
    }

    /// Whether a lane, or a node's port, has room for one more call.
    pub(super) fn has_room(&self, resources: &Resources<'_>, taken: &[u32]) -> bool {
        taken.iter().all(|&resource| !self.is_full(resources, resource))
    }

    /// Adds a call, and removes others that are in its way, drawn at random. Whether it could be added: a path that takes a resource more often than a
    /// step allows is refused.
    pub(super) fn place(
        &mut self,
        resources: &Resources<'_>,
        call: Call,
        changes: &mut Changes,
        random: &mut Pcg64Mcg,
    ) -> bool {
        let mut taken = Vec::new();
        resources.taken_by(&call.path, |resource| taken.push(resource));
        taken.sort_unstable();
        for same in taken.chunk_by(|a, b| a == b) {
            let resource = same[0] as usize;
            let capacity = resources.capacity[resource] as usize;
            if same.len() > capacity {
                return false;
            }
            while self.users[resource].len() + same.len() > capacity {
                let users = &self.users[resource];
                let victim = users[random.random_range(0..users.len())];
                let removed = self.remove(resources, victim);
                match changes.added.iter().position(|added| *added == victim) {
                    // What is no longer there need not be taken back.
                    Some(at) => {
                        changes.added.swap_remove(at);
                    }
                    None => changes.removed.push(removed),
                }
            }
        }
        let at = self.gaps.pop().unwrap_or_else(|| {
            self.calls.push(None);
            self.ends.push(NONE);
            u32::try_from(self.calls.len() - 1).expect("no more calls than resources can carry")
        });
        taken.iter().for_each(|&resource| self.users[resource as usize].push(at));
        self.ends[at as usize] = Ends { from: call.from, to: call.to };
        self.calls[at as usize] = Some(call);
        changes.added.push(at);
        true
    }

    fn remove(&mut self, resources: &Resources<'_>, at: u32) -> Call {
        let call = self.calls[at as usize].take().expect("only calls that are there are removed");
        resources.taken_by(&call.path, |resource| {
            let users = &mut self.users[resource as usize];
            let place = users.iter().position(|&user| user == at).expect("a call uses what its path takes");
            users.swap_remove(place);
        });
        self.ends[at as usize] = NONE;
        self.gaps.push(at);
        call
    }

    /// Takes changes back.
    pub(super) fn undo(&mut self, resources: &Resources<'_>, changes: &mut Changes, random: &mut Pcg64Mcg) {
        while let Some(at) = changes.added.pop() {
            self.remove(resources, at);
        }
        let mut again = Changes::default();
        while let Some(call) = changes.removed.pop() {
            self.place(resources, call, &mut again, random);
        }
    }
}

impl Changes {
    /// The calls that were removed.
    pub(super) fn removed(&self) -> impl Iterator<Item = &Call> {
        self.removed.iter()
    }

    /// Keeps what was changed.
    pub(super) fn clear(&mut self) {
        self.removed.clear();
        self.added.clear();
    }
}
