// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::config::Strategy;
use garden_gate_model::api::{CloudProfileSpec, Networking, SeedSelector, Shoot, Tolerated};

/// The input of the scheduler in addition to the seeds.
pub(crate) struct Scheduling<'a> {
    pub shoot: &'a Shoot,
    pub wanted: Wanted<'a>,
    pub profile: &'a CloudProfileSpec,
    /// The Project's name; absent if unknown.
    pub project: Option<&'a str>,
    /// The scheduler's strategy; absent if unknown.
    pub strategy: Option<Strategy>,
    /// Returns the number of Shoots on a seed; absent if unknown.
    pub used: &'a dyn Fn(&str) -> Option<usize>,
}

/// The requirements of a Shoot for every seed.
pub(crate) struct Wanted<'a> {
    /// The zones of its pools.
    pub(super) zones: BTreeSet<&'a str>,
    pub(super) networking: Cow<'a, Networking>,
    pub(super) tolerated: Tolerated<'a>,
    /// Whether its seed selector can be parsed.
    pub(super) selects: bool,
    /// Whether the seed selector of its profile can be parsed.
    pub(super) is_offered: bool,
}

impl<'a> Wanted<'a> {
    pub(crate) fn of(shoot: &'a Shoot, profile: &CloudProfileSpec) -> Self {
        let workers = &shoot.spec.provider.workers;
        let zones = workers.iter().flat_map(|worker| &worker.zones);
        let is_readable = |selector: &Option<SeedSelector>| {
            selector.as_ref().is_some_and(SeedSelector::is_readable)
        };
        Self {
            zones: zones.map(String::as_str).collect(),
            networking: shoot.networking(),
            tolerated: Tolerated::by(&shoot.spec.tolerations),
            selects: is_readable(&shoot.spec.seed_selector),
            is_offered: is_readable(&profile.seed_selector),
        }
    }
}
