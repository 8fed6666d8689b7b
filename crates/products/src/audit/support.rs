// SPDX-License-Identifier: Apache-2.0
//! Kubernetes versions that the judging version of Gardener does not support.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use super::versions::VersionLifecycle;
use crate::forecast::{Owner, Profile};
use garden_gate_core::garden::{Shoots, Snapshot};
use garden_gate_model::api::kubernetes::{KubernetesSupport, supported_until};
use garden_gate_model::api::{
    GardenerVersion, NamespacedCloudProfile, ProfileKey, ProfileKind, ShootName,
};
use garden_gate_model::gardener::version::is_expired;

/// A Kubernetes version in a profile, its Shoots or a Seed that the judging version of Gardener does not support.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unsupported {
    /// The Kubernetes version.
    pub version: String,
    /// The profile, such as `CloudProfile stratus`, or the Seed, such as `Seed north`.
    pub holder: String,
    /// The reason.
    pub reason: Reason,
    /// The version of Gardener that drops or adds the Kubernetes version, such as `1.142`; `null` if no known one does.
    pub gardener: Option<String>,
    /// The date until which Gardener promised support; `null` if it is not known.
    pub promised_until: Option<Date>,
    /// The classification in the profile; `null` if the profile does not list the version, and for a Seed.
    pub stage: Option<String>,
    /// The start of the current classification; `null` if the profile does not define it.
    pub since: Option<Timestamp>,
    /// The expiration date in the profile, past or future.
    pub expires: Option<Timestamp>,
    /// The Shoots that use the version, by Project.
    pub projects: Vec<ShootsOfProject>,
}

/// The reason why Gardener does not support a Kubernetes version.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It has dropped the version.
    Dropped,
    /// It has not added the version yet.
    NotYet,
    /// Gardener is newer than the newest known version, and the promised support has ended.
    PromiseEnded,
}

/// The Shoots of a Project that use a version in the control plane or a worker pool.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct ShootsOfProject {
    /// The Project; empty if it is not known.
    pub project: String,
    /// The owner of the Project; empty if it is not known.
    pub owner: String,
    /// The Shoots, such as `garden-dev/web`.
    pub shoots: Vec<String>,
}

/// The Kubernetes versions of a garden without support.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Support {
    /// The version of Gardener, which may be newer or older than all known ones.
    pub gardener: GardenerVersion,
    /// The versions, by version and holder.
    pub versions: Vec<Unsupported>,
    /// What is not known of the garden, as a sentence with the first reason.
    pub unknown: Option<String>,
}

impl Unsupported {
    /// Returns the number of Shoots that use the version.
    pub fn shoots(&self) -> usize {
        self.projects.iter().map(|it| it.shoots.len()).sum()
    }
}

/// Selects the namespaces of Projects; the owner of the Project is the second argument.
pub type IsSelected<'a> = &'a dyn Fn(&str, &Owner) -> bool;

/// Returns the Kubernetes versions that a version of Gardener does not support: those of Shoots and available in profiles,
/// and with all namespaces, those of Seeds.
///
/// Shoots in deletion are ignored.
pub fn support(
    garden: &Snapshot,
    gardener: GardenerVersion,
    now: Timestamp,
    selected: Option<IsSelected<'_>>,
) -> Support {
    let judge = Judge { garden, gardener, now, selected };
    let mut support = Support { gardener, ..Support::default() };
    let shoots = garden.shoots();
    let mut unknown = Vec::new();
    let shoots = shoots.map_err(|why| unknown.push(("Shoots", why))).ok();
    let mut profiles: BTreeSet<ProfileKey> =
        shoots.into_iter().flat_map(Shoots::profiles).cloned().collect();
    match garden.profile_keys() {
        Ok(keys) => profiles.extend(keys),
        Err(why) => unknown.push(("profiles", why)),
    }
    for key in &profiles {
        support.versions.extend(judge.of_profile(key, shoots));
    }
    match garden.seeds() {
        _ if selected.is_some() => {}
        Ok(seeds) => support.versions.extend(seeds.filter_map(|seed| {
            let title = format!("Seed {}", seed.metadata.name);
            judge.unsupported(&seed.status.kubernetes_version, title)
        })),
        Err(why) => unknown.push(("Seeds", why)),
    }
    if let Some((_, why)) = unknown.first() {
        let kinds: Vec<&str> = unknown.iter().map(|(kind, _)| *kind).collect();
        support.unknown = Some(format!(
            "it is unknown which {} have Kubernetes versions without support: {why}",
            kinds.join(" and ")
        ));
    }
    support.versions.sort_by(|one, other| {
        let order = |it: &Unsupported| (it.reason, it.gardener.clone(), it.version.clone());
        order(one).cmp(&order(other)).then_with(|| one.holder.cmp(&other.holder))
    });
    support
}

struct Judge<'a> {
    garden: &'a Snapshot,
    gardener: GardenerVersion,
    now: Timestamp,
    selected: Option<IsSelected<'a>>,
}

impl Judge<'_> {
    /// Returns the versions without support of a profile and its Shoots.
    fn of_profile(&self, key: &ProfileKey, shoots: Option<&Shoots>) -> Vec<Unsupported> {
        let mut users: BTreeMap<&str, BTreeSet<&ShootName>> = BTreeMap::new();
        if let Some(all) = shoots.and_then(|it| it.of_profile(key)) {
            for (version, shoots) in all.by_kubernetes().chain(all.by_pool_kubernetes()) {
                if self.reason(version).is_some() {
                    users.entry(version).or_default().extend(shoots);
                }
            }
        }
        let profile = Profile::find(key, self.garden).ok();
        let listed = profile.as_ref().map_or(&[][..], |it| &it.spec.kubernetes.versions);
        let own = self.own_versions(key);
        let is_own = |version: &str| match key.kind {
            ProfileKind::Cluster => self.selected.is_none(),
            ProfileKind::Namespaced => own.contains(version),
        };
        for it in listed.iter().filter(|it| !is_expired(*it, self.now) && is_own(&it.version)) {
            users.entry(&it.version).or_default();
        }
        let versions = users.into_iter().filter_map(|(version, shoots)| {
            let all = shoots.len();
            let projects = self.by_project(shoots);
            // Other Shoots are not selected.
            if all > 0 && projects.is_empty() && !is_own(version) {
                return None;
            }
            let stands = VersionLifecycle::of(version, listed, self.now).unwrap_or_default();
            Some(Unsupported {
                stage: stands.stage,
                since: stands.since,
                expires: stands.expires,
                projects,
                ..self.unsupported(version, key.to_string())?
            })
        });
        versions.collect()
    }

    /// Returns the versions that a selected NamespacedCloudProfile extends.
    fn own_versions(&self, key: &ProfileKey) -> BTreeSet<String> {
        let is_selected = self.selected.is_none_or(|selected| {
            selected(&key.namespace, &Owner::of_namespace(&key.namespace, self.garden))
        });
        if key.kind == ProfileKind::Cluster || !is_selected {
            return BTreeSet::new();
        }
        let profile = self.garden.get::<NamespacedCloudProfile>((&*key.namespace, &*key.name));
        let spec = profile.ok().flatten().and_then(|it| it.spec.kubernetes.clone());
        spec.into_iter().flat_map(|it| it.versions).map(|it| it.version).collect()
    }

    /// Groups the selected Shoots by Project.
    fn by_project(&self, shoots: BTreeSet<&ShootName>) -> Vec<ShootsOfProject> {
        let mut namespaces: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for shoot in shoots {
            namespaces.entry(&shoot.namespace).or_default().push(shoot.to_string());
        }
        let projects = namespaces.into_iter().filter_map(|(namespace, shoots)| {
            let owner = Owner::of_namespace(namespace, self.garden);
            let is_selected = self.selected.is_none_or(|selected| selected(namespace, &owner));
            let Owner { project, name } = owner;
            is_selected.then_some(ShootsOfProject { project, owner: name, shoots })
        });
        projects.collect()
    }

    /// Returns a version without support of a holder; `None` if it is supported, or that is not known.
    fn unsupported(&self, version: &str, holder: String) -> Option<Unsupported> {
        let (reason, gardener) = self.reason(version)?;
        Some(Unsupported {
            version: version.to_owned(),
            holder,
            reason,
            gardener: gardener.map(|it| it.to_string()),
            promised_until: supported_until(version),
            stage: None,
            since: None,
            expires: None,
            projects: Vec::new(),
        })
    }

    fn reason(&self, version: &str) -> Option<(Reason, Option<GardenerVersion>)> {
        match KubernetesSupport::of(version, self.gardener)? {
            KubernetesSupport::Dropped(by) => Some((Reason::Dropped, by)),
            KubernetesSupport::NotYet(by) => Some((Reason::NotYet, by)),
            KubernetesSupport::Unknown(Some(until)) => {
                let today = self.now.to_zoned(TimeZone::UTC).date();
                (until < today).then_some((Reason::PromiseEnded, None))
            }
            KubernetesSupport::Supported | KubernetesSupport::Unknown(None) => None,
        }
    }
}
