#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::log_summary::listed;
use super::truncation::{and_more, fit};
use crate::config::Level;
use crate::engine::{EntryPoint, Finding, Kind, Phase, Request, Review, Undetermined, Verdict};
use crate::escape::value_within;

/// The API server cuts a warning here.
const WARNING_LIMIT: usize = 256;
/// The API server drops warnings beyond this many bytes.
const WARNINGS_LIMIT: usize = 4096;
/// Far more than anyone reads; keeps the answer small when a huge object is wrong everywhere.
const MESSAGE_LIMIT: usize = 16 * 1024;
/// One offending value must not crowd out the other findings.
const FINDING_LIMIT: usize = 2048;
/// Of all causes; as for [`MESSAGE_LIMIT`].
const CAUSES_LIMIT: usize = 32 * 1024;
/// What a cause has besides its texts.
const CAUSE_SIZE: usize = 64;
/// Of the ids in an annotation for the audit log.
const ANNOTATION_LIMIT: usize = 2048;
/// Of a field's path.
const FIELD_LIMIT: usize = 512;
/// As Kubernetes limits names.
const NAME_LIMIT: usize = 253;

/// The answer to an AdmissionReview.
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
    /// Whether the request may go on.
    pub allowed: bool,
    /// Why not; absent when allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// `JSONPatch`, with a patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_type: Option<&'static str>,
    /// The JSON patch in base64; absent when nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// For the audit log: the decision, and the ids behind it by what they mean for it.
    pub audit_annotations: BTreeMap<&'static str, String>,
    /// For the user; each of at most 256 bytes, all of at most 4,096.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Why a request is refused; a Kubernetes `Status`.
#[derive(Debug, Serialize)]
pub struct Status {
    status: &'static str,
    /// The HTTP status code that the user gets: 422 or 403.
    pub code: u16,
    /// `Invalid` or `Forbidden`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: &'static str,
    /// Everything that speaks against the request.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The same by field.
    pub details: Details,
}

/// The object that a [`Status`] is about, and what is wrong with it.
#[derive(Debug, Serialize)]
pub struct Details {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    kind: String,
    /// One for each finding, as far as they fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
}

/// One thing that is wrong.
#[derive(Debug, Serialize)]
pub struct Cause {
    /// A Kubernetes cause type, such as `FieldValueInvalid`.
    pub reason: &'static str,
    /// What is wrong, ending in the finding's id.
    pub message: String,
    /// The field.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
}

/// The answer that `review` amounts to at a door; what could not be judged is refused.
#[must_use]
pub fn admission_review(
    door: EntryPoint,
    request: &Request<'_>,
    review: &Review,
) -> AdmissionReview {
    let verdict = review.verdict();
    let allowed = verdict == Verdict::Allowed;
    let patch = (allowed && door == EntryPoint::Mutate && !review.patch.is_empty())
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

/// What a [`Status`] is about.
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
    /// That an object is accepted.
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

/// Why a request is refused.
pub(super) fn refusal(object: &Object<'_>, review: &Review) -> Status {
    let invalid = denying(review).any(|finding| finding.phase == Phase::Static);
    let phase = if invalid {
        Phase::Static
    } else {
        Phase::Admission
    };
    let lines = denying(review).map(line);
    let lines = lines.chain(unknown(review, Level::Deny).map(undetermined_line));
    let lines = lines.map(|line| value_within(line, FINDING_LIMIT));
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
        // The nearest that Kubernetes has: nothing is known to be wrong with the field.
        reason: "InternalError",
        message: value_within(
            format!("undetermined: {} ({})", it.message, it.rule),
            FINDING_LIMIT,
        ),
        field: value_within(&it.field, FIELD_LIMIT),
    });
    fit_causes(findings.chain(undetermined), refusing(review))
}

/// The message of a finding, with its origin and its id.
fn cause_message(finding: &Finding) -> String {
    let (message, id) = (&finding.message, finding.finding);
    match finding.own_refusal() {
        Some(origin) => format!("{message}; {origin} ({id})"),
        None => format!("{message} ({id})"),
    }
}

/// As many leading `causes` of `all` as fit; one more tells of the rest.
fn fit_causes(causes: impl Iterator<Item = Cause>, all: usize) -> Vec<Cause> {
    let (mut fitting, mut size) = (Vec::new(), 0);
    for cause in causes {
        size += cause.message.len() + cause.field.len() + CAUSE_SIZE;
        if size > CAUSES_LIMIT {
            let message = and_more(all - fitting.len());
            let (reason, field) = (cause.reason, String::new());
            fitting.push(Cause {
                reason,
                message,
                field,
            });
            break;
        }
        fitting.push(cause);
    }
    fitting
}

/// How much speaks against a request.
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
    let (found, unknown) = (
        || found(review, Level::Warn),
        || unknown(review, Level::Warn),
    );
    let lines = found().map(|it| warning(it.would_deny, line(it)));
    let others = unknown().map(|it| warning(it.would_deny, undetermined_line(it)));
    let count = found().count() + unknown().count();
    fit(lines.chain(others), count, WARNINGS_LIMIT, 0)
}

fn warning(would_deny: bool, line: String) -> String {
    match would_deny {
        true => value_within(format!("would be refused: {line}"), WARNING_LIMIT),
        false => value_within(line, WARNING_LIMIT),
    }
}

/// A finding that stands alone.
fn line(finding: &Finding) -> String {
    let (field, colon) = prefix(&finding.field);
    [&*field, colon, &cause_message(finding)].concat()
}

fn undetermined_line(undetermined: &Undetermined) -> String {
    let Undetermined {
        rule,
        field,
        message,
        ..
    } = undetermined;
    let (field, colon) = prefix(field);
    let parts = [&*field, colon, "undetermined: ", message, " (", rule, ")"];
    parts.concat()
}

/// The field, unless the whole object is meant.
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
        ids.entry(finding.weight())
            .or_default()
            .insert(finding.finding);
    }
    let others: [(_, BTreeSet<&str>); 3] = [
        (
            "undetermined",
            review.undetermined.iter().map(|it| it.rule).collect(),
        ),
        ("silenced", review.silenced.iter().map(|it| it.id).collect()),
        ("exempt", review.exempted.ids().iter().copied().collect()),
    ];
    ids.extend(others.into_iter().filter(|(_, ids)| !ids.is_empty()));
    annotations.extend(
        ids.into_iter()
            .map(|(what, ids)| (what, listed(ids, ANNOTATION_LIMIT))),
    );
    annotations
}
