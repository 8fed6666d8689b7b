// SPDX-License-Identifier: Apache-2.0
//! Long lists in a request: the output grows at most linearly, and sizes beyond any need are refused.

use garden_gate_core::admission::{Review, Verdict};
use garden_gate_core::config::Profile;
use garden_gate_model::api::{CloudProfileSpec, Shoot};
use garden_gate_model::gardener::version::maintenance::{Targets, run};
use serde_json::{Value, json};

use crate::judging::Setup;

fn setup() -> Setup {
    let mut setup = Setup::with_project(Some(json!({"whitelist": [{"key": "allowed"}]})));
    setup.config.profile = Profile::Documented;
    setup
}

/// Returns an UPDATE of an object in namespace `garden-p`.
fn update(resource: &str, new: &Value, old: &Value) -> Value {
    let resource =
        json!({"group": "core.gardener.cloud", "version": "v1beta1", "resource": resource});
    json!({"resource": resource, "namespace": "garden-p", "operation": "UPDATE", "object": new, "oldObject": old})
}

fn shoot(spec: Value) -> Value {
    let mut shoot = json!({"metadata": {"name": "s", "namespace": "garden-p"}, "spec": spec});
    shoot["spec"]["kubernetes"] = json!({"version": "1.33.1"});
    shoot
}

/// Returns pools with many errors: downgrades, skipped versions, changed strategies, and forbidden values.
fn pools(count: usize) -> Value {
    let pool = |version: &str, strategy: &str| {
        let pool = |number| {
            json!({
                "name": format!("pool-{number}"), "maxSurge": "x", "maxUnavailable": -1, "updateStrategy": strategy,
                "kubernetes": {"version": version}, "machine": {"type": "large"}, "machineControllerManager": {"maxEvictRetries": -1},
                "taints": [{"key": "node.gardener.cloud/critical-components-not-ready"}],
            })
        };
        let workers: Vec<Value> = (0..count).map(pool).collect();
        shoot(json!({"provider": {"workers": workers}}))
    };
    let (new, old) = (pool("1.25.0", "ManualInPlaceUpdate"), pool("1.30.0", "AutoRollingUpdate"));
    update("shoots", &new, &old)
}

fn tolerations(count: usize) -> Value {
    let tolerations = |value: &str| {
        let toleration = |number| json!({"key": format!("key-{number}"), "value": value});
        let tolerations: Vec<Value> = (0..count).map(toleration).collect();
        shoot(json!({"tolerations": tolerations}))
    };
    update("shoots", &tolerations("b"), &tolerations("a"))
}

/// Returns operations that name pools, and pools that are updated in place.
fn operations(count: usize) -> Value {
    let names: Vec<String> = (0..count).map(|number| format!("p{number}")).collect();
    let workers =
        names.iter().map(|name| json!({"name": name, "updateStrategy": "AutoInPlaceUpdate"}));
    let object = shoot(json!({"provider": {"workers": workers.collect::<Vec<_>>()}}));
    let mut new = object.clone();
    let each = names.iter().map(|name| format!("rollout-workers={name},*"));
    let operations: Vec<String> = each.collect();
    new["metadata"]["annotations"] = json!({"gardener.cloud/operation": operations.join(";")});
    update("shoots", &new, &object)
}

fn whitelist(count: usize) -> Value {
    let list = |name: &str| -> Vec<Value> {
        let toleration = |number| json!({"key": format!("{name}-{number}")});
        (0..count).map(toleration).collect()
    };
    let spec = json!({"tolerations": {"defaults": list("default"), "whitelist": list("allowed")}});
    let project = json!({"metadata": {"name": "p"}, "spec": spec});
    update("projects", &project, &project)
}

fn webhooks(count: usize) -> Value {
    let webhook = |number| json!({"name": format!("w{number}"), "rules": [{"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*/*"]}]});
    let webhooks: Vec<Value> = (0..count).map(webhook).collect();
    let object = json!({"metadata": {"name": "c"}, "webhooks": webhooks});
    let resource = json!({"group": "admissionregistration.k8s.io", "version": "v1", "resource": "validatingwebhookconfigurations"});
    json!({"resource": resource, "operation": "CREATE", "object": object})
}

/// Returns the size of a review in bytes.
fn said(review: &Review) -> usize {
    let findings = serde_json::to_string(&review.findings).unwrap().len();
    findings + serde_json::to_string(&review.undetermined).unwrap().len()
}

#[test]
fn four_times_the_list_is_not_said_more_than_four_times_as_long() {
    let setup = setup();
    for (name, request) in [
        ("pools", pools as fn(usize) -> Value),
        ("tolerations", tolerations),
        ("operations", operations),
        ("whitelist", whitelist),
        ("webhooks", webhooks),
    ] {
        let [some, more] = [40, 160].map(|count| setup.review(&request(count)));
        assert_eq!(some.verdict(), more.verdict(), "{name}");
        assert!(!some.findings.is_empty(), "{name}");
        // Names and numbers get longer.
        assert!(said(&more) <= 5 * said(&some), "{name}");
    }
}

#[test]
fn thousands_of_offences_of_a_kind_are_counted() {
    let review = setup().review(&tolerations(5_000));
    assert_eq!(review.verdict(), Verdict::Denied);
    assert_eq!(review.findings.len(), 201);
    let all = "there are 5000 of these; only the first 200 are listed";
    assert_eq!(review.findings[0].message, all);
    assert_eq!(review.findings[0].finding, "shoot/toleration-not-whitelisted");
}

#[test]
fn what_no_object_needs_is_refused_while_it_is_read() {
    let mut many = shoot(json!({"provider": {"workers": vec![json!({}); 10_001]}}));
    let few = shoot(json!({}));
    let long = shoot(json!({}));
    let refused = |new: &Value, old: &Value, field: &str, why: &str| {
        let review = setup().review(&update("shoots", new, old));
        let [finding] = &review.findings[..] else {
            panic!("{:?}", review.findings);
        };
        assert_eq!((finding.finding, finding.field.as_str()), ("object/undecodable", field));
        assert!(finding.message.ends_with(why), "{}", finding.message);
    };
    let why = "the list has more than 10000 elements, more than any object needs";
    refused(&many, &few, "spec.provider.workers", why);
    refused(&few, &many, "spec.provider.workers", why);
    many["spec"]["provider"]["workers"].as_array_mut().unwrap().pop();
    let read = setup().review(&update("shoots", &many, &few));
    assert!(read.findings.iter().all(|it| it.finding != "object/undecodable"));
    let mut long = long;
    long["spec"]["kubernetes"]["version"] = json!("1".repeat(1025));
    let why = "the text has more than 1024 bytes, more than any object needs";
    refused(&long, &few, "spec.kubernetes.version", why);
}

#[test]
fn a_single_version_goes_where_a_whole_run_takes_it() {
    let image = |version: &str| json!({"version": version, "architectures": ["amd64"], "cri": [{"name": "containerd"}], "expirationDate": (version == "1.0.0").then_some("2020-01-01T00:00:00Z")});
    let spec: CloudProfileSpec = serde_json::from_value(json!({
        "kubernetes": {"versions": [{"version": "1.31.1", "expirationDate": "2020-01-01T00:00:00Z"}, {"version": "1.31.2"}, {"version": "1.32.0"}]},
        "machineImages": [{"name": "i", "updateStrategy": "major", "versions": [image("1.0.0"), image("1.1.0")]}],
        "machineTypes": [{"name": "large"}],
    }))
    .unwrap();
    let pool = |name: &str, kind: &str, own: Option<&str>| json!({"name": name, "kubernetes": {"version": own}, "machine": {"type": kind, "image": {"name": "i", "version": "1.0.0"}}});
    let workers = [
        pool("a", "large", None),
        pool("b", "large", Some("1.31.1")),
        pool("c", "unknown", None),
        pool("d", "large", Some("1.30.0")),
    ];
    let shoot: Shoot =
        serde_json::from_value(shoot(json!({"provider": {"workers": workers}}))).unwrap();
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let (whole, targets) = (run(&shoot, &spec, now), Targets::of(&shoot, &spec));
    assert!(whole.changes());
    assert_eq!(whole.kubernetes, targets.control_plane(now));
    for (index, pool) in whole.pools.iter().enumerate() {
        let single = targets.pool(index, now);
        assert_eq!(pool.kubernetes, single, "{}", pool.name);
        let target = |image: Option<&_>| {
            let image: Option<&garden_gate_model::gardener::version::maintenance::Outcome> = image;
            let updated = image.filter(|image| image.is_updated());
            updated.map(|image| image.after().to_owned())
        };
        let single = targets.image(index, now);
        assert_eq!(target(pool.image.as_ref()), target(single.as_ref()), "{}", pool.name);
    }
}
