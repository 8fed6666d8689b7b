use std::collections::HashSet;

use crate::garden::ObjectKey;
use garden_gate_model::api::Kind;

/// What [`load`](super::load) is to do.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Objects that are kept as a whole, as in the files.
    pub wanted: Wanted,
    /// Whether the directory is declared to contain all objects of every kind.
    pub is_whole: bool,
}

/// The objects that are kept as a whole.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Individual objects.
    pub objects: HashSet<ObjectKey>,
    /// Kinds of which all objects are kept.
    pub kinds: Vec<Kind>,
    /// Whether the values of ConfigMaps are kept that may configure API servers of Shoots.
    pub config_map_data: bool,
}

impl Wanted {
    pub(super) fn contains(&self, key: &ObjectKey) -> bool {
        self.kinds.contains(&key.kind) || self.objects.contains(key)
    }
}
