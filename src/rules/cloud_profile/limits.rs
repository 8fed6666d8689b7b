use serde_json::json;

use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::{CloudProfile, Limits};

rule! {
    /// ## What it checks
    /// `spec.limits.maxNodesTotal` is positive, and once set it may grow but not shrink.
    ///
    /// ## Why
    /// Shoots that are larger than a lower limit could no longer be changed.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   limits:
    ///     maxNodesTotal: 100   # was 200
    /// ```
    ///
    /// ## How to fix
    /// Keep the limit, raise it, or remove it.
    ///
    /// ## Gardener
    /// `pkg/api/core/validation/cloudprofile.go` (422). No differences.
    pub(crate) static RULE {
        id: "cloudprofile/limits",
        summary: "the limit on nodes is positive and never lowered",
        phase: Static,
        scopes: [CloudProfile [Create, Update] [""]],
        documented: Deny,
        gardener: Deny,
        findings: [NOT_POSITIVE, LOWERED],
        check: Check::CloudProfile(check),
    }
}

static NOT_POSITIVE: FindingKind = FindingKind {
    id: "cloudprofile/limit-not-positive",
    summary: "the limit on nodes is zero or negative",
};
static LOWERED: FindingKind = FindingKind {
    id: "cloudprofile/limit-lowered",
    summary: "the limit on nodes was lowered",
};

fn check(_: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let limit = |profile: Option<&CloudProfile>| {
        let limits = profile?.spec.limits;
        limits.and_then(|limits: Limits| limits.max_nodes_total)
    };
    let Some(new) = limit(profile.new) else {
        return;
    };
    let path = FieldPath::new("spec.limits.maxNodesTotal");
    if new <= 0 {
        let message = format!("a limit of `{new}` nodes allows no Shoot at all");
        let offence = Offence::new(&NOT_POSITIVE, ErrorType::Invalid, path.clone(), message);
        findings.add(
            offence
                .value(json!(new))
                .help("set a positive number, or remove the limit"),
        );
    }
    if let Some(old) = limit(profile.old).filter(|old| new < *old) {
        let message = format!("the limit of `{old}` nodes cannot be lowered to `{new}`");
        let offence = Offence::new(&LOWERED, ErrorType::Invalid, path, message);
        findings.add(
            offence
                .value(json!(new))
                .help("keep the limit, raise it, or remove it"),
        );
    }
}
