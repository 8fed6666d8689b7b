//! The requests: recorded ones of a real API server, and small variations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hyper::body::Bytes;
use serde_json::value::RawValue;

/// A request body and the expected response of garden-gate and its peers.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) body: Bytes,
    pub(crate) is_allowed: bool,
}

/// Returns each kind of request, for each of its entry points.
pub(crate) fn all() -> Vec<Request> {
    vec![
        update_label(),
        update_spec(),
        create(),
        refused(),
        update_profile(),
        Request {
            name: "UPDATE of a Shoot's label, to be mutated",
            path: "/mutate",
            ..update_label()
        },
        Request {
            name: "UPDATE of a Shoot's spec, to be mutated",
            path: "/mutate",
            ..update_spec()
        },
    ]
}

/// Returns requests about a Shoot without a seed, for which all seeds are relevant.
pub(crate) fn scheduled() -> Vec<Request> {
    vec![update_label(), update_spec(), create(), no_seed()]
}

/// Returns requests that look up objects which Shoots use.
pub(crate) fn looked_up() -> Vec<Request> {
    vec![update_label(), update_spec(), create(), update_profile()]
}

fn update_label() -> Request {
    let review = recorded("002-validate-update-shoots");
    request("UPDATE of a Shoot's label", review)
}

fn update_spec() -> Request {
    let review = recorded("004-validate-update-shoots");
    request("UPDATE of a Shoot's spec", review)
}

fn create() -> Request {
    request("CREATE of a Shoot", unscheduled())
}

fn refused() -> Request {
    let review = unscheduled();
    let version = r#""version":"1.35.2""#;
    let unknown = r#""version":"1.30.4""#;
    Request {
        is_allowed: false,
        ..request("CREATE of a Shoot, refused", changed(&review, version, unknown))
    }
}

/// Returns an allowed request with a warning for which all seeds are searched.
fn no_seed() -> Request {
    let review = unscheduled();
    let selector =
        r#""spec":{"seedSelector":{"matchLabels":{"network.example.com/zone":"nowhere"}},"#;
    request("CREATE of a Shoot that no seed takes", changed(&review, r#""spec":{"#, selector))
}

fn update_profile() -> Request {
    let review = recorded("008-validate-update-cloudprofiles");
    request("UPDATE of a CloudProfile", review)
}

fn request(name: &'static str, review: String) -> Request {
    Request { name, path: "/validate", body: review.into(), is_allowed: true }
}

/// Returns the creation of a Shoot without a seed.
fn unscheduled() -> String {
    let review = recorded("006-validate-create-shoots");
    changed(&review, r#""seedName":"stratus-eu","#, "")
}

/// Replaces the only occurrence of a string.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from} in {text}");
    text.replace(from, to)
}

/// Returns a recorded request with the field order of an API server.
/// The metadata of the request precedes its objects.
pub(crate) fn recorded(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requests");
    let file = fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
    let recorded: BTreeMap<&str, &RawValue> = serde_json::from_str(&file).unwrap();
    without_space(recorded["review"].get())
}

/// Converts formatted JSON to the compact form of an API server.
fn without_space(json: &str) -> String {
    let mut is_text = false;
    let mut is_escaped = false;
    let is_kept = |character: &char| {
        let is_quote = *character == '"' && !is_escaped;
        is_escaped = is_text && *character == '\\' && !is_escaped;
        is_text ^= is_quote;
        is_text || !character.is_ascii_whitespace()
    };
    json.chars().filter(is_kept).collect()
}
