// SPDX-License-Identifier: Apache-2.0
//! Sentences about the reasons for an update.
//! They only mention conditions that are met.

use jiff::Timestamp;

use super::{Class, Part};
use garden_gate_model::api::{
    CloudProfileSpec, ExpirableVersion, MachineImage, MachineImageVersion, Shoot,
};
use garden_gate_model::gardener::version::maintenance::{Action, Due, Outcome, beyond};
use garden_gate_model::gardener::version::{Classified, current_classification};
use garden_gate_text::go::{Version, VersionTest};

/// A version of a Shoot's part, with the context for choosing another one.
pub(super) struct VersionContext<'a> {
    pub(super) part: &'a Part,
    pub(super) shoot: &'a Shoot,
    pub(super) spec: &'a CloudProfileSpec,
    pub(super) at: Timestamp,
    /// The start of the forecast.
    pub(super) since: Timestamp,
}

/// Returns the event class of an outcome; `None` if there is no event.
pub(super) fn class(outcome: &Outcome) -> Option<Class> {
    match outcome.action {
        Action::Unchanged => None,
        Action::NoTarget => Some(Class::NoUpdatePossible),
        Action::Updated(_) if outcome.is_forced() => Some(Class::Forced),
        Action::Updated(_) => Some(Class::Regular),
    }
}

impl VersionContext<'_> {
    /// Returns the reason why a version is updated, or cannot be.
    pub(super) fn cause(&self, outcome: &Outcome) -> String {
        let from = &outcome.from;
        let why = match outcome.due {
            None | Some(Due::Automatic) => return self.automatic(outcome),
            Some(Due::Expired(Some(date))) if date < self.since => {
                format!("`{from}` expired at {date:.0}")
            }
            Some(Due::Expired(Some(date))) => format!("`{from}` expires at {date:.0}"),
            Some(Due::Expired(None)) => format!("`{from}` has expired"),
            Some(Due::Missing) => {
                if self.is_listed(from) {
                    format!("`{from}` is no version of this image for the pool")
                } else {
                    format!("the profile does not list `{from}` any more")
                }
            }
            Some(Due::Unfit(misfit)) => format!("`{from}` no longer fits the pool: {misfit}"),
        };
        if outcome.has_failed() {
            format!("{why}, and {}", self.why_stuck(from))
        } else {
            format!("{why}{}", self.goes_further(outcome))
        }
    }

    fn automatic(&self, outcome: &Outcome) -> String {
        let (from, to) = (&outcome.from, outcome.after());
        let what = match self.image() {
            Some(_) => "machine images",
            None => "Kubernetes",
        };
        let stage = self
            .classification(from)
            .filter(|it| *it == "deprecated")
            .map_or_else(String::new, |it| format!("`{from}` is {it}, "));
        format!("{stage}automatic updates of {what} are on and the profile has `{to}`")
    }

    /// Returns the reason for an update beyond the minor version.
    fn goes_further(&self, outcome: &Outcome) -> String {
        let versions = [&outcome.from, outcome.after()].map(Version::parse);
        let [Ok(from), Ok(to)] = versions else {
            return String::new();
        };
        if from.same_minor(&to) {
            return String::new();
        }
        match self.image() {
            None => format!(", and the profile has no later {}.{}", from.major, from.minor),
            Some(image) => {
                let strategy = image.update_strategy.as_deref().unwrap_or("major");
                format!(" (strategy `{strategy}`)")
            }
        }
    }

    /// Returns the reason why no target version exists.
    fn why_stuck(&self, from: &str) -> String {
        let Ok(version) = Version::parse(from) else {
            return "it cannot be read as a version".to_owned();
        };
        if self.image().is_some() {
            return match self.beyond() {
                Some(why) => why,
                None => "the profile has no later version of the image that fits".to_owned(),
            };
        }
        let (major, minor) = (version.major, version.minor + 1);
        let versions = || self.spec.kubernetes.versions.iter();
        let parsed = |it: &ExpirableVersion| Version::parse(&it.version).ok();
        let is_next = |it: &Version| it.major == major && it.minor == minor;
        if versions().filter_map(parsed).any(|it| is_next(&it)) {
            return format!("the profile has nothing but previews of {major}.{minor}");
        }
        let later = versions().filter_map(parsed).filter(|it| *it > version);
        match later.min() {
            Some(later) => format!(
                "the profile has no {major}.{minor}; `{later}` exists, but Kubernetes goes one minor version at a time"
            ),
            None => "the profile has no later version".to_owned(),
        }
    }

    /// Returns a note about an image version that the update strategy does not permit.
    pub(super) fn beyond(&self) -> Option<String> {
        let pools = self.shoot.pools();
        let pool = pools.get(self.part.pool()?)?;
        let kubelet = self.shoot.version_of(pool);
        let beyond = self.image().and_then(|_| beyond(pool, kubelet, self.spec, self.at))?;
        Some(format!(
            "`{}` exists but needs strategy `{}`, and the image has `{}`",
            beyond.version, beyond.needs, beyond.has
        ))
    }

    /// Returns the classification of the version in the profile.
    pub(super) fn classification(&self, version: &str) -> Option<&str> {
        self.listed(
            version,
            |it| current_classification(it, self.at),
            |it| current_classification(it, self.at),
        )
    }

    /// Returns a property of a version if the profile lists it.
    pub(super) fn listed<'s, T>(
        &'s self,
        version: &str,
        of_kubernetes: impl FnOnce(&'s ExpirableVersion) -> T,
        of_image: impl FnOnce(&'s MachineImageVersion) -> T,
    ) -> Option<T> {
        match (self.part, self.image()) {
            (Part::Image { .. }, Some(image)) => {
                let mut versions = image.versions.iter();
                versions.find(|it| it.version == version).map(of_image)
            }
            (Part::Image { .. }, None) => None,
            _ => {
                let mut versions = self.spec.kubernetes.versions.iter();
                let same = VersionTest::new("=", version);
                versions.find(|it| same.passes(it.version())).map(of_kubernetes)
            }
        }
    }

    fn is_listed(&self, version: &str) -> bool {
        self.listed(version, |_| (), |_| ()).is_some()
    }

    fn image(&self) -> Option<&MachineImage> {
        let Part::Image { image, .. } = self.part else {
            return None;
        };
        let mut images = self.spec.machine_images.iter();
        images.find(|it| it.name.eq_ignore_ascii_case(image))
    }
}
