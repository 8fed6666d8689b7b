use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// A Shoot is not hibernated while its constraint `HibernationPossible` is anything but `True`. Without such a
    /// constraint hibernation is allowed.
    ///
    /// ## Why
    /// The constraint shows whether the cluster could wake up from hibernation: a webhook that fails closed for nodes, leases or system
    /// pods prevents that for ever.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE (`binding` included), when `spec.hibernation.enabled` becomes true. The stored status
    /// counts, never the submitted one. Scheduled hibernation is the same change and is refused alike; writing a schedule is not.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   hibernation:
    ///     enabled: true
    /// status:
    ///   constraints:
    ///   - type: HibernationPossible
    ///     status: "False"
    ///     message: 'MutatingWebhookConfiguration "policy" is problematic: …'
    /// ```
    ///
    /// ## How to fix
    /// Fix the cause that the constraint's message names (`garden-gate review` explains webhook configurations of a Shoot cluster). After a
    /// reconciliation the constraint is `Progressing` for about a minute; then try again.
    ///
    /// ## Gardener
    /// `validateShootHibernation` in `plugin/pkg/shoot/validator/admission.go` (403). The documentation mentions `False` only; every
    /// status but `True` is refused.
    id: "shoot/hibernation-constraint",
    summary: "no Shoot falls asleep that could not wake up",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        CONSTRAINT = "shoot/hibernation-constraint": "a Shoot falls asleep while its constraint HibernationPossible is not True",
    },
    check: Judge(check),
}

/// The constraint that forbids hibernation unless it is `True`.
pub(crate) const HIBERNATION_POSSIBLE: &str = "HibernationPossible";

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (shoot.new, shoot.old) else {
        return;
    };
    if old.wants_hibernation() || !new.wants_hibernation() {
        return;
    }
    let constraint = old.status.constraint(HIBERNATION_POSSIBLE);
    if let Some(constraint) = constraint.filter(|constraint| constraint.status != "True") {
        let message = format!(
            "the Shoot cannot fall asleep: its constraint `{HIBERNATION_POSSIBLE}` is `{}`: {}",
            constraint.status, constraint.message
        );
        let path = FieldPath::new("spec.hibernation.enabled");
        findings
            .forbid(&CONSTRAINT, path, message)
            .value(true)
            .help(help(&constraint.status));
    }
}

fn help(status: &str) -> &'static str {
    match status {
        "Progressing" | "Unknown" => {
            "wait until the next health check has renewed the constraint, then try again"
        }
        _ => {
            "correct what the constraint names; `garden-gate review` explains webhook configurations of the cluster"
        }
    }
}
