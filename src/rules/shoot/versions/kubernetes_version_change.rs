use crate::compat::{CompareError, Version, compare_versions};
use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, rule};
use crate::model::Shoot;
use crate::rules::shoot::change;

rule! {
    /// ## What it checks
    /// The Kubernetes version of a Shoot's control plane is not downgraded, not even to an older patch. It is updated by at most one minor
    /// version at a time.
    ///
    /// ## Why
    /// Kubernetes supports neither. Data that a newer version has written may be unreadable to an older one, and each minor version
    /// only supports updates from the preceding one.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, `binding` included. A pre-release counts as its release. The next major version counts as a skip.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     version: 1.32.4   # was 1.30.9
    /// ```
    ///
    /// ## How to fix
    /// Update to the next minor version first. If a partial version is refused as a downgrade, maintenance has updated the
    /// Shoot: write the stored version into the manifest.
    ///
    /// ## Gardener
    /// ValidateKubernetesVersionUpdate in `pkg/api/core/validation/shoot.go` (422). A stored version that cannot be parsed causes Gardener to
    /// answer 500; here it is refused with its name.
    id: "shoot/kubernetes-version-change",
    summary: "the Kubernetes version of the control plane goes forward, step by step",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        DOWNGRADE = "shoot/kubernetes-version-downgrade": "the control plane would go back to an older Kubernetes version",
        SKIP = "shoot/kubernetes-version-skips-minor": "the control plane would skip a minor version of Kubernetes",
        UNREADABLE = "shoot/kubernetes-version-unreadable": "the old and the new Kubernetes version cannot be compared",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (shoot.new, shoot.old) else {
        return;
    };
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
    findings
        .report(kind, error, path, message)
        .value(to.as_str())
        .help(help);
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
