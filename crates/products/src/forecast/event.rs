// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::{Effect, Part, Sleep};
use garden_gate_core::plan::ShootPlan;

/// The events of one maintenance window, which happen completely or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Maintenance {
    /// The start of the window, which identifies it together with the Shoot.
    pub begin: Timestamp,
    /// The earliest time of the run.
    pub earliest: Timestamp,
    /// The latest end of the run, if Gardener works without delays.
    pub latest: Timestamp,
    /// The events of the run; never empty.
    pub events: Vec<Event>,
    /// The findings that deny the run.
    /// It is then repeated in each window until something changes.
    pub blocked: Vec<Blocker>,
    /// Undetermined rules, which may deny the run.
    pub unknown: Vec<String>,
    /// The hibernation of the cluster at that time.
    /// Nodes are only updated after it wakes up.
    pub sleep: Sleep,
    /// The plan of the Shoot's machines; `None` if none changes, the run is denied, the cluster is hibernated, or the forecast
    /// has no machines.
    pub machines: Option<Box<ShootPlan>>,
}

impl Maintenance {
    /// Reports whether the run is denied.
    pub fn is_blocked(&self) -> bool {
        !self.blocked.is_empty()
    }
}

/// A change that a maintenance run makes to a part of a Shoot, or should make but cannot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Event {
    /// The affected part.
    pub part: Part,
    /// The former value.
    pub from: String,
    /// The new value; `None` if there is no target version or the value is removed.
    pub to: Option<String>,
    /// The class in Gardener's terms.
    pub class: Class,
    /// The reason, as a sentence without a full stop.
    /// It only mentions conditions that are met.
    pub cause: String,
    /// The effects on the cluster.
    pub effects: Vec<Effect>,
    /// The action that the Shoot's owner should or can take before; empty if there is nothing to do.
    pub advice: String,
    /// Warnings about results that are probably unintended, although Gardener produces them.
    pub oddities: Vec<String>,
}

/// The type of an update, in the terms of Gardener and its dashboard.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Class {
    /// Requested by the owner: automatic updates are enabled.
    Regular,
    /// Independent of the Shoot's settings.
    Forced,
    /// An update is required, but there is no target version.
    NoUpdatePossible,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 3] = [Class::Regular, Class::Forced, Class::NoUpdatePossible];

    /// Returns the text for users.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Regular => "regular",
            Class::Forced => "forced",
            Class::NoUpdatePossible => "no update possible",
        }
    }
}

impl Event {
    /// Reports whether the event updates a version.
    pub(super) fn is_version_update(&self) -> bool {
        let has_version = !matches!(self.part, Part::Field { .. } | Part::Operation);
        has_version && self.class != Class::NoUpdatePossible
    }
}

/// A rule that denies a maintenance run.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Blocker {
    /// The id of the finding.
    pub rule: &'static str,
    /// The field in Gardener's notation.
    pub field: String,
    /// The reason.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
}
