// SPDX-License-Identifier: Apache-2.0
//! The requests: recorded ones of a real API server, and small variations.

#[path = "../../tests/support/recorded_requests.rs"]
mod recorded_requests;

use hyper::body::Bytes;

pub(crate) use recorded_requests::recorded;

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
