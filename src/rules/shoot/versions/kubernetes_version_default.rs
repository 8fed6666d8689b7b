use jiff::Timestamp;

use crate::admission::{Context, FieldPath, FindingKind, Findings, rule};
use crate::api::{CloudProfileSpec, Shoot};
use crate::gardener::defaults::some_pool;
use crate::gardener::version::Prefix;
use crate::gardener::version::is_supported;
use crate::go::Version;
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::workers::pool_pairs;

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
pub(in crate::rules) const OPEN_VERSION: &str = "type(object.spec.?kubernetes.orValue(null)) != map \
    || type(object.spec.kubernetes.?version.orValue(null)) != string \
    || !object.spec.kubernetes.version.matches('^[^.]*[.][^.]*[.][^.]*$')";
/// CEL: the own version of some pool does not have three parts.
pub(in crate::rules) const OPEN_POOL_VERSION: &str = some_pool!(
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
        Err(problem) => problem.report(&UNRESOLVED, path, findings),
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
                problem.report(&WORKER_UNRESOLVED, path, findings);
            }
        }
    }
}

/// Reports whether every version is complete, so that no profile is needed.
fn is_complete(shoot: &Shoot) -> bool {
    let own = shoot.spec.provider.workers.iter();
    let own = own.filter_map(|pool| pool.own_version());
    let mut versions = own.chain([shoot.spec.kubernetes.version.as_str()]);
    versions.all(|version| Prefix::of(version) == Ok(None))
}

struct Problem {
    value: String,
    message: String,
}

impl Problem {
    fn report(self, kind: &'static FindingKind, path: FieldPath, findings: &mut Findings) {
        findings
            .invalid(kind, path, self.message)
            .value(self.value)
            .help("use a version of the profile in full, for example `1.31.7`");
    }
}

/// Returns the versions that may be chosen.
fn supported(spec: &CloudProfileSpec, now: Timestamp) -> Vec<Version> {
    let versions = spec.kubernetes.versions.iter();
    let supported = versions.filter(|version| is_supported(*version, now));
    supported
        .filter_map(|version| Version::parse(&version.version).ok())
        .collect()
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
            });
        }
    };
    // Of equal versions, which differ in their build, the first is chosen.
    let highest = supported.iter().rev().filter(|it| prefix.admits(it)).max();
    let resolved = highest.map(|version| Some(version.to_string()));
    resolved.ok_or_else(|| Problem {
        value: version.to_owned(),
        message: format!(
            "no Kubernetes version of the profile that begins with `{version}` is supported now; deprecated, expired and preview versions are not chosen"
        ),
    })
}
