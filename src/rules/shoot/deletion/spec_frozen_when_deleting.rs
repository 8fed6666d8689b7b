use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// The specification of a Shoot that is being deleted does not change.
    ///
    /// ## Why
    /// A change would have no effect: the cluster is being deleted.
    ///
    /// ## Applies to
    /// Shoots with a deletion timestamp, on UPDATE, `binding` included. Labels, annotations and finalizers may change. Most other rules about
    /// changes do not apply to such a Shoot, as their remedies would not help.
    ///
    /// ## Example
    /// A Shoot with `metadata.deletionTimestamp` gets another Kubernetes version.
    ///
    /// ## How to fix
    /// Keep the stored specification.
    ///
    /// ## Gardener
    /// ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go` (422). No differences.
    id: "shoot/spec-frozen-when-deleting",
    summary: "the specification of a Shoot that is being deleted does not change",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        FROZEN = "shoot/spec-frozen-when-deleting": "a Shoot that is being deleted gets another specification",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(_)) = (shoot.new, shoot.old) else {
        return;
    };
    if new.metadata.deletion_timestamp.is_none() {
        return;
    }
    let fields = context.changed_fields(new);
    if fields.is_empty() {
        return;
    }
    let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    let message = format!(
        "the Shoot is being deleted, so its specification cannot change, but it differs in {}",
        fields.join(", ")
    );
    findings
        .forbid(&FROZEN, FieldPath::new("spec"), message)
        .help("leave the specification as it is stored");
}
