// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate plan --workload` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};

const PROFILE: &str = r"
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: stratus}
spec:
  type: aws
  kubernetes: {versions: [{version: 1.35.2}, {version: 1.34.1}]}
  machineImages: [{name: linux, versions: [{version: 1.0.0, cri: [{name: containerd}], architectures: [amd64]}]}]
  machineTypes:
  - {name: small, cpu: '2', gpu: '0', memory: 8Gi, architecture: amd64}
  regions: [{name: north, zones: [{name: x}, {name: 'y'}]}]
";

const BUDGETS: &str = r"
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec:
  maxUnavailable: 0
  selector: {matchLabels: {app: web}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: api, namespace: shop}
spec:
  maxUnavailable: 0
  selector: {matchLabels: {app: api}}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: old, namespace: shop}
spec:
  maxUnavailable: 1
  selector: {matchLabels: {app: train}}
";

const CONTROLLERS: &str = r"
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  template:
    metadata: {labels: {app: web}}
    spec: {volumes: [{name: tmp, emptyDir: {}}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: train, namespace: shop}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: train}}
    spec: {nodeSelector: {worker.gardener.cloud/pool: gpu}}
";

fn pool(name: &str, zone: &str) -> Value {
    json!({
        "name": name,
        "machine": {"type": "small", "image": {"name": "linux", "version": "1.0.0"}, "architecture": "amd64"},
        "cri": {"name": "containerd"},
        "minimum": 1, "maximum": 1, "maxSurge": 1, "maxUnavailable": 0,
        "zones": [zone],
    })
}

fn shoot(name: &str, pools: &[Value]) -> String {
    let shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-dev"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "stratus"},
            "region": "north",
            "credentialsBindingName": "account",
            "kubernetes": {"version": "1.34.1"},
            "networking": {"type": "calico"},
            "provider": {"type": "aws", "workers": pools},
        },
    });
    serde_json::to_string_pretty(&shoot).unwrap()
}

/// Returns a folder with the removal of pool `gpu`, and with workload.
fn removal(workload: &[(&str, &str)]) -> TempDir {
    let (web, gpu) = (pool("web", "x"), pool("gpu", "y"));
    let folder = folder(&[
        ("garden/profile.yaml", PROFILE),
        ("old/shoot.json", &shoot("web", &[web.clone(), gpu])),
        ("new/shoot.json", &shoot("web", &[web])),
        ("apps/.keep", ""),
    ]);
    for (name, text) in workload {
        write(folder.path(), &format!("apps/{name}"), text);
    }
    folder
}

fn plan(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["plan", "new", "--old", "old", "--garden", "garden"]);
    command.args(["--no-config", "--at", "2026-12-01T00:00:00Z"]).args(arguments);
    printed(command.current_dir(folder.path()).output().unwrap())
}

fn json_of(folder: &TempDir) -> (Option<i32>, Value) {
    let (code, out, err) = plan(folder, &["--workload", "apps", "--format", "json"]);
    let value: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    (code, value["workload"].clone())
}

#[rstest]
#[case::text("text", "\nWorkload: 4 must act, 2 warn, ")]
#[case::json("json", "\"mustAct\": 4,")]
#[case::markdown("markdown", "\n**Workload**: 4 must act, 2 warn, ")]
fn every_format_has_the_results(#[case] format: &str, #[case] expected: &str) {
    let folder = removal(&[("budgets.yaml", BUDGETS), ("controllers.yaml", CONTROLLERS)]);
    let (code, out, err) = plan(&folder, &["--workload", "apps", "--format", format]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains(expected), "{out}");
}

#[test]
fn results_follow_from_the_change_of_the_shoot() {
    let folder = removal(&[("budgets.yaml", BUDGETS), ("controllers.yaml", CONTROLLERS)]);
    let (_, workload) = json_of(&folder);
    let checks = workload["checks"].as_array().unwrap().iter();
    let problems = checks.flat_map(|it| it["problems"].as_array().unwrap());
    let errors = problems.filter(|it| it["severity"] == "error");
    let errors: Vec<(&str, &str)> =
        errors.map(|it| (it["finding"].as_str().unwrap(), it["name"].as_str().unwrap())).collect();
    assert_eq!(
        errors,
        [
            ("workload/disruption-budget-blocks", "api"),
            ("workload/disruption-budget-blocks", "web"),
            ("workload/node-selector-unsatisfied", "train"),
            ("workload/api-removed", "old"),
        ]
    );
}

#[test]
fn output_without_workload_has_no_section() {
    let folder = removal(&[("budgets.yaml", BUDGETS)]);
    let (_, out, _) = plan(&folder, &["--format", "json"]);
    assert!(!out.contains("\"workload\""), "{out}");
}

#[rstest]
#[case::nothing("", "not a document")]
#[case::no_yaml("a: [", "apps/x.yaml")]
#[case::mistyped("apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: [b]}\n", "apps/x.yaml")]
fn unreadable_input_is_undetermined(#[case] text: &str, #[case] place: &str) {
    let folder = removal(&[("x.yaml", text)]);
    let (code, workload) = json_of(&folder);
    assert_eq!(code, Some(4), "{workload}");
    let unread = workload["unread"].as_array().unwrap();
    let is_named = |it: &Value| it["place"].as_str().unwrap().starts_with(place);
    assert_eq!(unread.iter().any(is_named), !text.is_empty(), "{workload}");
}

#[test]
fn ignored_files_and_links_out_of_the_directory_are_not_read() {
    let folder = removal(&[("controllers.yaml", CONTROLLERS), (".gitignore", "generated/\n")]);
    write(folder.path(), "apps/generated/budgets.yaml", BUDGETS);
    write(folder.path(), "elsewhere/budgets.yaml", BUDGETS);
    let (code, workload) = json_of(&folder);
    assert_eq!((code, &workload["mustAct"]), (Some(0), &json!(1)), "{workload}");
    std::os::unix::fs::symlink("../elsewhere", folder.path().join("apps/link")).unwrap();
    let (code, workload) = json_of(&folder);
    assert_eq!((code, &workload["mustAct"]), (Some(4), &json!(1)), "{workload}");
}

#[test]
fn names_are_escaped() {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a\u{1b}[31m\n::error::x", "namespace": "<b>|`"}});
    let folder = removal(&[("pod.json", &pod.to_string())]);
    for format in ["text", "markdown"] {
        let (_, out, _) = plan(&folder, &["--workload", "apps", "--format", format]);
        assert!(out.contains("error::x"), "{out}");
        assert!(!out.contains('\u{1b}') && !out.contains("\n::"), "{out}");
    }
}

#[test]
fn workload_of_one_of_several_shoots_is_not_known() {
    let folder = removal(&[("controllers.yaml", CONTROLLERS)]);
    write(folder.path(), "new/other.json", &shoot("other", &[pool("web", "x")]));
    let (code, workload) = json_of(&folder);
    assert_eq!(code, Some(4));
    let facts = workload.to_string();
    assert!(facts.contains("2 Shoots change"), "{facts}");
}

#[test]
fn workload_alone_is_checked() {
    let folder = removal(&[("budgets.yaml", BUDGETS)]);
    let mut command = garden_gate(&["plan", "apps", "--workload", "apps", "--no-config"]);
    let (code, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    assert_eq!(code, Some(4), "{out}{err}");
    assert!(out.contains("2 must act") && out.contains("no Shoot changes"), "{out}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = removal(&[]);
    let mut command = garden_gate(&["plan", "-", "--workload", "-", "--no-config"]);
    let (code, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("standard input has either"), "{err}");
}

#[test]
fn missing_path_fails() {
    let (code, out, err) = plan(&removal(&[]), &["--workload", "none"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("none: there is no such file"), "{err}");
}

#[test]
fn same_results_of_many_objects_are_one_entry() {
    let pods = (0..1_000).map(|index| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p{index:04}, namespace: shop}}\n---\n"
        )
    });
    let folder = removal(&[("pods.yaml", &pods.collect::<String>())]);
    let (code, out, _) = plan(&folder, &["--workload", "apps"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("Pod shop/p0000, Pod shop/p0001, Pod shop/p0002 and 997 more"), "{out}");
    assert!(out.len() < 5_000, "{out}");
}

#[rstest]
#[case::no_old_state(&[])]
#[case::garden_without_shoots(&["--garden", "garden"])]
fn unknown_old_state_is_not_known(#[case] garden: &[&str]) {
    let volume = r"
apiVersion: v1
kind: PersistentVolume
metadata: {name: data}
spec:
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: ['y']}]}]}}
";
    let files =
        [("budgets.yaml", BUDGETS), ("controllers.yaml", CONTROLLERS), ("volume.yaml", volume)];
    let folder = removal(&files);
    let mut command = garden_gate(&["plan", "new", "--no-config", "--workload", "apps"]);
    command.args(["--format", "json", "--at", "2026-12-01T00:00:00Z"]).args(garden);
    let (code, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    let plan: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    assert_eq!(code, Some(4), "{out}");
    let workload = &plan["workload"];
    assert_eq!(workload["notNeeded"], json!([]), "{workload}");
    for rule in ["node-selector-unsatisfied", "volume-in-removed-zone", "api-removed"] {
        let checks = workload["checks"].as_array().unwrap();
        let rule = format!("workload/{rule}");
        let check = checks.iter().find(|it| it["rule"] == *rule).unwrap();
        assert_eq!((&check["passed"], &check["problems"]), (&json!(0), &json!([])), "{check}");
        assert!(check.to_string().contains("the Shoot before the change is not known"), "{check}");
    }
}

#[test]
fn new_shoot_drains_nothing() {
    let folder = removal(&[("budgets.yaml", BUDGETS)]);
    std::fs::remove_file(folder.path().join("old/shoot.json")).unwrap();
    write(folder.path(), "old/.keep", "");
    let mut command = garden_gate(&["plan", "new", "--old", "old", "--no-config"]);
    command.args(["--workload", "apps", "--format", "json"]);
    let (_, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    let plan: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    assert_eq!(plan["workload"]["notNeeded"].as_array().unwrap().len(), 5, "{out}");
}

#[rstest]
#[case::of_the_shoot(&["--old", "old", "--shoot", "kubeconfig"])]
#[case::of_the_garden(&["--live", "--kubeconfig", "kubeconfig"])]
fn kubeconfig_is_not_overwritten(#[case] arguments: &[&str]) {
    let kubeconfig = r"
apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: 'http://127.0.0.1:9'}}]
contexts: [{name: a, context: {cluster: a, user: a}}]
users: [{name: a, user: {}}]
current-context: a
";
    let folder = removal(&[]);
    write(folder.path(), "kubeconfig", kubeconfig);
    let mut command = garden_gate(&["plan", "new", "--no-config", "--format", "json=kubeconfig"]);
    command.args(arguments);
    let (code, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("`kubeconfig` is an input of this command"), "{err}");
    assert_eq!(std::fs::read_to_string(folder.path().join("kubeconfig")).unwrap(), kubeconfig);
}
