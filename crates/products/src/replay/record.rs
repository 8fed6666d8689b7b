//! Recorded requests, each of which is a line of JSON.

use std::collections::BTreeSet;

use garden_gate_core::admission::{Request, Review};
use garden_gate_core::config::Level;
use garden_gate_model::api::{GardenerVersion, Kind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the format.
const FORMAT: u32 = 1;
/// The kinds of recorded objects; none of them holds credentials.
const KINDS: [Kind; 5] =
    [Kind::Shoot, Kind::Project, Kind::CloudProfile, Kind::NamespacedCloudProfile, Kind::Seed];
/// The annotation in which `kubectl apply` repeats the object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// A recorded request with its verdict.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedRequest<R = Value> {
    /// The version of the format.
    format: u32,
    /// The time of the verdict.
    pub time: Timestamp,
    /// The version of Gardener by which the object was judged, such as `1.150`.
    pub gardener_version: String,
    /// The verdict.
    pub verdict: RecordedVerdict,
    /// The AdmissionReview, as the server received it, without [left out](record) parts.
    pub review: R,
}

/// The findings of a verdict.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct RecordedVerdict {
    /// The ids of findings that deny the request.
    pub denied: BTreeSet<String>,
    /// The ids of warnings.
    pub warned: BTreeSet<String>,
    /// The ids of undetermined rules.
    pub undetermined: BTreeSet<String>,
}

impl RecordedVerdict {
    /// Returns the findings of a review.
    pub fn of(review: &Review) -> Self {
        let of_level = |level| {
            let findings = review.findings.iter().filter(move |it| it.level == level);
            findings.map(|it| it.finding.to_owned()).collect()
        };
        Self {
            denied: of_level(Level::Deny),
            warned: of_level(Level::Warn),
            undetermined: review.undetermined.iter().map(|it| it.rule.to_owned()).collect(),
        }
    }
}

/// Reports whether requests for this object are recorded.
pub fn is_recorded(request: &Request<'_>) -> bool {
    request.kind().is_some_and(|kind| KINDS.contains(&kind))
}

/// Returns the line of a recorded request, which ends with a line break.
///
/// `body` is its AdmissionReview. Left out are managed fields, the object that `kubectl apply` repeats in an annotation, and the
/// `extra` of the user, in which authenticators may put tokens.
///
/// # Errors
/// Fails if the body is nested too deeply.
pub fn record(
    body: &[u8],
    verdict: RecordedVerdict,
    (time, gardener): (Timestamp, GardenerVersion),
) -> serde_json::Result<String> {
    let mut review: Map<String, Value> = serde_json::from_slice(body)?;
    if let Some(Value::Object(request)) = review.get_mut("request") {
        if let Some(Value::Object(user)) = request.get_mut("userInfo") {
            user.remove("extra");
        }
        for object in ["object", "oldObject"] {
            if let Some(metadata) = request.get_mut(object).and_then(|it| it.get_mut("metadata")) {
                leave_out(metadata);
            }
        }
    }
    let gardener_version = gardener.to_string();
    let record = RecordedRequest { format: FORMAT, time, gardener_version, verdict, review };
    Ok(serde_json::to_string(&record)? + "\n")
}

fn leave_out(metadata: &mut Value) {
    if let Value::Object(metadata) = metadata {
        metadata.remove("managedFields");
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            annotations.remove(LAST_APPLIED);
        }
    }
}

impl RecordedRequest {
    /// Parses a line of a record.
    ///
    /// # Errors
    /// Fails with the reason if the line is not a record of a known format.
    pub fn parse(line: &str) -> Result<Self, String> {
        let record: Self = serde_json::from_str(line).map_err(|why| why.to_string())?;
        if record.format != FORMAT {
            return Err(format!(
                "it has format {}, and this program reads format {FORMAT}",
                record.format
            ));
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use garden_gate_model::api::GardenerVersion;
    use jiff::Timestamp;
    use rstest::rstest;
    use serde_json::json;

    use super::{RecordedRequest, RecordedVerdict, record};

    #[test]
    fn line_lacks_copies_and_extra_of_the_user() {
        let metadata = |name| {
            let annotations = json!({"a": "b", super::LAST_APPLIED: "{\"token\": \"hidden\"}"});
            json!({"name": name, "managedFields": [{"manager": "hidden"}], "annotations": annotations})
        };
        let body = json!({"kind": "AdmissionReview", "request": {
            "uid": "1",
            "userInfo": {"username": "a", "extra": {"token": ["hidden"]}},
            "object": {"metadata": metadata("new")},
            "oldObject": {"metadata": metadata("old")},
        }});
        let at = (Timestamp::UNIX_EPOCH, GardenerVersion::default());
        let verdict =
            RecordedVerdict { denied: ["shoot/a".to_owned()].into(), ..RecordedVerdict::default() };
        let line = record(body.to_string().as_bytes(), verdict.clone(), at).unwrap();
        assert!(!line.contains("hidden") && line.ends_with("}\n"), "{line}");
        assert_eq!(line.matches('\n').count(), 1);
        let read = RecordedRequest::parse(&line).unwrap();
        assert_eq!(read.verdict, verdict);
        assert_eq!(read.review["request"]["userInfo"], json!({"username": "a"}));
        for (object, name) in [("object", "new"), ("oldObject", "old")] {
            let expected = json!({"name": name, "annotations": {"a": "b"}});
            assert_eq!(read.review["request"][object]["metadata"], expected);
        }
    }

    #[rstest]
    #[case::no_json("{")]
    #[case::no_record("{}")]
    #[case::list("[]")]
    #[case::other_format(r#"{"format": 2, "time": "2026-01-01T00:00:00Z", "gardenerVersion": "1.150", "verdict": {}, "review": {}}"#)]
    #[case::no_time(r#"{"format": 1, "time": "today", "gardenerVersion": "1.150", "verdict": {}, "review": {}}"#)]
    fn other_lines_fail(#[case] line: &str) {
        assert!(RecordedRequest::parse(line).is_err());
    }
}
