use super::{add, check_label_value, is_labelled};
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::api::{ObjectMeta, Workload};

rule! {
    page: include_str!("no_cleanup.md"),
    id: "workload/no-cleanup",
    summary: "warns about an invalid `no-cleanup` mark",
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

fn check(_: &Context<'_>, change: Write<'_, Workload>, findings: &mut Findings) {
    let new = change.new;
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
