use jiff::Timestamp;

use super::{Effect, Part, Sleep};

/// What happens in one maintenance window, all of it or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Maintenance {
    /// When the window begins; what it does is known by this time and the Shoot.
    pub begin: Timestamp,
    /// The earliest time of the run.
    pub earliest: Timestamp,
    /// When the run ends at the latest, if Gardener works as it should.
    pub latest: Timestamp,
    /// What the run does or would do; never empty.
    pub events: Vec<Event>,
    /// What refuses all of it: then nothing happens, in this window and those that follow, until something changes.
    pub blocked: Vec<Blocker>,
    /// What nobody knows and might refuse it.
    pub unknown: Vec<String>,
    /// Whether the cluster sleeps then: its nodes are not touched before it wakes up.
    pub sleep: Sleep,
}

impl Maintenance {
    /// Whether nothing of it happens.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        !self.blocked.is_empty()
    }
}

/// Something that a maintenance run does to a part of a Shoot, or would have to do and cannot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Event {
    /// What it is done to.
    pub part: Part,
    /// What was there before.
    pub from: String,
    /// What will be there; `None` if there is nothing to go to, or nothing stays.
    pub to: Option<String>,
    /// In Gardener's own words.
    pub class: Class,
    /// Why: what made the run do it, and nothing that did not. A sentence without a full stop.
    pub cause: String,
    /// What it does to the cluster.
    pub effects: Vec<Effect>,
    /// What the Shoot's owner can do before; empty if there is nothing to it.
    pub advice: String,
    /// What looks as if nobody had intended it; Gardener does it all the same.
    pub oddities: Vec<String>,
}

/// What sort of update it is, as Gardener and its dashboard say.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Class {
    /// Somebody has asked for it: automatic updates are on.
    Regular,
    /// Whatever the Shoot says.
    Forced,
    /// It would have to be updated, and there is nothing to update it to.
    NoUpdatePossible,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 3] = [Class::Regular, Class::Forced, Class::NoUpdatePossible];

    /// The word for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Regular => "regular",
            Class::Forced => "forced",
            Class::NoUpdatePossible => "no update possible",
        }
    }
}

impl Event {
    /// Whether it updates a version, or would if it could.
    pub(super) fn is_version_update(&self) -> bool {
        let has_version = !matches!(self.part, Part::Field { .. } | Part::Operation);
        has_version && self.class != Class::NoUpdatePossible
    }
}

/// A rule that refuses a maintenance run.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Blocker {
    /// The id of the finding.
    pub rule: &'static str,
    /// The field that is refused, as Gardener writes it.
    pub field: String,
    /// Why.
    pub message: String,
    /// How to get out; may be empty.
    pub help: String,
}
