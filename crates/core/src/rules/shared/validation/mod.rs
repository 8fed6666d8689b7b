// SPDX-License-Identifier: Apache-2.0
//! Static validation: checks a part of a received object against the rows of [`garden_gate_model::api`].

mod amounts;
mod facts;
mod immutable;
mod lazy_path;
mod metadata;
mod oci;
mod owners;
mod part;
mod pod_toleration;
mod reference;
mod selector;
mod url;
mod value;
mod walk;

pub(crate) use amounts::{check_amount, check_amounts, check_cpu_and_memory};
pub(crate) use facts::Facts;
pub(crate) use immutable::{changed, check_immutable, is_unchanged};
pub(crate) use metadata::{
    Naming, check_annotation_map, check_annotations, check_kept_metadata, check_label_map,
    check_label_of_type, check_labels, check_made_label, check_metadata, extension_types,
};
pub(crate) use oci::check_oci_repository;
pub use part::Part;
pub(crate) use part::amount;
pub(crate) use pod_toleration::check_pod_tolerations;
pub(crate) use reference::{
    check_credentials, check_fields, check_full_name, check_kind, check_name_and_namespace,
    check_plain_reference, check_plain_resources, check_resources,
};
pub(crate) use selector::check_selector;
pub(crate) use url::{address_errors, https_errors, issuer_error};
pub(crate) use walk::{Section, check, check_at, check_removed};

use std::fmt::Display;

use crate::admission::{FieldPath, Findings, Reported, finding_kinds};

finding_kinds! {
    pub(crate) MISSING = "field/missing": "a required field is absent or empty",
    pub(crate) UNSUPPORTED = "field/unsupported-value": "a value is not supported",
    pub(crate) OUT_OF_RANGE = "field/out-of-range": "a number or duration is out of range",
    pub(crate) MALFORMED = "field/malformed": "a value has invalid syntax",
    pub(crate) TOO_LONG = "field/too-long": "a string exceeds its maximum length in bytes",
    pub(crate) REPEATED = "field/repeated": "a value is a duplicate",
    pub(crate) UNFITTING = "field/unfitting": "a field is set that the rest of the object forbids",
    pub(crate) CHANGED = "field/immutable": "an immutable field is changed",
    pub(crate) REMOVED = "field/removed": "a field is set that the Kubernetes version forbids",
}

/// Reports a string that is absent or empty, as Gardener does with an invalid value.
pub(crate) fn check_filled(
    object: &Part<'_>,
    path: &[&'static str],
    field: &'static str,
    findings: &mut Findings,
) {
    if object.text_at(path).is_empty() {
        let message = format!("`{field}` is not set");
        let at = FieldPath::new(field);
        findings.invalid(&MISSING, at, message).help(format!("set `{field}`"));
    }
}

/// Reports a duplicate; `what` is for the message, with the value in backticks.
pub(crate) fn report_repeated(
    what: impl Display,
    field: FieldPath,
    findings: &mut Findings,
) -> Reported<'_> {
    findings
        .duplicate(&REPEATED, field, format!("{what} stands here twice"))
        .help("keep one of them")
}
