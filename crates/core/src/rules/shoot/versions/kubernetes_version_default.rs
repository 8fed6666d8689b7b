// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use crate::admission::{Context, FieldPath, FindingKind, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::versions::offered_kubernetes::name_versions;
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::{CloudProfileSpec, ExpirableVersion, Shoot};
use garden_gate_model::gardener::version::{Prefix, is_active, is_supported};
use garden_gate_model::some_pool;
use garden_gate_text::go::Version;

rule! {
    page: include_str!("kubernetes_version_default.md"),
    id: "shoot/kubernetes-version-default",
    summary: "sets an omitted or partial Kubernetes version to the highest supported one",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    acts_on_unchanged: [OPEN_VERSION, OPEN_POOL_VERSION],
    findings: {
        UNRESOLVED = "shoot/kubernetes-version-unresolved": "no supported version of the profile matches the Shoot's Kubernetes version",
        WORKER_UNRESOLVED = "shoot/worker-kubernetes-version-unresolved": "no supported version of the profile matches the Kubernetes version of a pool",
    },
    check: Fill(mutate),
}

/// CEL: the Kubernetes version of the Shoot does not have three parts.
///
/// Such a version is resolved whatever the stored one is.
pub(crate) const OPEN_VERSION: &str = "type(object.spec.?kubernetes.orValue(null)) != map \
    || type(object.spec.kubernetes.?version.orValue(null)) != string \
    || !object.spec.kubernetes.version.matches('^[^.]*[.][^.]*[.][^.]*$')";
/// CEL: the own version of some pool does not have three parts.
pub(crate) const OPEN_POOL_VERSION: &str = some_pool!(
    "type(pool.?kubernetes.orValue({})) != map",
    "pool.?kubernetes.?version.orValue(null) != null && (type(pool.kubernetes.version) != string \
     || !pool.kubernetes.version.matches('^[^.]*[.][^.]*[.][^.]*$'))",
);

fn mutate(context: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, findings: &mut Findings) {
    if is_complete(shoot) {
        return;
    }
    let Some(offer) = offer(context, shoot, findings) else {
        return;
    };
    let spec = offer.spec();
    let supported = supported(spec, context.now);
    let path = FieldPath::new("spec.kubernetes.version");
    match resolve(&shoot.spec.kubernetes.version, &supported) {
        Ok(Some(version)) => shoot.spec.kubernetes.version = version,
        Ok(None) => {}
        Err(problem) => problem.report(&UNRESOLVED, path, spec, context.now, findings),
    }
    for (index, pool) in shoot.spec.provider.workers.iter_mut().enumerate() {
        let Some(version) = pool.kubernetes.as_mut().and_then(|it| it.version.as_mut()) else {
            continue;
        };
        match resolve(version, &supported) {
            Ok(Some(resolved)) => *version = resolved,
            Ok(None) => {}
            // Gardener stops at the first pool; reporting all pools at once saves attempts.
            Err(problem) => {
                let path = pool_pairs::path(index).child("kubernetes").child("version");
                problem.report(&WORKER_UNRESOLVED, path, spec, context.now, findings);
            }
        }
    }
}

/// Reports whether every version is complete, so that no profile is needed.
fn is_complete(shoot: &Shoot) -> bool {
    let own = shoot.spec.provider.workers.iter().filter_map(|pool| pool.own_version());
    let mut versions = own.chain([shoot.spec.kubernetes.version.as_str()]);
    versions.all(|version| Prefix::of(version) == Ok(None))
}

struct Problem {
    value: String,
    message: String,
    /// The prefix that no supported version has; `None` if it is malformed.
    prefix: Option<Prefix>,
}

impl Problem {
    fn report(
        self,
        kind: &'static FindingKind,
        path: FieldPath,
        spec: &CloudProfileSpec,
        now: Timestamp,
        findings: &mut Findings,
    ) {
        let help = self.help(spec, now);
        findings.invalid(kind, path, self.message).value(self.value).help(help);
    }

    /// Names the versions with the prefix that can be written in full, or else all of the profile.
    fn help(&self, spec: &CloudProfileSpec, now: Timestamp) -> String {
        let versions = spec.kubernetes.versions.iter();
        let usable: Vec<&ExpirableVersion> = versions.filter(|it| is_active(*it, now)).collect();
        let has_prefix = |it: &&ExpirableVersion| {
            let version = Version::parse(&it.version);
            let admits = |version| self.prefix.is_some_and(|prefix| prefix.admits(&version));
            version.is_ok_and(admits)
        };
        let meant: Vec<&ExpirableVersion> = usable.iter().copied().filter(has_prefix).collect();
        match (meant.as_slice(), usable.as_slice()) {
            ([], []) => "the profile offers no version now; ask its operators for one".to_owned(),
            ([], usable) => {
                format!("use a version in full; the profile offers {}", name_versions(usable))
            }
            (meant, _) => format!("use a version in full: {}", name_versions(meant)),
        }
    }
}

/// Returns the versions that may be chosen.
fn supported(spec: &CloudProfileSpec, now: Timestamp) -> Vec<Version> {
    let versions = spec.kubernetes.versions.iter();
    let supported = versions.filter(|version| is_supported(*version, now));
    supported.filter_map(|version| Version::parse(&version.version).ok()).collect()
}

/// Returns the full version for a partial one; `None` if `version` is a full one.
fn resolve(version: &str, supported: &[Version]) -> Result<Option<String>, Problem> {
    let prefix = match Prefix::of(version) {
        Ok(None) => return Ok(None),
        Ok(Some(prefix)) => prefix,
        Err(error) => {
            let (part, which) = (error.part, if error.is_minor { "minor" } else { "major" });
            return Err(Problem {
                value: part.to_owned(),
                message: format!(
                    "`{part}` in Kubernetes version `{version}` is not a {which} version number"
                ),
                prefix: None,
            });
        }
    };
    // Of equal versions, which differ in their build, the first is chosen.
    let highest = supported.iter().rev().filter(|it| prefix.admits(it)).max();
    let resolved = highest.map(|version| Some(version.to_string()));
    resolved.ok_or_else(|| Problem {
        value: version.to_owned(),
        prefix: Some(prefix),
        message: format!(
            "no Kubernetes version of the profile that begins with `{version}` is supported now; deprecated, expired and preview versions are not chosen"
        ),
    })
}
