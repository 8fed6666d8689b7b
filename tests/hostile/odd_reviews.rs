// SPDX-License-Identifier: Apache-2.0
//! Malformed reviews are never allowed because nothing could be judged.

use serde_json::{Value, json};

use crate::common::{Gate, GateArgs};
use crate::reviews::{create, recorded, update};
use crate::target::Target;

fn without(mut review: Value, field: &str) -> Value {
    review["request"].as_object_mut().unwrap().remove(field);
    review
}

fn of_version(version: &str) -> Value {
    let mut review = create();
    review["request"]["resource"]["version"] = json!(version);
    review["request"]["object"]["apiVersion"] = json!(format!("core.gardener.cloud/{version}"));
    review
}

/// Returns reviews in which a relevant field is missing or unknown.
fn odd() -> Vec<(String, Value)> {
    let mut odd: Vec<(String, Value)> = ["v1", "v1alpha1", "v1beta2", "__internal", ""]
        .map(|version| (format!("Shoots of version `{version}`"), of_version(version)))
        .into();
    let delete = || recorded("017-validate-delete-shoots");
    odd.extend(
        [
            ("a CREATE without object", without(create(), "object")),
            ("an UPDATE without object", without(update(), "object")),
            ("an UPDATE without oldObject", without(update(), "oldObject")),
            ("a DELETE of a Shoot without oldObject", without(delete(), "oldObject")),
            ("no resource", without(create(), "resource")),
        ]
        .map(|(what, review)| (what.to_owned(), review)),
    );
    odd
}

#[tokio::test(flavor = "multi_thread")]
async fn they_are_not_allowed() {
    let garden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
    let gate = Gate::start(&GateArgs::new().garden_directory(&garden));
    let target = Target::of(&gate).await;
    let mut allowed = Vec::new();
    for (what, review) in odd() {
        for path in ["/validate", "/mutate"] {
            let answer = target.post(path, review.to_string()).await.unwrap();
            assert!([200, 400].contains(&answer.status), "{what}: {answer:?}");
            if answer.is_allowed() {
                allowed.push(format!("{path}: {what}"));
            }
        }
    }
    assert!(allowed.is_empty(), "allowed:\n{}", allowed.join("\n"));
}
