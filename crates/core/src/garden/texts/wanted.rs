// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;
use std::sync::Arc;

use super::ShootFilter;
use crate::garden::{GardenObject, ObjectKey};
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
    /// Shoots that are kept; `None` for none.
    pub shoots: Option<Arc<ShootFilter>>,
    /// Whether the values of ConfigMaps are kept that may configure API servers of Shoots.
    pub config_map_data: bool,
}

impl Wanted {
    pub(super) fn contains(&self, key: &ObjectKey, object: Option<&GardenObject>) -> bool {
        let is_meant = |object| self.shoots.as_ref().is_some_and(|shoots| shoots.takes(object));
        self.kinds.contains(&key.kind) || self.objects.contains(key) || object.is_some_and(is_meant)
    }
}
