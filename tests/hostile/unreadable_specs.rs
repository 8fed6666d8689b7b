// SPDX-License-Identifier: Apache-2.0
//! Valid JSON values that many parsers reject must not hide a change.

use serde_json::{Value, json};

use crate::common::{Gate, GateArgs};
use crate::reviews::{
    CONFIG, create, set, unreadable, update, update_in_deletion, update_of_maximum, with_text,
};
use crate::target::{Answer, Target};

/// A nesting beyond any limit, which may be refused as unreadable, but never allowed.
const DEEP: usize = 100_000;

/// Returns changes that a rule refuses, with the rule.
fn refused() -> [(&'static str, Value); 3] {
    let operation = json!({"type": "Migrate", "state": "Processing", "progress": 50, "description": "", "lastUpdateTime": "2026-01-01T00:00:00Z"});
    let mut migrating = update_of_maximum();
    set(&mut migrating, "/status/lastOperation", &operation);
    let mut self_hosted = update_of_maximum();
    set(&mut self_hosted, "/spec/provider/workers/0/controlPlane", &json!({}));
    [
        ("shoot/spec-change-during-migration", migrating),
        ("shoot/spec-frozen-when-deleting", update_in_deletion()),
        ("shoot/self-hosted-verb", self_hosted),
    ]
}

async fn examples() -> (Gate, Target) {
    let garden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
    let gate = Gate::start(&GateArgs::new().garden_directory(&garden));
    let target = Target::of(&gate).await;
    (gate, target)
}

async fn validated(target: &Target, body: String) -> Value {
    let Some(Answer { status, json, .. }) = target.post("/validate", body).await else {
        panic!("no answer");
    };
    assert_eq!(status, 200, "{json}");
    json["response"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn change_is_judged_despite_unreadable_specs() {
    let (_gate, target) = examples().await;
    for (rule, review) in refused() {
        let plain = validated(&target, with_text(review.clone(), CONFIG, "{}")).await;
        assert_eq!(plain["allowed"], false, "{rule}: {plain}");
        let told = plain["auditAnnotations"].to_string();
        assert!(told.contains(rule), "{rule}: {plain}");
        for (what, text) in unreadable() {
            let odd = validated(&target, with_text(review.clone(), CONFIG, &text)).await;
            assert_eq!(odd, plain, "{rule} beside {what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_one_side_only_they_are_a_change() {
    let (_gate, target) = examples().await;
    for (what, text) in unreadable() {
        let mut review = update_in_deletion();
        review["request"]["object"] = review["request"]["oldObject"].clone();
        set(&mut review, CONFIG, &json!("@old@"));
        review["request"]["object"]["spec"]["provider"]["infrastructureConfig"] = json!("@new@");
        let body = review.to_string();
        for (new, old) in [(text.as_str(), "{}"), ("{}", text.as_str())] {
            let body = body.replace("\"@new@\"", new).replace("\"@old@\"", old);
            let answer = validated(&target, body).await;
            assert_eq!(answer["allowed"], false, "{what}: {answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_change_they_are_none() {
    let (_gate, target) = examples().await;
    for (what, text) in unreadable() {
        let answer = validated(&target, with_text(update(), CONFIG, &text)).await;
        assert_eq!(answer["allowed"], true, "{what}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn change_is_refused_with_very_deep_specs() {
    let (_gate, target) = examples().await;
    let text = format!("{{\"a\":{}{}}}", "[".repeat(DEEP), "]".repeat(DEEP));
    for (rule, review) in refused() {
        let answer = target.post("/validate", with_text(review, CONFIG, &text)).await.unwrap();
        assert!([200, 413].contains(&answer.status), "{rule}: {answer:?}");
        assert!(!answer.is_allowed(), "{rule}: {answer:?}");
    }
}

const POLICY: &str = "\
apiVersion: garden-gate.dev/v1alpha1
kind: GardenPolicy
metadata: {name: own}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [core.gardener.cloud], apiVersions: [v1beta1], operations: ['*'], resources: [shoots]}
  validations:
  - expression: \"(object == null ? oldObject : object).spec.provider.type == 'none'\"
";

async fn with_policy() -> (Gate, Target) {
    let garden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
    let args = GateArgs::new()
        .garden_directory(&garden)
        .file("policies.yaml", POLICY)
        .flag("--policies", "{dir}/policies.yaml");
    let gate = Gate::start(&args);
    let target = Target::of(&gate).await;
    (gate, target)
}

/// Returns the DELETE of a Shoot.
fn delete() -> Value {
    let mut review = update();
    review["request"]["operation"] = json!("DELETE");
    review["request"]["object"] = Value::Null;
    review
}

#[tokio::test(flavor = "multi_thread")]
async fn policies_judge_other_fields_of_unreadable_specs() {
    let (gate, target) = with_policy().await;
    let mut judged = 0.0;
    for review in [create(), update(), delete()] {
        let operation = review["request"]["operation"].to_string();
        for (what, text) in unreadable() {
            let answer = validated(&target, with_text(review.clone(), CONFIG, &text)).await;
            assert_eq!(answer["allowed"], false, "{operation}, {what}: {answer}");
            let told = answer["auditAnnotations"].to_string();
            assert!(told.contains("policy/own"), "{operation}, {what}: {answer}");
            judged += 1.0;
        }
    }
    let violated = "policy_evaluations_total{policy=\"own\",result=\"violated\"}";
    assert_eq!(gate.metric(violated).await, judged);
}

#[tokio::test(flavor = "multi_thread")]
async fn policies_do_not_skip_very_deep_specs() {
    let (_gate, target) = with_policy().await;
    for text in
        ["[".repeat(DEEP) + &"]".repeat(DEEP), "{\"a\":".repeat(DEEP) + "1" + &"}".repeat(DEEP)]
    {
        let body = with_text(update(), CONFIG, &format!("{{\"a\":{text}}}"));
        let answer = target.post("/validate", body).await.unwrap();
        assert!([200, 413].contains(&answer.status), "{answer:?}");
        assert!(!answer.is_allowed(), "{answer:?}");
    }
}
