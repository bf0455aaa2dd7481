//! **What:** the entries that names choose: names of entries, networks or tables, their beginnings, or patterns.

use super::{Atlas, AtlasError, Place};
use glob::Pattern;

impl Atlas {
    /// The entries that the names choose, in the order of the tables; all where no name is given.
    ///
    /// A name chooses what it is the whole name of: an entry (`mesh-4x4/corner/scatter`), a network by its name in the
    /// print (`mesh-4x4`) or its spec (`mesh:4x4`), a table (`8.8`, `Table 8.8`, `table-8-08-meshes-and-tori`), or a
    /// collective by any of its names (`alltoall`, `AAS`). Where there is none, it
    /// chooses what it matches as a pattern (`*/alltoall`), or what it is the beginning of (`mesh`).
    ///
    /// # Errors
    /// [`AtlasError::Unknown`] for a name that chooses nothing.
    pub fn select(&self, names: &[String]) -> Result<Vec<Place<'_>>, AtlasError> {
        let all: Vec<Place<'_>> = self.places().collect();
        if names.is_empty() {
            return Ok(all);
        }
        let mut chosen = vec![false; all.len()];
        for name in names {
            let plain = name.to_lowercase();
            let pattern = Pattern::new(&plain).ok();
            let ways: [&dyn Fn(&str) -> bool; 3] =
                [&|known| known == plain, &|known| pattern.as_ref().is_some_and(|p| p.matches(known)), &|known| {
                    known.starts_with(&plain)
                }];
            let matches = |way: &dyn Fn(&str) -> bool| -> Vec<usize> {
                (0..all.len()).filter(|&at| all[at].names().iter().any(|known| way(known))).collect()
            };
            let Some(found) = ways.into_iter().map(matches).find(|found| !found.is_empty()) else {
                return Err(AtlasError::Unknown { name: name.clone(), nearest: self.nearest(&plain) });
            };
            found.into_iter().for_each(|at| chosen[at] = true);
        }
        Ok(all.into_iter().zip(chosen).filter_map(|(place, chosen)| chosen.then_some(place)).collect())
    }

    /// The name most like `text`; of equals, the shortest.
    fn nearest(&self, text: &str) -> Option<String> {
        let mut names: Vec<String> = self.places().flat_map(|place| place.names()).collect();
        names.sort_by_key(String::len);
        topologies::nearest(text, names.iter().map(String::as_str)).map(str::to_owned)
    }
}

impl Place<'_> {
    /// The names by which the entry is chosen, in lower case.
    fn names(&self) -> Vec<String> {
        let Place { table, group, entry } = self;
        let source = table.source.to_lowercase();
        let number = source.strip_prefix("table ").map(str::to_owned);
        let kind = collectives::find(&entry.collective);
        let collective = kind.iter().flat_map(|kind| std::iter::once(&kind.name).chain(kind.also));
        [entry.name.clone(), group.plain_name(), group.spec.to_lowercase(), table.stem.to_lowercase(), source]
            .into_iter()
            .chain(number)
            .chain(collective.map(|name| name.to_lowercase()))
            .collect()
    }
}
