// SPDX-License-Identifier: Apache-2.0
//! `garden-gate plan --shoot`.

use serde_json::{Value, json};

use super::{Printed, World};

/// Returns a world whose API server has the workload of a Shoot.
fn world() -> World {
    let world = World::new(&[("apps/.keep", "")]);
    let labels = json!({"app": "web"});
    let budget = json!({
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"maxUnavailable": 0, "selector": {"matchLabels": labels}},
    });
    let pod =
        |name: &str| json!({"metadata": {"name": name, "namespace": "shop", "labels": labels}});
    let mut script = world.server.script();
    script.objects.insert("poddisruptionbudgets", vec![budget]);
    script.objects.insert("pods", vec![pod("a"), pod("b"), pod("c")]);
    let metrics = "# TYPE apiserver_requested_deprecated_apis gauge\n";
    script.bodies.insert("/metrics".to_owned(), (200, metrics.to_owned()));
    drop(script);
    world
}

impl World {
    fn plan_workload(&self) -> (Option<i32>, Value) {
        let arguments =
            ["plan", "apps", "--shoot", "kubeconfig", "--no-config", "--format", "json"];
        let Printed { code, out, err } = self.run(&arguments);
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
        (code, json["workload"].clone())
    }
}

fn check<'a>(workload: &'a Value, rule: &str) -> &'a Value {
    let checks = workload["checks"].as_array().unwrap();
    checks.iter().find(|it| it["rule"] == rule).unwrap()
}

#[test]
fn workload_of_a_cluster_is_listed_in_pages() {
    let world = world();
    world.server.script().page = 1;
    world.server.script().expired = 1;
    let (code, workload) = world.plan_workload();
    // Without a Shoot, the version of Kubernetes is not known.
    assert_eq!(code, Some(4));
    assert_eq!(
        check(&workload, "workload/pod-without-controller")["problems"].as_array().unwrap().len(),
        3
    );
    assert_eq!(check(&workload, "workload/disruption-budget-blocks")["problems"][0]["name"], "web");
    assert_eq!(workload["unread"], json!([]));
}

#[test]
fn only_reads_are_requested_and_no_secrets() {
    let world = world();
    world.plan_workload();
    let asked = world.server.asked();
    assert!(asked.iter().all(|it| it.starts_with("GET ") && !it.contains("secrets")), "{asked:?}");
    assert_eq!(asked.len(), 15, "{asked:?}");
}

#[test]
fn resources_that_may_not_be_listed_are_not_known() {
    let world = world();
    world.server.answer("GET /api/v1/pods", 403, "pods is forbidden");
    world.server.answer("GET /metrics", 403, "metrics are forbidden");
    let (code, workload) = world.plan_workload();
    assert_eq!(code, Some(4));
    let facts = check(&workload, "workload/pod-without-controller")["notKnown"].to_string();
    assert!(facts.contains("pods is forbidden"), "{facts}");
    let facts = check(&workload, "workload/api-removed")["notKnown"].to_string();
    assert!(facts.contains("metrics are forbidden"), "{facts}");
}

#[test]
fn rejected_credentials_fail() {
    let world = world();
    world.server.answer("GET /api/v1/pods", 401, "expired");
    let Printed { code, out, err } =
        world.run(&["plan", "apps", "--shoot", "kubeconfig", "--no-config"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("does not accept the credentials"), "{err}");
}
