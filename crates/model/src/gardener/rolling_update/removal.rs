// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hasher};

use crate::api::{Shoot, Worker};

/// A removed worker pool, whose machines are all deleted.
#[derive(Clone, Copy, Debug)]
pub struct Removal<'a> {
    /// The removed pool.
    pub pool: &'a Worker,
    /// The new pool with the same properties, and its index; `None` if there is none.
    /// A renamed pool is a different pool.
    pub successor: Option<(usize, &'a Worker)>,
}

/// Returns the pools of `old` that are not in `new`, in order, each with the new pool that resembles it.
///
/// A new pool is assigned to at most one removed pool.
/// Pools that differ only in their name come first.
/// Pools with the same machine type, architecture, image name and zones (in any order) come second. Both follow the
/// order of the lists.
pub fn removals<'a>(old: &'a Shoot, new: &'a Shoot) -> Vec<Removal<'a>> {
    let names = |shoot: &'a Shoot| shoot.spec.provider.workers.iter().map(|pool| &pool.name);
    if names(old).eq(names(new)) {
        return Vec::new();
    }
    let (before, after) = (old.pools(), new.pools());
    let gone = before.all().iter().filter(|pool| after.get(&pool.name).is_none());
    let removal = |pool| Removal { pool, successor: None };
    let mut removals: Vec<Removal<'_>> = gone.map(removal).collect();
    if removals.is_empty() {
        return removals;
    }
    let mut added: BTreeMap<usize, &Worker> = after
        .all()
        .iter()
        .enumerate()
        .filter(|(_, pool)| before.get(&pool.name).is_none())
        .collect();
    for key in [all_but_the_name, shape] {
        find_successors(&mut removals, &mut added, key);
    }
    removals
}

/// Assigns to pools without a successor the first pool in `added` with the same key.
fn find_successors<'a>(
    removals: &mut [Removal<'a>],
    added: &mut BTreeMap<usize, &'a Worker>,
    key: fn(&Worker) -> u64,
) {
    let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, pool) in added.iter().rev() {
        by_key.entry(key(pool)).or_default().push(*index);
    }
    for removal in removals.iter_mut().filter(|it| it.successor.is_none()) {
        let first = by_key.get_mut(&key(removal.pool)).and_then(Vec::pop);
        removal.successor = first.and_then(|index| added.remove_entry(&index));
    }
}

fn all_but_the_name(pool: &Worker) -> u64 {
    let nameless = Worker { name: String::new(), ..pool.clone() };
    hash(format_args!("{nameless:?}"))
}

fn shape(pool: &Worker) -> u64 {
    let machine = &pool.machine;
    let image = machine.image.as_ref().map(|image| &image.name);
    let mut zones: Vec<&String> = pool.zones.iter().collect();
    zones.sort_unstable();
    let shape = (&machine.machine_type, &machine.architecture, image, zones);
    hash(format_args!("{shape:?}"))
}

/// Hashes text without storing it, since a request may have a large number of pools.
fn hash(text: fmt::Arguments<'_>) -> u64 {
    struct Hashing(DefaultHasher);
    impl fmt::Write for Hashing {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut hashing = Hashing(DefaultHasher::new());
    let _infallible = fmt::write(&mut hashing, text);
    hashing.0.finish()
}
