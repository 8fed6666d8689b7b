// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::Arc;

use imbl::OrdSet;

use super::Snapshot;
use super::snapshot::NamespacedName;
use garden_gate_model::api::{Kind, NamespacedCloudProfile, ObjectKey};

/// The NamespacedCloudProfiles of a CloudProfile, decompressed one at a time to limit memory.
#[derive(Clone, Copy)]
pub struct Children<'a> {
    garden: &'a Snapshot,
    names: Option<&'a OrdSet<NamespacedName>>,
}

impl<'a> Children<'a> {
    /// Returns the profiles that are not being deleted, in key order.
    pub fn iter(self) -> impl Iterator<Item = Arc<NamespacedCloudProfile>> + use<'a> {
        let names = self.names.into_iter().flatten();
        let all = names.filter_map(move |(namespace, name)| {
            let name = (namespace.as_str(), name.as_str());
            let key = ObjectKey::named(Kind::NamespacedCloudProfile, name);
            self.garden.object::<NamespacedCloudProfile>(&key)
        });
        all.filter(|profile| profile.spec.parent.kind == "CloudProfile")
            .filter(|profile| profile.metadata.deletion_timestamp.is_none())
    }
}

impl Snapshot {
    /// Returns the NamespacedCloudProfiles of a CloudProfile that are not being deleted, in order.
    ///
    /// The result is as of the snapshot; recently created objects may be missing.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn namespaced_cloud_profiles_of(&self, parent: &str) -> Result<Children<'_>, String> {
        self.whole(Kind::NamespacedCloudProfile)?;
        Ok(Children { garden: self, names: self.namespaced_cloud_profiles_by_parent.get(parent) })
    }
}

impl fmt::Debug for Children<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
