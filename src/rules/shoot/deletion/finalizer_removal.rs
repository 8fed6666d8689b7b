use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{Shoot, ShootStatus};

rule! {
    /// ## What it checks
    /// The finalizer `gardener` is removed from a Shoot only when its deletion has succeeded completely, or when it has never
    /// been reconciled (no `status.technicalID`, or no `status.lastOperation`).
    ///
    /// ## Why
    /// Without the finalizer the Shoot is removed at once. Its control plane and machines remain, and Gardener does not know them any more.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, all subresources included.
    ///
    /// ## Example
    /// `kubectl patch shoot web --type=merge -p '{"metadata":{"finalizers":null}}'` while its deletion is at 99 percent.
    ///
    /// ## How to fix
    /// Wait for the deletion. If it hangs, check `status.lastErrors`; `confirmation.gardener.cloud/force-deletion` is the last resort.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/finalizerremoval/admission.go` (403). No differences.
    id: "shoot/finalizer-removal",
    summary: "Gardener's finalizer stays until deletion has succeeded",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding, Status]],
    findings: {
        REMOVED = "shoot/finalizer-removal": "Gardener's finalizer is removed before deletion has succeeded",
    },
    check: Judge(check),
}

const GARDENER: &str = "gardener";

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (shoot.new, shoot.old) else {
        return;
    };
    if has_finalizer(old) && !has_finalizer(new) && !is_deleted(&new.status) {
        let message = format!(
            "finalizer `{GARDENER}` cannot be removed, because the deletion of the Shoot has not succeeded yet"
        );
        let field = FieldPath::new("metadata.finalizers");
        findings
            .forbid(&REMOVED, field, message)
            .value(GARDENER)
            .help("put it back and let deletion go on");
    }
}

fn has_finalizer(shoot: &Shoot) -> bool {
    let mut finalizers = shoot.metadata.finalizers.iter();
    finalizers.any(|finalizer| finalizer == GARDENER)
}

/// Reports whether the Shoot was deleted completely, or was never created.
fn is_deleted(status: &ShootStatus) -> bool {
    let Some(last) = &status.last_operation else {
        return true;
    };
    let succeeded = last.kind == "Delete" && last.state == "Succeeded" && last.progress == 100;
    status.technical_id.is_empty() || succeeded
}
