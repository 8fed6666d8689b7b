// SPDX-License-Identifier: Apache-2.0
//! Differences between a live garden and applied manifests.

use std::fs;

use serde_json::json;

use super::{Printed, World, documents};

const GIVEN: &str = "version: 1.34.6 # pinned";

/// Returns the Shoot `web` in a file, older than that in the cluster.
fn behind() -> String {
    let shoots = fs::read_to_string("examples/garden/shoots.yaml").unwrap();
    let web = shoots.split("---\n").next().unwrap();
    web.replace("version: 1.34.7", GIVEN)
}

#[test]
fn drift_of_a_cluster_is_reported_and_written_back() {
    let world = World::new(&[("web.yaml", &behind())]);
    let drift = &world.reviews(&["web.yaml"])[0]["drift"];
    let expected = json!([{
        "pointer": "/spec/kubernetes/version", "field": "spec.kubernetes.version", "line": 15, "column": 14,
        "file": "1.34.6", "stored": "1.34.7", "changed": "unknown", "behind": true,
    }]);
    assert_eq!(drift, &expected);
    let Printed { code, out, err } = world.review(&["--fix", "web.yaml"]);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(err.contains("fixed: web.yaml:15: 1.34.6 → 1.34.7\n"), "{err}");
    let path = world.folder.path().join("web.yaml");
    let fixed = fs::read_to_string(&path).unwrap();
    assert_eq!(fixed, behind().replace(GIVEN, "version: 1.34.7 # pinned"));
    assert_eq!(documents(&path)[0]["spec"]["kubernetes"]["version"], "1.34.7");
    let again = world.reviews(&["web.yaml"]);
    assert!(again[0].get("drift").is_none(), "{again:?}");
    let asked = world.server.asked();
    assert!(asked.iter().all(|it| it.starts_with("GET ")), "{asked:?}");
}

#[test]
fn change_from_git_reports_drift_of_the_cluster() {
    let now = behind().replace("maximum: 3", "maximum: 4");
    let world = World::new(&[("old/web.yaml", &behind()), ("new/web.yaml", &now)]);
    let drift = &world.reviews(&["--old", "old", "new"])[0]["drift"];
    assert_eq!(drift[0]["field"], "spec.kubernetes.version");
    assert_eq!(drift[0]["changed"], "garden");
    assert_eq!(drift.as_array().unwrap().len(), 1);
}
