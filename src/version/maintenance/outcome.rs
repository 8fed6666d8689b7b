use std::fmt;

use jiff::Timestamp;

use super::target::Candidate;

/// What one maintenance run does to one version: that of the control plane, of a pool, or of a machine image.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outcome {
    /// The version before the run.
    pub from: String,
    /// Why the version is due; `None` if it stays for want of a reason.
    pub due: Option<Due>,
    /// What becomes of it.
    pub action: Action,
    /// What looks as if nobody had intended it; Gardener does it all the same.
    pub oddities: Vec<Oddity>,
}

/// Why a version is due.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Due {
    /// It has expired, at this time if that is known.
    Expired(Option<Timestamp>),
    /// The profile does not list it any more.
    Missing,
    /// The profile lists the machine image version, but it no longer fits the pool.
    Unfit(Misfit),
    /// Automatic updates are on.
    Automatic,
}

impl Due {
    /// Whether the version is updated even if automatic updates are off.
    #[must_use]
    pub fn is_forced(self) -> bool {
        self != Due::Automatic
    }
}

/// In what a machine image version does not fit a pool.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Misfit {
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

/// What becomes of a version.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Action {
    /// It stays.
    Unchanged,
    /// It becomes this one.
    Updated(String),
    /// It is forced, but the profile offers nothing to go to; it stays, and the run is reported as failed.
    NoTarget,
}

/// Something in an update that looks unintended.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Oddity {
    /// From a version that is supported to one that is deprecated.
    SupportedToDeprecated,
    /// A deprecated patch is preferred to a supported version of a later minor or major.
    DeprecatedPatchFirst,
    /// To a version that has expired, although the same step has one that has not.
    ExpiredDespiteBetter,
    /// To a version that has expired, because the next step has no other.
    ExpiredTarget,
    /// To a version that is not available yet; admission refuses such machine images.
    UnavailableTarget,
    /// The profile writes the image's name in other letters; admission refuses the change.
    NameDiffersInCase,
    /// The image was chosen for the Kubernetes version that the pool had before this run.
    ChosenForOldKubernetes,
}

impl Outcome {
    /// A version that stays for want of a reason.
    pub(super) fn unchanged(from: &str) -> Self {
        Self {
            from: from.to_owned(),
            due: None,
            action: Action::Unchanged,
            oddities: Vec::new(),
        }
    }

    /// The version after the run.
    #[must_use]
    pub fn after(&self) -> &str {
        match &self.action {
            Action::Updated(to) => to,
            Action::Unchanged | Action::NoTarget => &self.from,
        }
    }

    /// Whether the version changes.
    #[must_use]
    pub fn is_updated(&self) -> bool {
        matches!(self.action, Action::Updated(_))
    }

    /// Whether the version had to change and could not.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.action == Action::NoTarget
    }

    /// Whether the change, or the attempt, does not depend on automatic updates.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        self.action != Action::Unchanged && self.due.is_some_and(Due::is_forced)
    }

    /// Whether the run reports the item, as a success or a failure.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.action != Action::Unchanged
    }
}

/// What looks unintended about going to `target` from a version with the classification `from`; `step` tells which
/// versions the target competes with.
pub(super) fn oddities(
    target: &Candidate<'_>,
    from: Option<&str>,
    list: &[Candidate<'_>],
    step: impl Fn(&Candidate<'_>) -> bool,
) -> Vec<Oddity> {
    let usable = |it: &Candidate<'_>| matches!(it.classification, "supported" | "deprecated");
    match target.classification {
        "deprecated" if from == Some("supported") => vec![Oddity::SupportedToDeprecated],
        "expired" if list.iter().any(|it| step(it) && usable(it)) => {
            vec![Oddity::ExpiredDespiteBetter]
        }
        "expired" => vec![Oddity::ExpiredTarget],
        "unavailable" => vec![Oddity::UnavailableTarget],
        _ => Vec::new(),
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = &self.from;
        match &self.action {
            Action::Unchanged => write!(f, "`{from}` stays")?,
            Action::Updated(to) => write!(f, "`{from}` becomes `{to}`")?,
            Action::NoTarget => write!(
                f,
                "`{from}` must be updated, but the profile offers nothing to go to"
            )?,
        }
        match self.due {
            Some(due) if self.is_recorded() => write!(f, ": {due}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Due::Expired(Some(date)) => write!(f, "it expired at {date}"),
            Due::Expired(None) => f.write_str("it has expired"),
            Due::Missing => f.write_str("the profile does not list it any more"),
            Due::Unfit(misfit) => write!(f, "it no longer fits the pool: {misfit}"),
            Due::Automatic => f.write_str("automatic updates are on"),
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misfit::Architecture => "it does not run on the pool's architecture",
            Misfit::Capabilities => "it has not the capabilities of the machine type",
            Misfit::ContainerRuntime => "it lacks a container runtime of the pool",
            Misfit::KubeletConstraint => "it does not admit the pool's Kubernetes version",
            Misfit::InPlace => "it does not support updates in place",
        })
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::SupportedToDeprecated => "a supported version is left for a deprecated one",
            Oddity::DeprecatedPatchFirst => {
                "a deprecated patch is preferred to a supported later version"
            }
            Oddity::ExpiredDespiteBetter => {
                "the new version has expired, although the same step has one that has not"
            }
            Oddity::ExpiredTarget => "the new version has expired too; it will be left again",
            Oddity::UnavailableTarget => "the new version is not available yet",
            Oddity::NameDiffersInCase => {
                "the profile writes the image's name in other letters, so the change will be refused"
            }
            Oddity::ChosenForOldKubernetes => {
                "the image was chosen for the Kubernetes version before the run and does not admit the new one"
            }
        })
    }
}
