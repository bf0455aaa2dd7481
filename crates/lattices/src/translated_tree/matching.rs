//! **What:** a largest matching of lists to different nodes of theirs, lists of few nodes first.
//!
//! **Source:** augmenting paths; C. Berge, Two theorems in graph theory, 1957.

/// Room for matchings, kept from one to the next.
pub(super) struct Matching {
    /// The list that has each node.
    owner: Vec<u32>,
    /// The search that last met each node.
    met: Vec<u32>,
    searches: u32,
}

const NOBODY: u32 = u32::MAX;

impl Matching {
    /// For lists of nodes below `nodes`.
    pub(super) fn new(nodes: usize) -> Self {
        Matching { owner: vec![NOBODY; nodes], met: vec![0; nodes], searches: 0 }
    }

    /// Of each list, the position of its node; of lists of equal length the first is matched first.
    pub(super) fn of(&mut self, lists: &[Vec<u32>]) -> Vec<Option<usize>> {
        let mut order: Vec<usize> = (0..lists.len()).collect();
        order.sort_by_key(|at| lists[*at].len());
        let mut places = vec![None; lists.len()];
        for list in order {
            if self.searches == u32::MAX {
                self.met.fill(0);
                self.searches = 0;
            }
            self.searches += 1;
            self.augment(lists, &mut places, list);
        }
        for (list, place) in lists.iter().zip(&places) {
            if let Some(at) = place {
                self.owner[list[*at] as usize] = NOBODY;
            }
        }
        places
    }

    /// Finds a node for a list, where need be by moving others on; whether there is one.
    fn augment(&mut self, lists: &[Vec<u32>], places: &mut [Option<usize>], list: usize) -> bool {
        for (at, &node) in lists[list].iter().enumerate() {
            if std::mem::replace(&mut self.met[node as usize], self.searches) == self.searches {
                continue;
            }
            let owner = self.owner[node as usize];
            if owner == NOBODY || self.augment(lists, places, owner as usize) {
                self.owner[node as usize] = u32::try_from(list).expect("as many lists as channels of a node");
                places[list] = Some(at);
                return true;
            }
        }
        false
    }
}
