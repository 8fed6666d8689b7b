//! What is asked: what a real API server sent, or a small change of it.

use std::fs;
use std::path::Path;

use hyper::body::Bytes;
use serde_json::{Value, json};

/// One body, and what the gate and its peers should say to it.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) body: Bytes,
    pub(crate) is_allowed: bool,
}

/// Each kind of request, to each door that it comes through.
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

/// Those about a Shoot that has no seed yet, so that all seeds matter.
pub(crate) fn scheduled() -> Vec<Request> {
    vec![update_label(), update_spec(), create(), no_seed()]
}

/// Those about what Shoots use.
pub(crate) fn looked_up() -> Vec<Request> {
    vec![update_label(), update_spec(), create(), update_profile()]
}

fn update_label() -> Request {
    let review = recorded("002-validate-update-shoots");
    request("UPDATE of a Shoot's label", &review)
}

fn update_spec() -> Request {
    let review = recorded("004-validate-update-shoots");
    request("UPDATE of a Shoot's spec", &review)
}

fn create() -> Request {
    request("CREATE of a Shoot", &unscheduled())
}

fn refused() -> Request {
    let mut review = unscheduled();
    review["request"]["object"]["spec"]["kubernetes"]["version"] = json!("1.30.4");
    Request {
        is_allowed: false,
        ..request("CREATE of a Shoot, refused", &review)
    }
}

/// It is allowed, with a warning that looks at every seed.
fn no_seed() -> Request {
    let mut review = unscheduled();
    review["request"]["object"]["spec"]["seedSelector"] =
        json!({"matchLabels": {"network.example.com/zone": "nowhere"}});
    request("CREATE of a Shoot that no seed takes", &review)
}

fn update_profile() -> Request {
    let review = recorded("008-validate-update-cloudprofiles");
    request("UPDATE of a CloudProfile", &review)
}

fn request(name: &'static str, review: &Value) -> Request {
    Request {
        name,
        path: "/validate",
        body: review.to_string().into(),
        is_allowed: true,
    }
}

/// A new Shoot that leaves its seed to the scheduler.
fn unscheduled() -> Value {
    let mut review = recorded("006-validate-create-shoots");
    let spec = review["request"]["object"]["spec"].as_object_mut().unwrap();
    spec.remove("seedName").unwrap();
    review
}

fn recorded(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requests");
    let file = fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
    let mut recorded: Value = serde_json::from_str(&file).unwrap();
    recorded["review"].take()
}
