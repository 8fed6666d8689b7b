use crate::compat::{CompareError, Version, compare_versions};
use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, Offence, rule};
use crate::model::Shoot;
use crate::rules::shoot::workers::pool_pairs;

rule! {
    page: include_str!("worker_kubernetes_version_skew.md"),
    id: "shoot/worker-kubernetes-version-skew",
    summary: "rejects an unsupported version skew between worker pool and control plane",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        ABOVE = "shoot/worker-kubernetes-version-above-control-plane": "a pool has a later Kubernetes version than the control plane",
        SKEW = "shoot/worker-kubernetes-version-skew": "a pool is more than three minor versions behind the control plane",
        UNREADABLE = "shoot/worker-kubernetes-version-incomparable": "the Kubernetes version of a pool cannot be compared with the control plane's",
    },
    check: Judge(check),
}

/// The maximum number of minor versions by which nodes may be behind.
const FARTHEST: u64 = 3;

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    let control_plane = new.spec.kubernetes.version.as_str();
    for pool in pool_pairs::pairs(new, shoot.old) {
        let Some(own) = pool.new.own_version() else {
            continue;
        };
        let path = pool.path().child("kubernetes").child("version");
        for offence in offences(&pool.new.name, own, control_plane, &path) {
            findings.add(offence.value(own));
        }
    }
}

fn offences(name: &str, own: &str, control_plane: &str, path: &FieldPath) -> Vec<Offence> {
    let offence = |kind, error, message| Offence::new(kind, error, path.clone(), message);
    let unreadable = |why: CompareError| {
        let message = format!(
            "Kubernetes version `{own}` of pool `{name}` cannot be compared with the control plane's `{control_plane}`: {why}"
        );
        offence(&UNREADABLE, ErrorType::Invalid, message).help("use a version of the form `1.2.3`")
    };
    // An invalid version may still be compared in one direction, and Gardener reports the result.
    let above = match compare_versions(own, ">", control_plane) {
        Ok(false) => None,
        Ok(true) => {
            let message = format!(
                "pool `{name}` would run Kubernetes `{own}`, later than the control plane's `{control_plane}`"
            );
            let help =
                "update the Kubernetes version of the Shoot first, or leave out that of the pool";
            Some(offence(&ABOVE, ErrorType::Forbidden, message).help(help))
        }
        Err(why) => return vec![unreadable(why)],
    };
    let behind = match is_too_far(own, control_plane) {
        Ok(false) => None,
        Ok(true) => {
            let message = format!(
                "pool `{name}` would run Kubernetes `{own}`, more than {FARTHEST} minor versions behind the control plane's `{control_plane}`"
            );
            Some(offence(&SKEW, ErrorType::Forbidden, message).help("update the pool first"))
        }
        Err(why) => Some(unreadable(why)),
    };
    above.into_iter().chain(behind).collect()
}

fn is_too_far(own: &str, control_plane: &str) -> Result<bool, CompareError> {
    let pool = Version::parse(own)?;
    let minor = pool.minor.wrapping_add(FARTHEST + 1);
    compare_versions(control_plane, ">=", &format!("{}.{minor}.0", pool.major))
}
