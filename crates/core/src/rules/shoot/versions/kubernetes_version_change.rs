// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, ErrorType, FieldPath, Findings, Update, rule};
use crate::rules::shoot::change;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::{CompareError, Version, compare_versions};

rule! {
    page: include_str!("kubernetes_version_change.md"),
    id: "shoot/kubernetes-version-change",
    summary: "rejects a Kubernetes downgrade and skipped minor versions",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        DOWNGRADE = "shoot/kubernetes-version-downgrade": "the Kubernetes version of the control plane is downgraded",
        SKIP = "shoot/kubernetes-version-skips-minor": "the control plane skips a Kubernetes minor version",
        UNREADABLE = "shoot/kubernetes-version-unreadable": "the old and the new Kubernetes version cannot be compared",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let (from, to) = (&old.spec.kubernetes.version, &new.spec.kubernetes.version);
    if from == to || to.is_empty() || change::is_frozen(context, new) {
        return;
    }
    let (kind, error, message, help) = match step(from, to) {
        Ok(Step::Fine) => return,
        Ok(Step::Back) => (
            &DOWNGRADE,
            ErrorType::Forbidden,
            format!("the Kubernetes version cannot go back from `{from}` to `{to}`"),
            format!("use `{from}` or a later version"),
        ),
        Ok(Step::Skip { next }) => (
            &SKIP,
            ErrorType::Forbidden,
            format!("from Kubernetes `{from}` to `{to}` a minor version would be skipped"),
            format!("go to a version of `{next}` first"),
        ),
        Err(why) => (
            &UNREADABLE,
            ErrorType::Invalid,
            format!("Kubernetes versions `{from}` and `{to}` cannot be compared: {why}"),
            "use a version of the form `1.2.3`".to_owned(),
        ),
    };
    let path = FieldPath::new("spec.kubernetes.version");
    findings.report(kind, error, path, message).value(to.as_str()).help(help);
}

enum Step {
    Fine,
    Back,
    Skip { next: String },
}

fn step(from: &str, to: &str) -> Result<Step, CompareError> {
    if compare_versions(to, "<", from)? {
        return Ok(Step::Back);
    }
    let old = Version::parse(from)?;
    let later = |minors| old.minor.wrapping_add(minors);
    let too_far = format!("{}.{}.0", old.major, later(2));
    if compare_versions(to, ">=", &too_far)? {
        let next = format!("{}.{}", old.major, later(1));
        return Ok(Step::Skip { next });
    }
    Ok(Step::Fine)
}
