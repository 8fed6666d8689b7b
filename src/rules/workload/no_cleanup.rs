use super::{add, check_label_value, is_labelled};
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{ObjectMeta, Workload};

rule! {
    /// ## What it checks
    /// Workload that Gardener should keep when its Shoot is deleted is marked by the label
    /// `shoot.gardener.cloud/no-cleanup` with the value `true`.
    ///
    /// ## Why
    /// Before Gardener deletes the machines of a Shoot, it deletes the workload. An annotation, or another value of the label, does not prevent that.
    ///
    /// ## Applies to
    /// DaemonSets, Deployments and Pods of a Shoot cluster with the label or an annotation of that name, on CREATE and UPDATE. The rule only warns.
    ///
    /// ## Example
    /// ```yaml
    /// kind: Deployment
    /// metadata:
    ///   annotations:
    ///     shoot.gardener.cloud/no-cleanup: "true"   # must be a label
    /// ```
    ///
    /// ## How to fix
    /// Set the label to `"true"`, or remove marks without effect.
    ///
    /// ## Gardener
    /// Not checked; `pkg/gardenlet/operation/botanist/cleanup.go` selects by the label.
    id: "workload/no-cleanup",
    summary: "what is to be left alone when a Shoot is deleted is marked so",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        DaemonSet [Create, Update];
        Deployment [Create, Update];
        Pod [Create, Update]
    ],
    findings: {
        VALUE = "workload/no-cleanup-value": "the label has a value other than `true`",
        ANNOTATION = "workload/no-cleanup-annotation": "the mark is an annotation instead of a label",
    },
    check: Judge(check),
}

const MARK: &str = "shoot.gardener.cloud/no-cleanup";

fn check(_: &Context<'_>, change: Change<'_, Workload>, findings: &mut Findings) {
    let Some(new) = change.new else { return };
    check_marks(&new.metadata, &FieldPath::new("metadata"), findings);
    if let Some(template) = &new.spec.template {
        let path = FieldPath::new("spec.template.metadata");
        check_marks(&template.metadata, &path, findings);
    }
}

fn check_marks(metadata: &ObjectMeta, path: &FieldPath, findings: &mut Findings) {
    let help = "write `\"true\"`, or remove it";
    check_label_value(&VALUE, MARK, (metadata, path), help, findings);
    if metadata.annotations.contains_key(MARK) && !is_labelled(metadata, MARK) {
        let message = format!("`{MARK}` counts as a label only, not as an annotation");
        let field = path.child("annotations").key(MARK);
        add(
            &ANNOTATION,
            field,
            message,
            "make it a label with the value `true`",
            findings,
        );
    }
}
