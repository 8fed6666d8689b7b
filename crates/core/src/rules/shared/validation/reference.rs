// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use super::{MALFORMED, MISSING, Part, UNSUPPORTED, report_repeated};
use crate::admission::{FieldPath, Findings};
use garden_gate_text::go::{dns_label_error, dns_subdomain_error};

/// The API versions and kinds of credentials.
const CREDENTIALS: [[&str; 2]; 3] =
    [["v1", "Secret"], ["core.gardener.cloud/v1beta1", "InternalSecret"], WORKLOAD_IDENTITY];
const WORKLOAD_IDENTITY: [&str; 2] = ["security.gardener.cloud/v1alpha1", "WorkloadIdentity"];

/// The API versions and kinds of objects for extensions.
const RESOURCES: [[&str; 2]; 3] = [["v1", "Secret"], ["v1", "ConfigMap"], WORKLOAD_IDENTITY];

/// Validates a reference to credentials; `default` is the namespace if the reference has none.
///
/// Mirrors ValidateCredentialsRef in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_credentials(reference: &Part<'_>, default: &str, findings: &mut Findings) {
    check_full_name(reference, default, findings);
    check_kind(
        ["apiVersion", "kind"].map(|field| reference.text_at(&[field])),
        reference.path(),
        findings,
    );
}

/// Validates `apiVersion` and `kind` of credentials.
pub(crate) fn check_kind([version, kind]: [String; 2], path: &FieldPath, findings: &mut Findings) {
    if !is_among(&CREDENTIALS, &version, &kind) {
        let message = format!("credentials cannot be a `{kind}` of `{version}`");
        findings.unsupported(&UNSUPPORTED, path.clone(), message).help(
            "name a Secret (`v1`) or a WorkloadIdentity (`security.gardener.cloud/v1alpha1`)",
        );
    }
}

fn is_among(known: &[[&str; 2]], version: &str, kind: &str) -> bool {
    known.contains(&[version, kind])
}

/// Validates that a reference is complete, with valid names.
///
/// `default` is the namespace if the reference has none.
pub(crate) fn check_full_name(reference: &Part<'_>, default: &str, findings: &mut Findings) {
    let path = reference.path();
    let fields = ["apiVersion", "kind", "name", "namespace"];
    let values = fields.map(|field| match reference.text_at(&[field]) {
        none if none.is_empty() && field == "namespace" => default.to_owned(),
        text => text,
    });
    check_fields(fields.into_iter().zip(&values), path, findings);
}

/// Validates the fields of a reference to credentials: `apiVersion`, `kind` and names.
pub(crate) fn check_fields<'v>(
    fields: impl Iterator<Item = (&'static str, &'v String)> + Clone,
    path: &FieldPath,
    findings: &mut Findings,
) {
    for (field, value) in fields.clone() {
        if value.is_empty() {
            let message = format!("`{field}` of the credentials is not set");
            findings.required(&MISSING, path.child(field), message).help(format!("set `{field}`"));
        }
    }
    for (field, value) in fields.skip(2) {
        if let Some(why) = dns_subdomain_error(value) {
            let message = format!("`{value}` cannot be a {field}: {why}");
            findings
                .invalid(&MALFORMED, path.child(field), message)
                .help("name an object that exists");
        }
    }
}

/// Validates the name, and the namespace if it is set, of a reference.
///
/// Mirrors ValidateObjectReferenceNameAndNamespace in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_name_and_namespace(reference: &Part<'_>, findings: &mut Findings) {
    let path = reference.path();
    let [name, namespace] = ["name", "namespace"].map(|field| reference.text_at(&[field]));
    if name.is_empty() {
        let message = "`name` is not set";
        findings.required(&MISSING, path.child("name"), message).help("set `name`");
    }
    let wrong = [
        ("name", &name, dns_subdomain_error(&name)),
        ("namespace", &namespace, dns_label_error(&namespace)),
    ];
    for (field, value, why) in wrong {
        if let Some(why) = why.filter(|_| !value.is_empty()) {
            let message = format!("`{value}` cannot be a {field}: {why}");
            findings
                .invalid(&MALFORMED, path.child(field), message)
                .help("name an object that exists");
        }
    }
}

/// Validates the resources for extensions.
///
/// Mirrors ValidateResources in `pkg/api/core/validation/utils.go`, except the names.
pub(crate) fn check_resources(object: &Part<'_>, findings: &mut Findings) {
    for resource in object.items_at(&["spec", "resources"]) {
        check_resource(&resource, findings);
    }
}

fn check_resource(resource: &Part<'_>, findings: &mut Findings) {
    let none = resource.empty("resourceRef");
    let reference = resource.at(&["resourceRef"]).unwrap_or(none);
    check_reference(&reference, reference.path(), &RESOURCES, findings);
}

/// Validates named references to Secrets and ConfigMaps, which are reported in the list `at`.
///
/// Mirrors ValidateResources in `pkg/api/core/validation/utils.go`, without WorkloadIdentities.
pub(crate) fn check_plain_resources(
    resources: &[Part<'_>],
    at: &FieldPath,
    findings: &mut Findings,
) {
    let mut names = BTreeSet::new();
    for (index, resource) in resources.iter().enumerate() {
        let (name, field) = (resource.text_at(&["name"]), at.index(index).child("name"));
        let real = resource.path().child("name");
        if name.is_empty() {
            let message = "the resource has no name";
            findings.required(&MISSING, field, message).at(&real).help("set `name`");
        } else if !names.insert(name.clone()) {
            report_repeated(format_args!("`{name}`"), field, findings).at(&real).value(name);
        }
        let none = resource.empty("resourceRef");
        let reference = resource.at(&["resourceRef"]).unwrap_or(none);
        let field = at.index(index).child("resourceRef");
        check_plain_reference(&reference, &field, findings);
    }
}

/// Validates a reference to a Secret or ConfigMap, which is reported `at` a path.
pub(crate) fn check_plain_reference(reference: &Part<'_>, at: &FieldPath, findings: &mut Findings) {
    let [secret, config_map, _] = RESOURCES;
    check_reference(reference, at, &[secret, config_map], findings);
}

/// Mirrors validateCrossVersionObjectReference in `pkg/api/core/validation/utils.go`.
fn check_reference(
    reference: &Part<'_>,
    at: &FieldPath,
    known: &[[&str; 2]],
    findings: &mut Findings,
) {
    let real = reference.path();
    let value = |field| reference.text_at(&[field]);
    for field in ["apiVersion", "kind", "name"] {
        if value(field).is_empty() {
            let message = format!("`{field}` of the reference is not set");
            findings
                .required(&MISSING, at.child(field), message)
                .at(&real.child(field))
                .help(format!("set `{field}`"));
        }
    }
    let (version, kind) = (value("apiVersion"), value("kind"));
    if version.matches('/').count() > 1 {
        let message = format!("`{version}` is no API version");
        let help = "write it like `apps/v1`";
        findings.invalid(&MALFORMED, at.clone(), message).at(real).help(help);
    } else if !is_among(known, &version, &kind) {
        let message = format!("extensions cannot be given a `{kind}` of `{version}`");
        let help = match known.len() {
            2 => "refer to a Secret or a ConfigMap",
            _ => "refer to a Secret, a ConfigMap or a WorkloadIdentity",
        };
        findings.unsupported(&UNSUPPORTED, at.clone(), message).at(real).help(help);
    }
}
