// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::api::Toleration;

/// The taints of seeds that a list of tolerations tolerates.
#[derive(Debug)]
pub struct Tolerated<'a> {
    count: usize,
    values: BTreeMap<&'a str, &'a str>,
}

impl<'a> Tolerated<'a> {
    /// Indexes tolerations by key; of several tolerations of one key the last one is used.
    pub fn by(tolerations: &'a [Toleration]) -> Self {
        let values = tolerations.iter().map(|it| {
            let value = it.value.as_deref().unwrap_or_default();
            (it.key.as_str(), value)
        });
        Self { count: tolerations.len(), values: values.collect() }
    }

    /// Reports whether a Shoot may be on a seed with `taints`.
    ///
    /// Mirrors TaintsAreTolerated in `pkg/api/core/helper/seed.go`: there must be as many tolerations as taints, and an
    /// absent value is the same as an empty one there.
    pub fn cover(&self, taints: &[Toleration]) -> bool {
        taints.len() <= self.count && self.untolerated(taints).is_empty()
    }

    /// Returns the taints without a toleration.
    ///
    /// If there are none, a Shoot may still not be [covered](Self::cover).
    pub fn untolerated<'t>(&self, taints: &'t [Toleration]) -> Vec<&'t Toleration> {
        let is_tolerated = |taint: &Toleration| {
            let tolerated = self.values.get(taint.key.as_str());
            match (tolerated, &taint.value) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(tolerated), Some(value)) => tolerated == value,
            }
        };
        taints.iter().filter(|taint| !is_tolerated(taint)).collect()
    }
}
