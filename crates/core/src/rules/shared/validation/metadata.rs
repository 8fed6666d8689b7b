// SPDX-License-Identifier: Apache-2.0
use super::owners::check_owners;
use super::{MALFORMED, OUT_OF_RANGE, Part};
use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings, Kind, Operation};
use garden_gate_model::api::Format;
use garden_gate_model::gardener::extensions::labels::is_replaced;
use garden_gate_text::go::{
    dns_label_error, dns_subdomain_error, label_value_error, qualified_name_error,
};
use garden_gate_text::json::Json;

/// Maximum size of all annotations of an object, in bytes.
const ANNOTATIONS: usize = 256 * 1024;

/// Help for the key of a label, annotation or taint.
pub(super) const KEY: &str = "write the key like `example.com/name`";
/// Help for the value of a label or taint.
pub(super) const VALUE: &str = "write the value like `my-value`";

/// The syntax of an object's name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Naming {
    /// A DNS label.
    Label,
    /// A DNS subdomain.
    Subdomain,
    /// A DNS subdomain, or empty: Gardener generates a name.
    SubdomainOrNothing,
    /// Any string that is not empty.
    Any,
}

/// Validates name, labels, annotations, owners and finalizers of the new object.
///
/// Mirrors ValidateObjectMeta in `k8s.io/apimachinery/pkg/api/validation`.
pub(crate) fn check_metadata(context: &Context<'_>, naming: Naming, findings: &mut Findings) {
    let metadata = Part::whole(context.new_opened())
        .at(&["metadata"])
        .unwrap_or_else(|| Part::whole(Json::empty()));
    check_name(&metadata, naming, findings);
    check_generation(context, &metadata, findings);
    check_rest(context, &metadata, findings);
}

/// Refuses a negative generation of a new object of a kind whose strategy does not set it.
fn check_generation(context: &Context<'_>, metadata: &Part<'_>, findings: &mut Findings) {
    const KEEPING: [Kind; 7] = [
        Kind::CloudProfile,
        Kind::CredentialsBinding,
        Kind::ExposureClass,
        Kind::InternalSecret,
        Kind::Quota,
        Kind::SecretBinding,
        Kind::WorkloadIdentity,
    ];
    let is_kept = context.request.kind().is_some_and(|it| KEEPING.contains(&it));
    let generation = metadata.number_at(&["generation"]);
    if is_kept
        && context.request.operation == Operation::Create
        && generation.is_some_and(|it| it < 0.0)
    {
        let message = "the generation is negative";
        findings
            .invalid(&OUT_OF_RANGE, FieldPath::new("metadata.generation"), message)
            .help("delete the field");
    }
}

/// Validates metadata as [`check_metadata`], except the name, of an existing object.
pub(crate) fn check_kept_metadata(context: &Context<'_>, findings: &mut Findings) {
    if let Some(metadata) = Part::whole(context.new_opened()).at(&["metadata"]) {
        check_rest(context, &metadata, findings);
    }
}

fn check_rest(context: &Context<'_>, metadata: &Part<'_>, findings: &mut Findings) {
    let kind = context.request.kind();
    let is_checked = |key: &str| !kind.is_some_and(|kind| is_replaced(kind, key));
    let field = FieldPath::new("metadata.labels");
    check_labels_if(is_checked, metadata, &field, findings);
    check_annotations(metadata, FieldPath::new("metadata.annotations"), findings);
    check_owners(metadata, findings);
    for (index, (_, finalizer)) in metadata.texts_at(&["finalizers"]).into_iter().enumerate() {
        if let Some(why) = qualified_name_error(&finalizer) {
            let place = FieldPath::new("metadata.finalizers").index(index);
            let field = FieldPath::new("metadata.finalizers");
            let message = format!("`{finalizer}` cannot be a finalizer: {why}");
            findings
                .invalid(&MALFORMED, field, message)
                .at(&place)
                .help("write it like `example.com/name`");
        }
    }
}

fn check_name(metadata: &Part<'_>, naming: Naming, findings: &mut Findings) {
    let (name, prefix) = (metadata.text_at(&["name"]), metadata.text_at(&["generateName"]));
    let error = |text: &str| match naming {
        Naming::Label => dns_label_error(text),
        Naming::Subdomain | Naming::SubdomainOrNothing => dns_subdomain_error(text),
        Naming::Any => None,
    };
    let mut wrong = Vec::new();
    if !prefix.is_empty() {
        let generated = match name.as_str() {
            "" => prefix.trim_end_matches('-').to_owned(),
            _ => masked(&prefix),
        };
        wrong.extend(error(&generated).map(|why| ("metadata.generateName", &prefix, why)));
    }
    match name.as_str() {
        "" if !prefix.is_empty() || naming == Naming::SubdomainOrNothing => {}
        "" => {
            let field = FieldPath::new("metadata.name");
            let message = "the object has no name";
            findings.required(&super::MISSING, field, message).help("set `metadata.name`");
        }
        name_text => wrong.extend(error(name_text).map(|why| ("metadata.name", &name, why))),
    }
    for (field, text, why) in wrong {
        let message = format!("`{text}` cannot be a name: {why}");
        let field = FieldPath::new(field);
        let format = match naming {
            Naming::Label => Format::DnsLabel,
            Naming::Subdomain | Naming::SubdomainOrNothing | Naming::Any => Format::DnsSubdomain,
        };
        findings
            .invalid(&MALFORMED, field, message)
            .value(text.as_str())
            .help(format.help(text, |_| true));
    }
}

/// Replaces the end of `generateName`, as maskTrailingDash in `k8s.io/apimachinery/pkg/api/validation/generic.go`.
fn masked(prefix: &str) -> String {
    let mut characters: Vec<char> = prefix.chars().collect();
    if characters.len() > 1 && characters.last() == Some(&'-') {
        characters.truncate(characters.len() - 2);
        characters.push('a');
    }
    characters.into_iter().collect()
}

/// Validates the labels of an object or a pool, reported at `field`.
pub(crate) fn check_labels(around: &Part<'_>, field: &FieldPath, findings: &mut Findings) {
    check_labels_if(|_| true, around, field, findings);
}

/// Validates a map of labels.
pub(crate) fn check_label_map(labels: Part<'_>, findings: &mut Findings) {
    let field = labels.path().clone();
    check_each_label(|_| true, labels, &field, findings);
}

/// Validates the labels whose keys satisfy a condition.
fn check_labels_if(
    is_checked: impl Fn(&str) -> bool,
    around: &Part<'_>,
    field: &FieldPath,
    findings: &mut Findings,
) {
    if let Some(labels) = around.at(&["labels"]) {
        check_each_label(is_checked, labels, field, findings);
    }
}

fn check_each_label(
    is_checked: impl Fn(&str) -> bool,
    labels: Part<'_>,
    field: &FieldPath,
    findings: &mut Findings,
) {
    labels.each_text(&mut |key, text| {
        if !is_checked(key) {
            return;
        }
        let text = text.unwrap_or_default();
        let key_error = qualified_name_error(key).map(|why| (key, why, KEY));
        let value_error = || label_value_error(text).map(|why| (text, why, VALUE));
        if let Some((wrong, why, help)) = key_error.or_else(value_error) {
            let message = format!("`{wrong}` cannot stand in a label: {why}");
            findings.invalid(&MALFORMED, field.clone(), message).value(wrong).help(help);
        }
    });
}

/// Validates the type of an extension as a label value, even if it is absent.
///
/// Gardener adds the label before validation.
pub(crate) fn check_made_label(named: &Part<'_>, findings: &mut Findings) {
    let text = named.text().unwrap_or_default();
    check_label_of_type(&MALFORMED, &text, named.path(), findings);
}

/// Returns the types of the enabled extensions of an object, which Gardener adds as labels.
///
/// The extension if it has no type.
pub(crate) fn extension_types<'a>(object: &Part<'a>) -> Vec<Part<'a>> {
    let extensions = object.items_at(&["spec", "extensions"]).into_iter();
    let enabled = extensions.filter(|it| it.flag_at(&["disabled"]) != Some(true));
    enabled.map(|it| it.at(&["type"]).unwrap_or(it)).collect()
}

/// Checks the label that Gardener creates from a type.
pub(crate) fn check_label_of_type(
    kind: &'static FindingKind,
    text: &str,
    at: &FieldPath,
    findings: &mut Findings,
) {
    if !text.is_empty() && label_value_error(text).is_none() {
        return;
    }
    let message = format!("Gardener makes a label of `{at}`, and `{text}` does not fit in one");
    let field = FieldPath::new("metadata.labels");
    findings.invalid(kind, field, message).at(at).value(text).help("name an extension");
}

/// Validates the annotations of an object or a pool, reported at `field`.
pub(crate) fn check_annotations(around: &Part<'_>, field: FieldPath, findings: &mut Findings) {
    if let Some(annotations) = around.at(&["annotations"]) {
        check_annotation_map(annotations.moved_to(field), findings);
    }
}

/// Validates a map of annotations.
pub(crate) fn check_annotation_map(annotations: Part<'_>, findings: &mut Findings) {
    let field = annotations.path().clone();
    let mut bytes = 0;
    annotations.each_text(&mut |key, text| {
        bytes += key.len() + text.map_or(0, str::len);
        if let Some(why) = qualified_name_error(&key.to_lowercase()) {
            let message = format!("`{key}` cannot be the key of an annotation: {why}");
            findings.invalid(&MALFORMED, field.clone(), message).value(key).help(KEY);
        }
    });
    if bytes > ANNOTATIONS {
        let message =
            format!("the annotations have {bytes} bytes, which is more than {ANNOTATIONS}");
        findings.report(&super::TOO_LONG, ErrorType::TooLong, field, message).help("remove some");
    }
}
