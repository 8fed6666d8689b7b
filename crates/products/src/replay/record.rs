// SPDX-License-Identifier: Apache-2.0
//! Recorded requests, each of which is a line of JSON.

use std::collections::BTreeSet;

use garden_gate_core::admission::{Request, Review};
use garden_gate_core::config::Level;
use garden_gate_model::api::{GardenerVersion, Kind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The version of the format.
const FORMAT: u32 = 1;
/// The kinds of recorded objects.
const KINDS: [Kind; 5] =
    [Kind::Shoot, Kind::Project, Kind::CloudProfile, Kind::NamespacedCloudProfile, Kind::Seed];
/// The subresources whose objects are of these kinds.
const SUBRESOURCES: [&str; 3] = ["", "status", "binding"];
/// The recorded fields of a request.
const REQUEST: [&str; 11] = [
    "uid",
    "kind",
    "resource",
    "subResource",
    "name",
    "namespace",
    "operation",
    "userInfo",
    "object",
    "oldObject",
    "dryRun",
];
/// The recorded fields of a user; authenticators may put tokens into others.
const USER: [&str; 2] = ["username", "groups"];
/// The recorded fields of an object.
const OBJECT: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];
/// The recorded fields of metadata.
const METADATA: [&str; 12] = [
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
];
/// Fields of objects that contain credentials.
const CREDENTIALS: [&str; 1] = ["/spec/kubernetes/kubeAPIServer/oidcConfig/clientAuthentication"];
/// Maximum size of a record in bytes.
pub const LARGEST_RECORD: usize = 1 << 20;

/// A recorded request with its verdict.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedRequest {
    /// The version of the format.
    format: u32,
    /// The time of the verdict.
    pub time: Timestamp,
    /// The version of Gardener by which the object was judged, such as `1.150`.
    pub gardener_version: String,
    /// The verdict.
    pub verdict: RecordedVerdict,
    /// The AdmissionReview, with the [recorded](record) fields.
    pub review: Value,
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
    let is_known = request.kind().is_some_and(|kind| KINDS.contains(&kind));
    is_known && SUBRESOURCES.contains(&request.sub_resource.as_str())
}

/// Returns the line of a recorded request, which ends with a line break; `None` if it is not recorded after all.
///
/// `body` is its AdmissionReview. Only the fields that rules read are recorded, without credentials and without annotations that
/// repeat the object. Requests are not recorded if their object is of another kind, or if a record of them would be too large or
/// could not be read.
pub fn record(
    body: &[u8],
    verdict: RecordedVerdict,
    (time, gardener): (Timestamp, GardenerVersion),
) -> Option<String> {
    let mut review: Map<String, Value> = serde_json::from_slice(body).ok()?;
    let Some(Value::Object(mut request)) = review.remove("request") else { return None };
    keep(&mut request, &REQUEST);
    let kind = request.get("kind")?.get("kind")?.clone();
    if let Some(Value::Object(user)) = request.get_mut("userInfo") {
        keep(user, &USER);
    }
    for name in ["object", "oldObject"] {
        match request.get_mut(name) {
            Some(object) if object.get("kind") == Some(&kind) => leave_out(object),
            None | Some(Value::Null) => {}
            Some(_) => return None,
        }
    }
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let gardener_version = gardener.to_string();
    let record = RecordedRequest { format: FORMAT, time, gardener_version, verdict, review };
    let line = serde_json::to_string(&record).ok()?;
    (line.len() < LARGEST_RECORD && RecordedRequest::parse(&line).is_ok()).then_some(line + "\n")
}

fn keep(fields: &mut Map<String, Value>, names: &[&str]) {
    fields.retain(|name, _| names.contains(&name.as_str()));
}

/// Leaves unknown fields, credentials and copies of an object out.
fn leave_out(object: &mut Value) {
    for pointer in CREDENTIALS {
        if let Some((parent, name)) = pointer.rsplit_once('/')
            && let Some(Value::Object(fields)) = object.pointer_mut(parent)
        {
            fields.remove(name);
        }
    }
    let Value::Object(fields) = object else { return };
    keep(fields, &OBJECT);
    let Some(Value::Object(metadata)) = fields.get_mut("metadata") else { return };
    keep(metadata, &METADATA);
    for name in ["labels", "annotations"] {
        match metadata.get_mut(name) {
            Some(Value::Object(values)) => values.retain(|_, value| !is_copy(value)),
            None | Some(Value::Null) => {}
            Some(_) => {
                metadata.remove(name);
            }
        }
    }
}

/// Reports whether the value of an annotation is an object, as tools such as `kubectl apply` keep it.
fn is_copy(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.trim_start().starts_with('{') && text.contains("\"kind\"") || !value.is_string()
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
    use serde_json::{Value, json};

    use super::{RecordedRequest, RecordedVerdict, record};

    fn at() -> (Timestamp, GardenerVersion) {
        (Timestamp::UNIX_EPOCH, GardenerVersion::default())
    }

    fn review(object: Value) -> Value {
        json!({"kind": "AdmissionReview", "response": "hidden", "request": {
            "uid": "1",
            "kind": {"kind": "Shoot"},
            "options": {"fieldManager": "hidden"},
            "userInfo": {"username": "a", "token": "hidden", "extra": {"token": ["hidden"]}},
            "Object": "hidden",
            "object": object,
        }})
    }

    #[test]
    fn line_has_only_recorded_fields() {
        let copy = json!({"kind": "Shoot", "token": "hidden"}).to_string();
        let object = json!({
            "apiVersion": "core.gardener.cloud/v1beta1",
            "kind": "Shoot",
            "Metadata": "hidden",
            "data": {"password": "hidden"},
            "metadata": {
                "name": "web", "managedFields": [{"manager": "hidden"}], "selfLink": "hidden",
                "annotations": {"a": "b", "kubectl.kubernetes.io/last-applied-configuration": copy, "other": copy},
            },
            "spec": {"region": "north", "kubernetes": {"kubeAPIServer": {"oidcConfig": {
                "clientID": "c", "clientAuthentication": {"secret": "hidden"},
            }}}},
        });
        let verdict =
            RecordedVerdict { denied: ["shoot/a".to_owned()].into(), ..RecordedVerdict::default() };
        let line = record(review(object).to_string().as_bytes(), verdict.clone(), at()).unwrap();
        assert!(!line.contains("hidden") && line.ends_with("}\n"), "{line}");
        assert_eq!(line.matches('\n').count(), 1);
        let read = RecordedRequest::parse(&line).unwrap();
        assert_eq!(read.verdict, verdict);
        let request = &read.review["request"];
        assert_eq!(request["userInfo"], json!({"username": "a"}));
        assert_eq!(
            request["object"]["metadata"],
            json!({"name": "web", "annotations": {"a": "b"}})
        );
        assert_eq!(
            request["object"]["spec"]["kubernetes"]["kubeAPIServer"]["oidcConfig"]["clientID"],
            "c"
        );
    }

    #[rstest]
    #[case::other_kind(json!({"kind": "Secret", "data": {"a": "b"}}))]
    #[case::no_kind(json!({"spec": {}}))]
    #[case::list(json!([]))]
    #[case::larger_than_its_body(json!({"kind": "Shoot", "spec": "numbers"}))]
    fn object_is_not_recorded(#[case] object: Value) {
        // They are 18 bytes each in JSON of this program.
        let numbers = format!("[{}0]", "1e15,".repeat(60_000));
        let body = review(object).to_string().replace("\"numbers\"", &numbers);
        assert!(record(body.as_bytes(), RecordedVerdict::default(), at()).is_none());
    }

    #[test]
    fn nested_object_is_recorded_only_if_it_can_be_read() {
        for depth in 100..130 {
            let list = "[".repeat(depth) + &"]".repeat(depth);
            let body = review(json!({"kind": "Shoot", "spec": "list"})).to_string();
            let body = body.replace("\"list\"", &list);
            let line = record(body.as_bytes(), RecordedVerdict::default(), at());
            assert!(line.is_none_or(|it| RecordedRequest::parse(&it).is_ok()), "{depth}");
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
