// SPDX-License-Identifier: Apache-2.0
//! Policies of operators whose expressions are expensive for the object of an attacker.

use std::fmt::Write as _;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::thread::available_parallelism;
use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use crate::reviews::{create, set};
use crate::target::{Answer, FRIEND, NEIGHBOUR, Target};
use crate::trial::Trial;

/// Duration of an attack.
const SECONDS: Duration = Duration::from_secs(6);
/// Time limit of an expected answer, for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The length of a body above which reviews share processors.
const LARGE: usize = 100 << 10;
/// The length of the annotation, as an API server allows it.
const ANNOTATION: usize = 250_000;

/// Writes a GardenPolicy for Shoots with an annotation.
fn policy(expression: &str) -> TempDir {
    let directory = TempDir::new().unwrap();
    let policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy",
        "metadata": {"name": "expensive"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["core.gardener.cloud"], "apiVersions": ["*"], "operations": ["*"], "resources": ["shoots"],
            }]},
            "matchConditions": [{"name": "concerned", "expression": "object.metadata.?annotations[?'hosts'].hasValue()"}],
            "variables": [{"name": "text", "expression": "object.metadata.annotations['hosts']"}],
            "validations": [{"expression": expression, "message": "no"}],
        },
    });
    fs::write(directory.path().join("policy.yaml"), policy.to_string()).unwrap();
    directory
}

/// Returns the CREATE of a Shoot with an annotation, and with zones.
fn shoot(annotation: Option<&str>, zones: usize) -> Bytes {
    let mut review = create();
    if let Some(text) = annotation {
        review["request"]["object"]["metadata"]["annotations"]["hosts"] = text.into();
    }
    let zones: Vec<Value> = (0..zones).map(|it| json!(format!("z{it}"))).collect();
    let pool = "/spec/provider/workers/0/zones";
    if !zones.is_empty() {
        set(&mut review, pool, &Value::from(zones));
    }
    review.to_string().into()
}

/// Returns a large review that no policy concerns.
fn large() -> Bytes {
    let mut review = create();
    let annotations = (0..100).map(|it| (format!("key-{it}"), json!("v".repeat(LARGE / 100))));
    let annotations: Value = annotations.collect::<serde_json::Map<_, _>>().into();
    review["request"]["object"]["metadata"]["annotations"] = annotations;
    review.to_string().into()
}

/// Posts reviews again and again until the end.
async fn repeat(
    target: Target,
    (from, body): (IpAddr, Bytes),
    end: Instant,
    mut judge: impl FnMut(Option<Answer>),
) {
    let client = target.client(from).timeout(TIMEOUT).build().unwrap();
    while Instant::now() < end {
        let answer = target.post_over(&client, "/validate?timeout=5s", body.clone());
        match timeout_at(end + TIMEOUT, answer).await {
            Ok(answer) => judge(answer),
            Err(_) => judge(None),
        }
    }
}

/// Attacks from some addresses with two reviews for each processor, while another address posts large reviews.
///
/// Each review of the attack must be undetermined, and the others must all be answered.
async fn attack(target: &Target, addresses: u8, body: &Bytes) -> Vec<String> {
    let end = Instant::now() + SECONDS;
    let processors = available_parallelism().unwrap().get();
    let mut hands = JoinSet::new();
    for address in 0..addresses {
        let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 66 + address));
        for _ in 0..2 * processors {
            let (target, attacker) = (target.clone(), (from, body.clone()));
            hands.spawn(async move {
                let mut complaints = Vec::new();
                repeat(target, attacker, end, |answer| {
                    let answer = answer.unwrap_or_default();
                    let annotations = &answer.json["response"]["auditAnnotations"];
                    let undetermined = annotations["undetermined"].as_str().unwrap_or_default();
                    let is_right = undetermined.contains("policy/expensive");
                    if answer.status == 200 && !is_right {
                        complaints.push(format!("unexpected verdict: {:.500}", answer.json));
                    }
                })
                .await;
                complaints
            });
        }
    }
    let (mut answered, mut missed, mut complaints) = (0, 0, String::new());
    repeat(target.clone(), (FRIEND, large()), end, |answer| match answer {
        Some(answer) if answer.status == 200 => answered += 1,
        other => {
            missed += 1;
            let _ = write!(complaints, "{:.200} ", other.unwrap_or_default().json);
        }
    })
    .await;
    let mut all: Vec<String> = hands.join_all().await.into_iter().flatten().collect();
    all.truncate(1);
    if answered < 20 * missed || answered < 3 {
        all.push(format!(
            "{answered} large reviews of others were answered, {missed} not: {complaints}"
        ));
    }
    all
}

fn withstands(name: &'static str, addresses: u8, expression: &str, body: &Bytes) {
    let policies = policy(expression);
    let path = policies.path().to_str().unwrap();
    let trial = Trial::new(name).flag("--policies", path);
    trial.withstands(async |target| attack(target, addresses, body).await);
}

/// Each search of a match reads the text to its end.
const SEARCHES: &str = "variables.text.findAll('[a-z0-9.]+:[0-9]+|[a-z0-9.]').size() <= 1000000";

#[test]
fn searches_that_read_a_text_again_and_again() {
    let body = shoot(Some(&"a".repeat(ANNOTATION)), 0);
    withstands("W1 searches, one address", 1, SEARCHES, &body);
}

#[test]
fn searches_from_more_addresses_than_processors() {
    let body = shoot(Some(&"a".repeat(ANNOTATION)), 0);
    withstands("W2 searches, five addresses", 5, SEARCHES, &body);
}

#[test]
fn characters_of_a_long_text() {
    let body = shoot(Some(&"ä".repeat(ANNOTATION / 2)), 9_000);
    let expression =
        "object.spec.provider.workers[0].zones.all(z, variables.text.charAt(124999) != z)";
    withstands("W3 characters", 1, expression, &body);
}

#[test]
fn lists_that_are_read_for_each_element() {
    let body = shoot(Some(&"a".repeat(ANNOTATION)), 9_000);
    let expression = "object.spec.provider.workers[0].zones.all(z, object.spec.provider.workers[0].zones.lastIndexOf(z) >= 0)";
    withstands("W4 lists", 1, expression, &body);
}

#[test]
fn all_shoots_of_a_large_garden() {
    let policies = policy("garden.shoots().size() < 100000");
    let path = policies.path().to_str().unwrap();
    let shoots = (0..9_900).map(|number| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": {"namespace": format!("garden-{}", number % 100), "name": format!("s-{number}")},
            "spec": {"cloudProfileName": "stratus", "kubernetes": {"version": "1.34.7"}, "provider": {"type": "stratus"}},
        })
    });
    let shoots = json!({"apiVersion": "v1", "kind": "List", "items": shoots.collect::<Vec<_>>()});
    let trial = Trial::new("W5 all Shoots").flag("--policies", path);
    let body = shoot(Some("few"), 0);
    trial.manifests([shoots.to_string()]).withstands(async |target| {
        let end = Instant::now() + SECONDS;
        let mut hands = JoinSet::new();
        for _ in 0..16 {
            let (target, attacker) = (target.clone(), (NEIGHBOUR, body.clone()));
            hands.spawn(async move {
                let mut allowed = 0;
                repeat(target, attacker, end, |answer| {
                    allowed += usize::from(answer.is_some_and(|it| it.is_allowed()));
                })
                .await;
                allowed
            });
        }
        let allowed: usize = hands.join_all().await.into_iter().sum();
        match allowed {
            // Converting all Shoots for each of them takes longer than the attack.
            1_000.. => vec![],
            few => vec![format!("only {few} reviews were answered")],
        }
    });
}
