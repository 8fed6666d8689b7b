// SPDX-License-Identifier: Apache-2.0
//! `garden-gate audit --live`.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Value, json};

use crate::live::{Printed, World, objects};

fn world() -> World {
    let world = World::new(&[]);
    world.server.hold(&objects("examples/audit"));
    world
}

impl World {
    fn audit(&self, arguments: &[&str]) -> Printed {
        let live = ["audit", "--live", "--kubeconfig", "kubeconfig"];
        let at = ["--at", "2026-12-10T00:00:00Z"];
        self.run(&[&live[..], &at, arguments].concat())
    }

    fn audited(&self, arguments: &[&str]) -> Value {
        let Printed { out, err, .. } = self.audit(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"))
    }
}

fn findings(report: &Value, name: &str) -> Vec<String> {
    let reviews = report["reviews"].as_array().unwrap();
    let object = reviews.iter().find(|it| it["name"] == name);
    let findings = object.map(|it| it["findings"].as_array().unwrap().iter()).into_iter().flatten();
    let ids = findings.map(|it| it["finding"].as_str().unwrap().to_owned());
    ids.collect()
}

#[test]
fn what_is_stored_is_audited_page_by_page() {
    let world = world();
    world.server.script().page = 2;
    let report = world.audited(&[]);
    assert_eq!(report["audit"]["objects"]["Shoot"], 7, "{report}");
    let staging = findings(&report, "staging");
    assert!(staging.contains(&"audit/hibernation-impossible".to_owned()), "{staging:?}");
    let reviews = report["reviews"].as_array().unwrap();
    let staging = reviews.iter().find(|it| it["name"] == "staging").unwrap();
    let path = "apis/core.gardener.cloud/v1beta1/namespaces/garden-shop/shoots/staging";
    assert_eq!(staging["file"], path);
}

#[test]
fn pages_that_expire_are_read_again_and_counted_once() {
    let world = world();
    world.server.script().page = 2;
    let whole = world.audited(&[]);
    world.server.script().expired = 2;
    let report = world.audited(&[]);
    assert_eq!(report["audit"]["objects"], whole["audit"]["objects"]);
}

#[test]
fn a_member_of_a_project_audits_that() {
    let world = world();
    let refused = |path: &str| (path.to_owned(), (403, "no".to_owned(), json!({})));
    let everywhere = ["shoots", "namespacedcloudprofiles", "secretbindings", "quotas", "projects"];
    let paths = everywhere.map(|plural| refused(&format!("GET /{plural}")));
    world.server.script().answers.extend(paths);
    let report = world.audited(&["--project", "shop"]);
    let names: Vec<&str> = report["reviews"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"legacy") && names.contains(&"staging"), "{names:?}");
    assert!(!names.contains(&"lake"), "{names:?}");
}

#[test]
fn a_kind_that_may_not_be_listed_is_named_and_the_others_are_audited() {
    let world = world();
    let refused = (403, "no".to_owned(), json!({}));
    world.server.script().answers.insert("GET /quotas".to_owned(), refused);
    let Printed { code, err, out } = world.audit(&[]);
    assert!(err.contains("left out of the audit: failed to list quotas"), "{err}");
    assert!(out.contains("audit/whitelist-entry-unused"), "{out}");
    assert_eq!(code, Some(1), "{out}");
}

#[test]
fn an_api_server_that_is_not_there_is_an_error() {
    let world = world();
    let Printed { code, err, .. } = world.run(&["audit", "--live", "--kubeconfig", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("nowhere"), "{err}");
}

/// Returns verdict, findings and undetermined checks of each object that has one.
fn judged(printed: &Printed) -> BTreeMap<String, [Value; 3]> {
    let report: Value = serde_json::from_str(&printed.out).unwrap();
    let reviews = report["reviews"].as_array().unwrap().iter();
    let judged = reviews.map(|it| {
        let [kind, namespace, name] = ["kind", "namespace", "name"].map(|part| &it[part]);
        let mut findings = it["findings"].clone();
        for finding in findings.as_array_mut().unwrap() {
            let finding = finding.as_object_mut().unwrap();
            finding.retain(|field, _| !["line", "column", "span"].contains(&field.as_str()));
        }
        let parts = [&it["verdict"], &findings, &it["undetermined"]].map(Value::clone);
        (format!("{kind} {namespace} {name}"), parts)
    });
    judged.collect()
}

/// Extensions refuse objects there because the garden has their webhook configurations.
#[test]
fn audit_of_a_dump_is_that_of_the_garden() {
    let world = World::landscape();
    let at = ["--at", "2026-11-30T08:00:00Z", "--format", "json"];
    let live = ["audit", "--live", "--kubeconfig", "kubeconfig"];
    let live = judged(&world.run(&[&live[..], &at].concat()));
    assert!(live.len() > 10, "{live:?}");
    let dump = world.run(&["dump", "dump", "--kubeconfig", "kubeconfig"]);
    assert_eq!((dump.code, dump.err.as_str()), (Some(0), ""));
    let of_dump = ["audit", "--garden", "dump"];
    let of_dump = judged(&world.run(&[&of_dump[..], &at].concat()));
    assert_eq!(of_dump, live);
}

/// The Shoot lacks what the admission component of its provider requires.
#[rstest]
#[case::audit("audit", "(openstack/config-missing)")]
#[case::forecast("forecast", "blocked by openstack/config-missing")]
fn findings_of_a_registered_extension_refuse(#[case] command: &str, #[case] expected: &str) {
    let world = World::landscape();
    let mut shoots = objects("examples/landscape/garden");
    shoots.retain(|it| it["kind"] == "Shoot");
    for shoot in &mut shoots {
        let provider = shoot["spec"]["provider"].as_object_mut().unwrap();
        if provider["type"] == "openstack" {
            provider.remove("controlPlaneConfig");
        }
    }
    world.server.replace(&shoots);
    let live = [command, "--live", "--kubeconfig", "kubeconfig"];
    let at = ["--at", "2026-11-30T08:00:00Z", "--project", "data"];
    let Printed { out, err, .. } = world.run(&[&live[..], &at].concat());
    assert!(out.contains(expected), "{out}{err}");
}
