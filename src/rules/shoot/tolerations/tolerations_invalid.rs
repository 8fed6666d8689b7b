use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;
use crate::rules::shared::tolerations::check_form;

rule! {
    /// ## What it checks
    /// Every entry of `spec.tolerations` has a key that is a label key (an optional DNS prefix and `/`, then a name of at
    /// most 63 characters) and, if it has a value, one that is a label value. No entry duplicates an earlier one: the same key
    /// with the same value, or a key that an earlier entry has without a value. The order matters: `foo=x` then `foo` is
    /// accepted, `foo` then `foo=x` is not.
    ///
    /// ## Why
    /// Tolerations are matched with the taints of seeds; a malformed or duplicate entry is a mistake.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the `binding` subresource included. The whole list is checked every time.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   tolerations:
    ///   - key: example.org/dedicated
    ///   - key: example.org/dedicated   # repeats the entry above
    ///     value: team-a
    /// ```
    ///
    /// ## How to fix
    /// Correct the key or value, or remove the duplicate entry.
    ///
    /// ## Gardener
    /// `ValidateTolerations` in `pkg/api/core/validation/project.go`, by static validation (422). No differences.
    id: "shoot/tolerations-invalid",
    summary: "tolerations are well-formed and none is there twice",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        INVALID = "shoot/tolerations-invalid": "a toleration has a missing or malformed key, a malformed value, or is there twice",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    if let Some(new) = shoot.new {
        check_form(
            &new.spec.tolerations,
            &FieldPath::new("spec.tolerations"),
            &INVALID,
            findings,
        );
    }
}
