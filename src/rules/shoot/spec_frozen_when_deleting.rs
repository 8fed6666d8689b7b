use serde_json::Value;

use crate::compat::semantically_equal;
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// The spec of a Shoot that is being deleted does not change.
    ///
    /// ## Why
    /// Gardener takes the cluster down with the configuration with which it was built.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, `binding` included, when the new object has a `metadata.deletionTimestamp`. Labels, annotations and
    /// finalizers are free.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   deletionTimestamp: "2026-01-01T00:00:00Z"
    /// spec:
    ///   hibernation:
    ///     enabled: true   # was false
    /// ```
    ///
    /// ## How to fix
    /// Put the spec back; only metadata can change now.
    ///
    /// ## Gardener
    /// `ValidateShootSpecUpdate` in `pkg/api/core/validation/shoot.go`, by static validation (422). No differences.
    pub(crate) static RULE {
        id: "shoot/spec-frozen-when-deleting",
        summary: "the spec of a Shoot that is being deleted stays as it is",
        phase: Static,
        scopes: [Shoot [Update] ["", "binding"]],
        documented: Deny,
        gardener: Deny,
        findings: [CHANGED],
        check: Check::Shoot(check),
    }
}

static CHANGED: FindingKind = FindingKind {
    id: "shoot/spec-frozen-when-deleting",
    summary: "the spec of a Shoot that is being deleted is changed",
};

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let deleting = shoot
        .new
        .is_some_and(|new| new.metadata.deletion_timestamp.is_some());
    if !deleting || shoot.old.is_none() {
        return;
    }
    let (new, old) = (context.new_json(), context.old_json());
    if !semantically_equal(&new["spec"], &old["spec"]) {
        let changed = changed_fields(&new["spec"], &old["spec"]).join("`, `");
        let message =
            format!("the Shoot is being deleted, so its spec cannot change; `{changed}` did");
        let offence = Offence::new(
            &CHANGED,
            ErrorType::Forbidden,
            FieldPath::new("spec"),
            message,
        );
        findings.add(offence.help("put the spec back; only metadata can change now"));
    }
}

/// The fields directly below the spec that differ.
fn changed_fields(new: &Value, old: &Value) -> Vec<String> {
    let names = |spec: &Value| {
        let fields = spec.as_object().into_iter().flatten();
        fields.map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    let mut all = names(new);
    all.extend(names(old));
    all.sort();
    all.dedup();
    all.retain(|name| {
        let only = |spec: &Value| {
            Value::Object([(name.clone(), spec[name].clone())].into_iter().collect())
        };
        !semantically_equal(&only(new), &only(old))
    });
    all
}
