// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use super::update;
use crate::admission::{Context, FieldPath, Findings, Help, Update, rule};
use crate::rules::shared::profiles::Users;
use garden_gate_model::api::{
    Capabilities, CapabilityDefinition, CloudProfile, NamespacedCloudProfile, Versions,
};

rule! {
    page: include_str!("capability_in_use.md"),
    id: "cloudprofile/capability-in-use",
    summary: "rejects removal of a capability that a NamespacedCloudProfile uses",
    phase: Admission,
    level: Deny,
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile],
    findings: {
        IN_USE = "cloudprofile/capability-in-use-by-namespaced": "a capability value that NamespacedCloudProfiles use was removed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The versions in which a profile can return to plain architectures.
const ALLOWS_ARCHITECTURES: Versions = Versions::since(146);

fn check(context: &Context<'_>, profile: Update<'_, CloudProfile>, findings: &mut Findings) {
    let Some((name, Update { new, old })) = update(profile) else {
        return;
    };
    let kept = values(&new.machine_capabilities);
    let mut removed = values(&old.machine_capabilities);
    removed.retain(|value| !kept.contains(value));
    if removed.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.machineCapabilities");
    let Some(children) = findings.known(
        context.namespaced_cloud_profiles_of(name),
        &path,
        "whether removed capabilities are in use",
    ) else {
        return;
    };
    let mut children_of_others = children.iter().filter(|child| {
        let mut named = capabilities(child).flat_map(Capabilities::keys);
        named.any(|name| name != "architecture")
    });
    if context.runs(ALLOWS_ARCHITECTURES) && children_of_others.next().is_none() {
        return;
    }
    let mut used: BTreeMap<(&str, &str), Users> = BTreeMap::new();
    for child in children.iter() {
        let user = format!("{}/{}", child.metadata.namespace, child.metadata.name);
        let uses = uses(&child);
        for value in removed.iter().filter(|value| uses.contains(value)) {
            used.entry(*value).or_default().add([&user], 1);
        }
    }
    for ((capability, value), users) in used {
        let message = format!(
            "value `{value}` of capability `{capability}` cannot be removed from CloudProfile `{name}`: it is used by {}",
            users.describe("NamespacedCloudProfile")
        );
        findings.forbid(&IN_USE, path.clone(), message).value(value).help(Help::restore(
            "put the value back, and change the NamespacedCloudProfiles first",
        ));
    }
}

fn values(definitions: &[CapabilityDefinition]) -> BTreeSet<(&str, &str)> {
    let definitions: BTreeMap<&str, _> =
        definitions.iter().map(|it| (it.name.as_str(), &it.values)).collect();
    let pairs = definitions
        .into_iter()
        .flat_map(|(name, values)| values.iter().map(move |value| (name, value.as_str())));
    pairs.collect()
}

/// Returns the capability values in a NamespacedCloudProfile itself.
fn uses(profile: &NamespacedCloudProfile) -> BTreeSet<(&str, &str)> {
    capabilities(profile).flat_map(pairs).collect()
}

fn capabilities(profile: &NamespacedCloudProfile) -> impl Iterator<Item = &Capabilities> {
    let spec = &profile.spec;
    let versions = spec.machine_images.iter().flat_map(|image| &image.versions);
    let flavors = versions.flat_map(|version| &version.capability_flavors);
    flavors.chain(spec.machine_types.iter().map(|t| &t.capabilities))
}

fn pairs(capabilities: &Capabilities) -> impl Iterator<Item = (&str, &str)> {
    capabilities
        .iter()
        .flat_map(|(name, values)| values.iter().map(|value| (name.as_str(), value.as_str())))
}
