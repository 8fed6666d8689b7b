// SPDX-License-Identifier: Apache-2.0
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::log_summary::listed;
use super::truncation::{and_more, fit};
use garden_gate_core::admission::{
    EntryPoint, Finding, Kind, Phase, Request, Review, Undetermined, Verdict,
};
use garden_gate_core::config::Level;
use garden_gate_text::escape::value_within;

/// Size in bytes after which the API server truncates a warning.
const WARNING_LIMIT: usize = 256;
/// Total size in bytes after which the API server drops warnings.
const WARNINGS_LIMIT: usize = 4096;
/// Maximum size of the message; keeps the response small if a large object has many findings.
const MESSAGE_LIMIT: usize = 16 * 1024;
/// Maximum size of one finding, so that one long value does not displace the other findings.
const FINDING_LIMIT: usize = 2048;
/// Maximum size of all causes; as for [`MESSAGE_LIMIT`].
const CAUSES_LIMIT: usize = 32 * 1024;
/// Size of a cause without its strings.
const CAUSE_SIZE: usize = 64;
/// Maximum size of the ids in an audit annotation.
const ANNOTATION_LIMIT: usize = 2048;
/// Maximum size of the path of a field.
const FIELD_LIMIT: usize = 512;
/// Maximum size of a name in Kubernetes.
const NAME_LIMIT: usize = 253;

/// The response to an AdmissionReview.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionReview {
    api_version: &'static str,
    kind: &'static str,
    /// The verdict.
    pub response: AdmissionResponse,
}

/// The `response` of an AdmissionReview.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionResponse {
    /// The request's uid.
    pub uid: String,
    /// Whether the request is allowed.
    pub allowed: bool,
    /// The reason of the refusal; absent when allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// `JSONPatch`; absent without a patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_type: Option<&'static str>,
    /// The JSON patch in base64; absent when nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// Audit annotations: the decision, and the ids of findings by their effect on it.
    pub audit_annotations: BTreeMap<&'static str, String>,
    /// Warnings for the user, each of at most 256 bytes, all of at most 4,096 bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The reason of a refusal, as a Kubernetes `Status`.
#[derive(Debug, Serialize)]
pub struct Status {
    status: &'static str,
    /// The HTTP status code that the user gets: 422 or 403.
    pub code: u16,
    /// `Invalid` or `Forbidden`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: &'static str,
    /// The messages of all findings that refuse the request.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The causes by field.
    pub details: Details,
}

/// The object of a [`Status`], and the causes.
#[derive(Debug, Serialize)]
pub struct Details {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    kind: String,
    /// One cause for each finding, up to a size limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
}

/// One cause of a refusal.
#[derive(Debug, Serialize)]
pub struct Cause {
    /// A Kubernetes cause type, such as `FieldValueInvalid`.
    pub reason: &'static str,
    /// The message, followed by the id of the finding.
    pub message: String,
    /// The field.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
}

/// Converts a review to the response of an entry point; undetermined requests are refused.
pub fn admission_review(
    entry_point: EntryPoint,
    request: &Request<'_>,
    review: &Review,
) -> AdmissionReview {
    let verdict = review.verdict();
    let allowed = verdict == Verdict::Allowed;
    let patch = (allowed && entry_point == EntryPoint::Mutate && !review.patch.is_empty())
        .then(|| serde_json::to_vec(&review.patch).ok())
        .flatten()
        .map(|patch| STANDARD.encode(patch));
    AdmissionReview {
        api_version: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: AdmissionResponse {
            uid: request.uid.clone(),
            allowed,
            status: (!allowed).then(|| refusal(&Object::of(request), review)),
            patch_type: patch.is_some().then_some("JSONPatch"),
            patch,
            audit_annotations: audit_annotations(review),
            warnings: warnings(review),
        },
    }
}

/// The object of a [`Status`].
pub(super) struct Object<'a> {
    pub(super) name: &'a str,
    pub(super) group: &'a str,
    pub(super) kind: &'a str,
}

impl<'a> Object<'a> {
    fn of(request: &'a Request<'_>) -> Self {
        Self {
            name: &request.name,
            group: &request.resource.group,
            kind: request.kind().map_or("", Kind::as_str),
        }
    }
}

impl Status {
    /// Returns the status of an accepted object.
    pub(super) fn success(object: &Object<'_>) -> Self {
        Self {
            status: "Success",
            code: 200,
            reason: "",
            message: String::new(),
            details: details(object, Vec::new()),
        }
    }
}

/// Returns the status of a refused object.
pub(super) fn refusal(object: &Object<'_>, review: &Review) -> Status {
    let invalid = denying(review).any(|finding| finding.phase == Phase::Static);
    let phase = if invalid { Phase::Static } else { Phase::Admission };
    let lines = denying(review)
        .map(line)
        .chain(unknown(review, Level::Deny).map(undetermined_line))
        .map(|line| value_within(line, FINDING_LIMIT));
    Status {
        status: "Failure",
        code: phase.code(),
        reason: if invalid { "Invalid" } else { "Forbidden" },
        message: fit(lines, refusing(review), MESSAGE_LIMIT, "; ".len()).join("; "),
        details: details(object, causes(review)),
    }
}

fn details(object: &Object<'_>, causes: Vec<Cause>) -> Details {
    Details {
        name: value_within(object.name, NAME_LIMIT),
        group: value_within(object.group, NAME_LIMIT),
        kind: value_within(object.kind, NAME_LIMIT),
        causes,
    }
}

fn causes(review: &Review) -> Vec<Cause> {
    let findings = denying(review).map(|finding| Cause {
        reason: finding.error.cause_reason(),
        message: value_within(cause_message(finding), FINDING_LIMIT),
        field: value_within(&finding.field, FIELD_LIMIT),
    });
    let undetermined = unknown(review, Level::Deny).map(|it| Cause {
        // The closest cause type of Kubernetes, since no error in the field is known.
        reason: "InternalError",
        message: value_within(format!("undetermined: {} ({})", it.message, it.rule), FINDING_LIMIT),
        field: value_within(&it.field, FIELD_LIMIT),
    });
    fit_causes(findings.chain(undetermined), refusing(review))
}

/// Returns the message of a finding with its origin and its id.
fn cause_message(finding: &Finding) -> String {
    let (message, id) = (&finding.message, finding.finding);
    match finding.own_refusal() {
        Some(origin) => format!("{message} ({origin}) ({id})"),
        None => format!("{message} ({id})"),
    }
}

/// Returns the leading `causes` that fit, and a last one with the number of the others.
fn fit_causes(causes: impl Iterator<Item = Cause>, all: usize) -> Vec<Cause> {
    let (mut fitting, mut size) = (Vec::new(), 0);
    for cause in causes {
        size += cause.message.len() + cause.field.len() + CAUSE_SIZE;
        if size > CAUSES_LIMIT {
            let message = and_more(all - fitting.len());
            let (reason, field) = (cause.reason, String::new());
            fitting.push(Cause { reason, message, field });
            break;
        }
        fitting.push(cause);
    }
    fitting
}

/// Returns the number of findings and undetermined checks that refuse a request.
fn refusing(review: &Review) -> usize {
    denying(review).count() + unknown(review, Level::Deny).count()
}

fn denying(review: &Review) -> impl Iterator<Item = &Finding> {
    found(review, Level::Deny)
}

fn found(review: &Review, level: Level) -> impl Iterator<Item = &Finding> {
    let findings = review.findings.iter();
    findings.filter(move |finding| finding.level == level)
}

fn unknown(review: &Review, level: Level) -> impl Iterator<Item = &Undetermined> {
    let undetermined = review.undetermined.iter();
    undetermined.filter(move |it| it.level == level)
}

fn warnings(review: &Review) -> Vec<String> {
    let (found, unknown) = (|| found(review, Level::Warn), || unknown(review, Level::Warn));
    let lines = found().map(|it| warning(it.would_deny, line(it)));
    let others = unknown().map(|it| warning(it.would_deny, undetermined_line(it)));
    let count = found().count() + unknown().count();
    fit(lines.chain(others), count, WARNINGS_LIMIT, 0)
}

fn warning(would_deny: bool, line: String) -> String {
    if would_deny {
        value_within(format!("would be refused: {line}"), WARNING_LIMIT)
    } else {
        value_within(line, WARNING_LIMIT)
    }
}

/// Returns the message of a single finding with its field.
fn line(finding: &Finding) -> String {
    let (field, colon) = prefix(&finding.field);
    [&*field, colon, &cause_message(finding)].concat()
}

fn undetermined_line(undetermined: &Undetermined) -> String {
    let Undetermined { rule, field, message, .. } = undetermined;
    let (field, colon) = prefix(field);
    let parts = [&*field, colon, "undetermined: ", message, " (", rule, ")"];
    parts.concat()
}

/// Returns the field and a separator, or nothing for the whole object.
fn prefix(field: &str) -> (Cow<'_, str>, &'static str) {
    match field {
        "" => Default::default(),
        _ if field.len() > FIELD_LIMIT => (value_within(field, FIELD_LIMIT).into(), ": "),
        _ => (field.into(), ": "),
    }
}

fn audit_annotations(review: &Review) -> BTreeMap<&'static str, String> {
    let decision = review.decision().as_str().to_owned();
    let mut annotations = BTreeMap::from([("decision", decision)]);
    let mut ids: BTreeMap<&'static str, BTreeSet<&str>> = BTreeMap::new();
    for finding in &review.findings {
        ids.entry(finding.weight()).or_default().insert(finding.finding);
    }
    let others: [(_, BTreeSet<&str>); 3] = [
        ("undetermined", review.undetermined.iter().map(|it| it.rule).collect()),
        ("silenced", review.silenced.iter().map(|it| it.id).collect()),
        ("exempt", review.exempted.ids().iter().copied().collect()),
    ];
    ids.extend(others.into_iter().filter(|(_, ids)| !ids.is_empty()));
    annotations.extend(ids.into_iter().map(|(what, ids)| (what, listed(ids, ANNOTATION_LIMIT))));
    annotations
}
