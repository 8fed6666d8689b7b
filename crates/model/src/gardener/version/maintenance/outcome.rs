// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use jiff::Timestamp;

use super::target::Candidate;

/// The effect of one maintenance run on one version.
///
/// The version is that of the control plane, of a pool, or of a machine image.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outcome {
    /// The version before the run.
    pub from: String,
    /// The reason why the version is due; `None` without a reason.
    pub due: Option<Due>,
    /// The change of the version.
    pub action: Action,
    /// Effects that seem unintended, but follow Gardener's behavior.
    pub oddities: Vec<Anomaly>,
}

/// The reason why a version is due.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Due {
    /// It has expired, at this time if that is known.
    Expired(Option<Timestamp>),
    /// The profile does not list it any more.
    Missing,
    /// The profile lists the machine image version, but it no longer fits the pool.
    Unfit(Incompatibility),
    /// Automatic updates are on.
    Automatic,
}

impl Due {
    /// Reports whether the version is updated even if automatic updates are disabled.
    pub fn is_forced(self) -> bool {
        self != Due::Automatic
    }
}

/// The reason why a machine image version does not fit a pool.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Incompatibility {
    /// It does not run on the pool's architecture.
    Architecture,
    /// None of its capability flavors fits the machine type.
    Capabilities,
    /// It lacks the pool's container runtime, or one of the additional ones.
    ContainerRuntime,
    /// Its constraint does not admit the pool's Kubernetes version.
    KubeletConstraint,
    /// The pool is updated in place, which the version does not support.
    InPlace,
}

/// The change of a version.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Action {
    /// The version does not change.
    Unchanged,
    /// The version is updated to this one.
    Updated(String),
    /// An update is forced, but the profile has no target version; the run is reported as failed.
    NoTarget,
}

/// An effect of an update that seems unintended.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Anomaly {
    /// An update from a supported to a deprecated version.
    SupportedToDeprecated,
    /// An update to a deprecated patch instead of a supported version of a later minor or major.
    DeprecatedPatchFirst,
    /// An update to an expired version, although the same step has one that has not expired.
    ExpiredDespiteBetter,
    /// An update to an expired version, because the next step has no other.
    ExpiredTarget,
    /// An update to a version that is not available yet; admission refuses such machine images.
    UnavailableTarget,
    /// The profile writes the image's name with another case; admission refuses the change.
    NameDiffersInCase,
    /// The image was chosen for the Kubernetes version that the pool had before this run.
    ChosenForOldKubernetes,
}

impl Outcome {
    /// Returns the outcome for a version without a reason to change.
    pub(super) fn unchanged(from: &str) -> Self {
        Self { from: from.to_owned(), due: None, action: Action::Unchanged, oddities: Vec::new() }
    }

    /// Returns the version after the run.
    pub fn after(&self) -> &str {
        match &self.action {
            Action::Updated(to) => to,
            Action::Unchanged | Action::NoTarget => &self.from,
        }
    }

    /// Reports whether the version changes.
    pub fn is_updated(&self) -> bool {
        matches!(self.action, Action::Updated(_))
    }

    /// Reports whether the version had to change and could not.
    pub fn has_failed(&self) -> bool {
        self.action == Action::NoTarget
    }

    /// Reports whether the change, or the attempt, does not depend on automatic updates.
    pub fn is_forced(&self) -> bool {
        self.action != Action::Unchanged && self.due.is_some_and(Due::is_forced)
    }

    /// Reports whether the run reports the item, as a success or a failure.
    pub fn is_recorded(&self) -> bool {
        self.action != Action::Unchanged
    }
}

/// Returns the unintended effects of an update to `target`.
///
/// `from` is the classification of the version before the update.
///
/// `step` selects the versions that the target competes with.
pub(super) fn oddities(
    target: &Candidate<'_>,
    from: Option<&str>,
    list: &[Candidate<'_>],
    step: impl Fn(&Candidate<'_>) -> bool,
) -> Vec<Anomaly> {
    let usable = |it: &Candidate<'_>| matches!(it.classification, "supported" | "deprecated");
    match target.classification {
        "deprecated" if from == Some("supported") => vec![Anomaly::SupportedToDeprecated],
        "expired" if list.iter().any(|it| step(it) && usable(it)) => {
            vec![Anomaly::ExpiredDespiteBetter]
        }
        "expired" => vec![Anomaly::ExpiredTarget],
        "unavailable" => vec![Anomaly::UnavailableTarget],
        _ => Vec::new(),
    }
}

impl fmt::Display for Incompatibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Incompatibility::Architecture => "it does not run on the pool's architecture",
            Incompatibility::Capabilities => "it has not the capabilities of the machine type",
            Incompatibility::ContainerRuntime => "it lacks a container runtime of the pool",
            Incompatibility::KubeletConstraint => "it does not admit the pool's Kubernetes version",
            Incompatibility::InPlace => "it does not support updates in place",
        })
    }
}

impl fmt::Display for Anomaly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Anomaly::SupportedToDeprecated => "a supported version is left for a deprecated one",
            Anomaly::DeprecatedPatchFirst => {
                "a deprecated patch is preferred to a supported later version"
            }
            Anomaly::ExpiredDespiteBetter => {
                "the new version has expired, although the same step has one that has not"
            }
            Anomaly::ExpiredTarget => "the new version has expired too; it will be left again",
            Anomaly::UnavailableTarget => "the new version is not available yet",
            Anomaly::NameDiffersInCase => {
                "the profile writes the image's name in other letters, so the change will be refused"
            }
            Anomaly::ChosenForOldKubernetes => {
                "the image was chosen for the Kubernetes version before the run and does not admit the new one"
            }
        })
    }
}
