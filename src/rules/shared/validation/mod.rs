//! Static validation: checks a part of a received object against the rows of [`crate::fields`].

mod amounts;
mod facts;
mod immutable;
mod metadata;
mod owners;
mod part;
mod place;
mod pod_toleration;
mod reference;
mod selector;
mod value;
mod walk;

pub(in crate::rules) use amounts::{check_amount, check_amounts, check_cpu_and_memory};
pub(in crate::rules) use facts::Facts;
pub(in crate::rules) use immutable::{changed, check_immutable};
pub(in crate::rules) use metadata::{
    Naming, check_annotations, check_kept_metadata, check_labels, check_made_label, check_metadata,
    extension_types, made_label,
};
pub(crate) use part::{Part, amount};
pub(in crate::rules) use pod_toleration::check_pod_tolerations;
pub(in crate::rules) use reference::{
    check_credentials, check_full_name, check_kind, check_name_and_namespace, check_resources,
};
pub(in crate::rules) use selector::check_selector;
pub(in crate::rules) use walk::{Section, check, check_at, check_removed};

use crate::engine::{ErrorType, FieldPath, FindingKind, Findings, Offence, finding_kinds};

finding_kinds! {
    pub(in crate::rules) MISSING = "field/missing": "a field that must be set is absent or empty",
    pub(in crate::rules) UNSUPPORTED = "field/unsupported-value": "a value is not one of those that there are",
    pub(in crate::rules) OUT_OF_RANGE = "field/out-of-range": "a number or duration is too small or too great",
    pub(in crate::rules) MALFORMED = "field/malformed": "a value does not have the form of such values",
    pub(in crate::rules) TOO_LONG = "field/too-long": "a text has more bytes than it may have",
    pub(in crate::rules) REPEATED = "field/repeated": "a value stands twice where it may stand once",
    pub(in crate::rules) UNFITTING = "field/unfitting": "a field is set that does not go with the rest of the object",
    pub(in crate::rules) CHANGED = "field/immutable": "a field is changed that stays as it is",
    pub(in crate::rules) REMOVED = "field/removed": "a field is set that this Kubernetes version forbids",
}

/// Reports a violation that the field table cannot express.
pub(in crate::rules) fn say(
    findings: &mut Findings,
    (kind, error): (&'static FindingKind, ErrorType),
    field: FieldPath,
    message: impl Into<String>,
    help: &str,
) {
    findings.add(Offence::new(kind, error, field, message).help(help));
}
