use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::advice::minor_gap::tell;

rule! {
    /// ## What it checks
    /// For each Kubernetes minor version of a CloudProfile below the highest, the profile also has the next one, with a version that is not
    /// in preview. Expired versions are included.
    ///
    /// ## Why
    /// Shoots are updated one minor version at a time; across a gap, neither their owners nor maintenance can update them.
    ///
    /// ## Applies to
    /// CloudProfiles, in `garden-gate audit`. `advice/minor-gap` reports a write that causes a gap.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.33.1
    ///     - version: 1.30.5   # 1.31 and 1.32 are missing
    ///       expirationDate: "2026-12-05T12:00:00Z"
    /// ```
    ///
    /// ## How to fix
    /// Add a version of each minor in between, until no Shoot needs it.
    ///
    /// ## Gardener
    /// `docs/usage/shoot-operations/shoot_versions.md` requires consecutive minor versions; Gardener does not check it.
    id: "audit/minor-gap",
    summary: "Shoots can leave every Kubernetes minor version of a CloudProfile",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    door: Audit,
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        GAP = "audit/minor-gap": "Shoots of a minor version cannot be updated, because the next one is missing",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    if let Some(profile) = profile.new {
        tell(context, (profile, &GAP), |_| true, findings);
    }
}
