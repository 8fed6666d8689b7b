// SPDX-License-Identifier: Apache-2.0
//! `serve --policies`: GardenPolicies are evaluated after the rules, within limits, and reloaded.

use std::fs;
use std::time::Instant;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, eventually, garden_gate};

/// Returns a policy for Shoots.
fn policy(name: &str, level: &str, validation: &str) -> String {
    format!(
        "\
apiVersion: garden-gate.dev/v1alpha1
kind: GardenPolicy
metadata: {{name: {name}}}
spec:
  level: {level}
  help: ask the operators
  matchConstraints:
    resourceRules:
    - {{apiGroups: [core.gardener.cloud], apiVersions: [v1beta1], operations: [CREATE, UPDATE], resources: [shoots]}}
  validations:
  - expression: {validation:?}
    message: {name} is violated
"
    )
}

const CRAZY: &str = "object.metadata.name != 'crazy'";

/// Returns options with a policy in `{dir}/policies.yaml`.
fn args(policy: &str) -> GateArgs {
    // Rules would refuse the incomplete Shoot.
    let args = GateArgs::new()
        .garden("dev.yaml", PROJECT)
        .file("policies.yaml", policy)
        .flag("--policies", "{dir}/policies.yaml");
    args.flag("--log-format", "json")
}

fn start(policy: &str) -> Gate {
    Gate::start(&args(policy).config("rules: {\"*\": off, \"policy/*\": deny}"))
}

fn request() -> Value {
    review("CREATE", "shoots", &shoot(&json!([])), &Value::Null)
}

/// Returns the response to a new Shoot.
async fn response(gate: &Gate) -> Value {
    let (code, answer) = gate.post("/validate", &request()).await;
    assert_eq!(code, 200, "{answer}");
    answer["response"].clone()
}

async fn evaluations(gate: &Gate, policy: &str, result: &str) -> f64 {
    let labels = format!("{{policy=\"{policy}\",result=\"{result}\"}}");
    gate.metric(&format!("policy_evaluations_total{labels}")).await
}

#[tokio::test]
async fn violated_policy_denies_like_a_rule() {
    let gate = start(&policy("naming", "deny", CRAZY));
    let answer = response(&gate).await;
    assert_eq!(answer["allowed"], false, "{answer}");
    let message = answer["status"]["message"].as_str().unwrap();
    assert!(message.contains("naming is violated"), "{message}");
    assert_eq!(answer["status"]["code"], 422);
    assert_eq!(answer["auditAnnotations"], json!({"decision": "denied", "deny": "policy/naming"}));
    gate.logs("deny policy/naming metadata.name").await;
    let finding = "findings_total{rule=\"policy/naming\",level=\"deny\"}";
    assert_eq!(gate.metric(finding).await, 1.0);
    assert_eq!(gate.metric("policies").await, 1.0);
    assert_eq!(evaluations(&gate, "naming", "violated").await, 1.0);
    let metrics = gate.metrics().await;
    let accepted = "policy_evaluations_total{policy=\"naming\",result=\"accepted\"} 0";
    assert!(metrics.contains(accepted), "{metrics}");
}

#[tokio::test]
async fn policy_at_level_warn_warns() {
    let gate = start(&policy("naming", "warn", CRAZY));
    let answer = response(&gate).await;
    assert_eq!(answer["allowed"], true, "{answer}");
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("naming is violated"), "{warnings}");
}

#[tokio::test]
async fn accepted_requests_and_other_endpoints_have_no_findings() {
    let gate = start(&policy("naming", "deny", "object.metadata.name == 'crazy'"));
    assert_eq!(response(&gate).await["allowed"], true);
    assert_eq!(evaluations(&gate, "naming", "accepted").await, 1.0);
    let (code, answer) = gate.post("/mutate", &request()).await;
    assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(true)), "{answer}");
    let seed = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Seed", "metadata": {"name": "s"}});
    gate.post("/validate", &review("CREATE", "seeds", &seed, &Value::Null)).await;
    assert_eq!(evaluations(&gate, "naming", "accepted").await, 1.0);
}

#[tokio::test]
async fn lookups_use_the_garden_of_the_request() {
    let expression = "!('frozen' in garden.project.metadata.labels) && garden.shoots().size() == 0 && garden.seed == null";
    let gate = start(&policy("lookups", "deny", expression));
    let answer = response(&gate).await;
    assert_eq!(answer["allowed"], true, "{answer}");
    gate.write("garden/dev.yaml", &PROJECT.replace("name: dev", "name: dev, labels: {frozen: a}"));
    eventually("the other label", async || response(&gate).await["allowed"] == false).await;
}

#[tokio::test]
async fn levels_and_exemptions_of_the_configuration_apply() {
    let policy = policy("naming", "deny", CRAZY);
    for (rules, exempt, decision) in [
        ("policy/naming: warn", "{}", "would_deny"),
        ("policy/naming: off", "{}", "allowed"),
        ("\"policy/*\": warn", "{}", "would_deny"),
        ("policy/naming: deny", "{rules: {policy/naming: {users: [alice]}}}", "exempt"),
        ("policy/naming: deny", "{rules: {policy/naming: {users: [bob]}}}", "denied"),
    ] {
        let config = format!("{{rules: {{\"*\": off, {rules}}}, exempt: {exempt}}}");
        let gate = Gate::start(&args(&policy).config(&config));
        let annotations = response(&gate).await["auditAnnotations"].clone();
        let decided = annotations["decision"].as_str().unwrap_or("allowed");
        assert_eq!(decided, decision, "{config}: {annotations}");
    }
}

#[rstest]
#[case::syntax(
    policy("naming", "deny", "object.metadata."),
    "policies.yaml:11:17: GardenPolicy `naming`: `spec.validations[0].expression` does not compile"
)]
#[case::field(
    policy("naming", "deny", "true").replace("help:", "helps:"),
    "policies.yaml:6:3: GardenPolicy `naming`: `spec.helps` is an unknown field; did you mean `help`?"
)]
#[case::selector(
    policy("naming", "deny", "true").replace(
        "    resourceRules:",
        "    objectSelector: {matchExpressions: [{key: a, operator: Is, values: [b]}]}\n    resourceRules:"
    ),
    "policies.yaml:8:60: GardenPolicy `naming`: `spec.matchConstraints.objectSelector.matchExpressions[0].operator` cannot be `Is`"
)]
#[case::resource(
    policy("naming", "deny", "true").replace("[shoots]", "[shoot]"),
    "is `shoot`, which is not a resource that garden-gate judges"
)]
#[case::kind(
    policy("naming", "deny", "true").replace("kind: GardenPolicy", "kind: GardenPolcy"),
    "policies.yaml:2:7: `GardenPolcy` is not a kind of `garden-gate.dev`; did you mean `GardenPolicy`?"
)]
#[case::cost(
    policy(
        "naming",
        "deny",
        "object.a.all(a, object.b.all(b, object.c.all(c, object.d.all(d, a + b == c + d))))"
    ),
    "above the limit of 10000000 for servers"
)]
#[case::duplicate(
    format!("{0}---\n{0}", policy("naming", "deny", "true")),
    "policies.yaml: the id `policy/naming` is also in"
)]
#[case::yaml("a: [".to_owned(), "policies.yaml:")]
fn invalid_policy_is_an_error_at_start(#[case] policy: String, #[case] message: &str) {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("garden")).unwrap();
    let [garden, policies] = ["garden", "policies.yaml"].map(|it| folder.path().join(it));
    fs::write(&policies, policy).unwrap();
    let [garden, policies] = [&garden, &policies].map(|it| it.to_str().unwrap());
    let flags = ["serve", "--listen", "127.0.0.1:0", "--garden", garden];
    let output = garden_gate(&[&flags[..], &["--policies", policies]].concat());
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains(message), "{err}");
}

#[test]
fn unknown_policy_in_the_configuration_is_an_error_at_start() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("garden")).unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("policies.yaml"), policy("naming", "deny", CRAZY)).unwrap();
    fs::write(at("config.yaml"), "rules: {policy/namings: warn}").unwrap();
    let (garden, config, policies) = (at("garden"), at("config.yaml"), at("policies.yaml"));
    let flags = ["serve", "--listen", "127.0.0.1:0", "--garden", &garden];
    let flags = [&flags[..], &["--config", &config, "--policies", &policies]].concat();
    let output = garden_gate(&flags);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    let message = "no GardenPolicy has the id `policy/namings`";
    assert!(err.contains(message), "{err}");
    assert!(err.contains("did you mean `policy/naming`?"), "{err}");
}

#[tokio::test]
async fn changed_policies_are_reloaded_and_invalid_ones_are_not() {
    let gate = start(&policy("naming", "deny", CRAZY));
    assert_eq!(response(&gate).await["allowed"], false);

    gate.write("policies.yaml", &policy("naming", "deny", "object."));
    gate.logs("failed to load the changed policies, keeping the last valid one").await;
    assert_eq!(gate.metric("policy_reload_failures_total").await, 1.0);
    assert_eq!(gate.metric("policy_reload_failing").await, 1.0);
    assert_eq!(gate.metric("config_reload_failing").await, 0.0);
    let (code, text) = gate.get("/readyz").await;
    assert_eq!(code, 200);
    assert!(text.contains("the changed policies cannot be loaded"), "{text}");
    assert_eq!(response(&gate).await["allowed"], false);

    // The configuration is still reloaded, and knows the policies that are used.
    gate.write("config.yaml", "rules: {\"*\": off, policy/naming: warn}");
    eventually("the other level", async || response(&gate).await["allowed"] == true).await;

    // Both change at once: a new policy, and its level.
    gate.write("policies.yaml", &policy("other", "deny", CRAZY));
    gate.write("config.yaml", "rules: {\"*\": off, policy/other: deny}");
    eventually("the other policy", async || {
        let annotations = response(&gate).await["auditAnnotations"].clone();
        annotations["deny"] == "policy/other"
    })
    .await;
    assert_eq!(gate.metric("policy_reload_failing").await, 0.0);
    assert_eq!(gate.metric("config_reload_failing").await, 0.0);
    let metrics = gate.metrics().await;
    assert!(!metrics.contains("policy=\"naming\""), "{metrics}");
    assert!(metrics.contains("policy=\"other\""), "{metrics}");
}

/// Returns a Shoot with many tolerations.
fn large_shoot(count: usize) -> Value {
    let tolerations = (0..count).map(|it| json!({"key": format!("key-{it}")}));
    shoot(&tolerations.collect())
}

#[tokio::test]
async fn expensive_policies_end_at_their_cost_limit_or_the_deadline() {
    let expression =
        "object.spec.tolerations.all(a, object.spec.tolerations.all(b, a.key != b.key + 'x'))";
    let count = 40;
    let policies = (0..count).map(|it| policy(&format!("slow-{it}"), "deny", expression));
    let policies: Vec<String> = policies.collect();
    let gate = start(&policies.join("---\n"));
    let request = review("CREATE", "shoots", &large_shoot(3_000), &Value::Null);
    let begin = Instant::now();
    let (code, answer) = gate.post("/validate?timeout=30s", &request).await;
    let whole = begin.elapsed();
    assert_eq!(code, 200, "after {whole:?}: {answer}");
    assert_eq!(answer["response"]["allowed"], false);
    let message = answer["response"]["status"]["message"].as_str().unwrap();
    assert!(message.contains("actual cost limit exceeded"), "{message}");
    assert_eq!(evaluations(&gate, "slow-0", "failed").await, 1.0);
    // The limit of all policies of a request.
    let last = evaluations(&gate, "slow-39", "undetermined").await;
    assert_eq!(last, 1.0, "{message}");
    // No answer in time, or one that says how far the policies came.
    let (code, answer) = gate.post("/validate?timeout=50ms", &request).await;
    let is_late = answer.to_string().contains("the time limit of the request was exceeded");
    assert!(code == 503 || is_late, "{code}: {answer}");
    // Others are answered meanwhile.
    let slow = async {
        gate.post("/validate?timeout=30s", &request).await;
        Instant::now()
    };
    let quick = async {
        let (code, _) = gate.get("/healthz").await;
        assert_eq!(code, 200);
        Instant::now()
    };
    let (slow, quick) = tokio::join!(slow, quick);
    assert!(quick < slow);
}

#[tokio::test]
async fn audits_evaluate_policies() {
    let old = shoot(&json!([]));
    let args = args(&policy("naming", "warn", CRAZY))
        .garden("shoot.yaml", &old.to_string())
        .flag("--audit-every", "1s");
    let gate = Gate::start(&args);
    let metric = "audit_findings{rule=\"policy/naming\",level=\"warn\",kind=\"Shoot\"}";
    eventually("an audit", async || gate.metric(metric).await == 1.0).await;
}
