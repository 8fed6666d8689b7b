use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Seed;

rule! {
    /// ## What it checks
    /// The label `seed.gardener.cloud/self-hosted-shoot-cluster` stays on a Seed that has it, whatever its value.
    ///
    /// ## Why
    /// It tells that the Seed is a Shoot that hosts its own control plane, and that does not change.
    ///
    /// ## Applies to
    /// Seeds, on UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   labels: {}   # had seed.gardener.cloud/self-hosted-shoot-cluster: "true"
    /// ```
    ///
    /// ## How to fix
    /// Keep the label.
    ///
    /// ## Gardener
    /// validateSeedUpdate in `plugin/pkg/seed/validator/admission.go` (403).
    pub(crate) static RULE {
        id: "seed/self-hosted-label-removed",
        summary: "the label of a Seed on a self-hosted Shoot stays",
        phase: Admission,
        scopes: [Seed [Update] [""]],
        documented: Deny,
        gardener: Deny,
        findings: [REMOVED],
        check: Check::Seed(check),
    }
}

static REMOVED: FindingKind = FindingKind {
    id: "seed/self-hosted-label-removed",
    summary: "the label of a Seed on a self-hosted Shoot is removed",
};

const LABEL: &str = "seed.gardener.cloud/self-hosted-shoot-cluster";

fn check(_: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (seed.new, seed.old) else {
        return;
    };
    let has = |seed: &Seed| seed.metadata.labels.contains_key(LABEL);
    if has(new) || !has(old) {
        return;
    }
    let path = FieldPath::new("metadata.labels").key(LABEL);
    let message = format!(
        "label `{LABEL}` cannot be removed from Seed `{}`",
        new.metadata.name
    );
    let offence = Offence::new(&REMOVED, ErrorType::Forbidden, path, message);
    findings.add(offence.help("keep the label"));
}
