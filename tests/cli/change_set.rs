// SPDX-License-Identifier: Apache-2.0
//! The objects of a change in `garden-gate review`: copies, missing namespaces, templates, patches, several gardens.

use std::fs;

use crate::change::{Folder, garden, shoot};
use crate::command::{garden_gate, printed};
use rstest::rstest;
use serde_json::{Value, json};

/// Returns a Shoot without a namespace.
fn without_namespace(name: &str) -> String {
    let mut shoot: Value = serde_json::from_str(&shoot(name, "1.33.2")).unwrap();
    let metadata = shoot["metadata"].as_object_mut().unwrap();
    metadata.remove("namespace");
    shoot.to_string()
}

/// Returns a repository with one Shoot for two stages, both committed to `main`.
fn stages() -> Folder {
    let folder = Folder::new(&[
        ("prod/batch.yaml", &shoot("batch", "1.33.1")),
        ("canary/batch.yaml", &shoot("batch", "1.33.2")),
    ]);
    garden(&folder);
    folder.git(&["init", "-q"]);
    folder.commit();
    folder
}

#[test]
fn copies_without_a_change_are_unchanged() {
    let folder = stages();
    let reviewed = folder.review(&["--garden", "garden", "--git", "main"]);
    assert_eq!(reviewed.code, Some(0), "{}{}", reviewed.out, reviewed.err);
    assert!(reviewed.out.contains("left out: 2 objects are unchanged"), "{}", reviewed.out);
}

#[test]
fn copies_are_compared_with_their_own_files() {
    let folder = stages();
    let git = ["--garden", "garden", "--git", "main"];
    folder.write("prod/batch.yaml", &shoot("batch", "1.33.2"));
    assert_eq!(
        folder.verdicts(&git),
        [
            "UPDATE Shoot/batch allowed; Shoot `garden-dev/batch` is also in canary/batch.yaml:1, with the same content"
        ]
    );
    folder.git(&["mv", "prod/batch.yaml", "prod/moved.yaml"]);
    folder.write("prod/moved.yaml", &shoot("batch", "1.32.0"));
    let moved = folder.verdicts(&git);
    assert!(moved[0].starts_with("UPDATE Shoot/batch denied") && moved.len() == 1, "{moved:?}");
    folder.git(&["rm", "-qf", "prod/moved.yaml"]);
    let reviewed = folder.review(&git);
    assert_eq!(reviewed.code, Some(0), "{}", reviewed.err);
    let note = "note: Shoot `garden-dev/batch` is no longer in `prod/batch.yaml:1`, but still in `canary/batch.yaml:1`, so that is not a deletion";
    assert!(reviewed.err.contains(note), "{}", reviewed.err);
}

#[test]
fn copies_of_two_directories_are_compared_by_their_paths() {
    let folder = Folder::new(&[
        ("before/prod/a.yaml", &shoot("batch", "1.33.1")),
        ("before/canary/a.yaml", &shoot("batch", "1.33.2")),
        ("after/prod/a.yaml", &shoot("batch", "1.33.1")),
        ("after/canary/a.yaml", &shoot("batch", "1.33.1")),
    ]);
    garden(&folder);
    let verdicts = folder.verdicts(&["--garden", "garden", "--old", "before", "after"]);
    assert!(
        verdicts.len() == 1 && verdicts[0].starts_with("UPDATE Shoot/batch denied"),
        "{verdicts:?}"
    );
}

#[rstest]
#[case::two_files(&[("set/a.yaml", ""), ("set/b.yaml", "")], ["set/b.yaml:1", "set/a.yaml:1"])]
#[case::one_file(&[("set/a.yaml", "\n---\n")], ["set/a.yaml:3", "set/a.yaml:1"])]
fn copies_with_other_content_are_a_warning(
    #[case] files: &[(&str, &str)],
    #[case] named: [&str; 2],
) {
    let versions = ["1.33.2", "1.33.1"].map(|version| shoot("batch", version));
    let folder = Folder::new(&[]);
    match files {
        [(file, separator)] => folder.write(file, &versions.join(separator)),
        _ => {
            for ((file, _), text) in files.iter().zip(&versions) {
                folder.write(file, text);
            }
        }
    }
    garden(&folder);
    let reviewed = folder.review(&["--garden", "garden", "set"]);
    assert_eq!(reviewed.code, Some(0), "{}", reviewed.err);
    for place in named {
        let warning = format!(
            "warn[object/duplicate]: Shoot `garden-dev/batch` is also defined in {place}, with other content"
        );
        assert!(reviewed.out.contains(&warning), "{}", reviewed.out);
    }
    let strict = folder.review(&["--garden", "garden", "--fail-on", "warn", "set"]);
    assert_eq!(strict.code, Some(1));
}

#[test]
fn manifest_without_a_namespace_takes_that_of_the_command_line() {
    let folder = Folder::new(&[("a.yaml", &without_namespace("web"))]);
    garden(&folder);
    let arguments = ["--garden", "garden", "a.yaml"];
    let reviewed = folder.review(&arguments);
    assert_eq!(reviewed.code, Some(4), "{}", reviewed.out);
    assert_eq!(reviewed.out.matches("undetermined[").count(), 1, "{}", reviewed.out);
    assert!(reviewed.out.contains("--namespace NAME"), "{}", reviewed.out);
    let named = [&arguments[..], &["-n", "garden-dev"]].concat();
    assert_eq!(folder.verdicts(&named), ["UPDATE Shoot/web allowed"]);
}

#[test]
fn kustomize_patches_are_named_and_not_judged() {
    let patch = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": {"name": "batch"}, "spec": {"purpose": "testing"}});
    let directive = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": {"name": "batch", "namespace": "garden-dev"}, "$patch": "delete"});
    let folder = Folder::new(&[
        ("k/base/kustomization.yaml", "resources: [shoot.yaml]\n"),
        ("k/base/shoot.yaml", &shoot("batch", "1.33.2")),
        (
            "k/live/kustomization.yaml",
            "resources: [../base]\npatches:\n- path: ../patches/purpose.yaml\npatchesStrategicMerge: [delete.yaml]\n",
        ),
        ("k/live/delete.yaml", &patch.to_string()),
        ("k/live/part/kustomization.yaml", "resources: [listed.yaml]\n"),
        ("k/live/part/listed.yaml", &patch.to_string()),
        ("k/patches/purpose.yaml", &patch.to_string()),
        ("k/directive.yaml", &directive.to_string()),
    ]);
    garden(&folder);
    let reviewed = folder.review(&["--garden", "garden", "k"]);
    assert_eq!(reviewed.code, Some(0), "{}{}", reviewed.out, reviewed.err);
    for note in [
        "note: `k/patches/purpose.yaml` is a kustomize patch, not judged; review the output of `kustomize build k/live`",
        "note: `k/live/delete.yaml` is a kustomize patch, not judged; review the output of `kustomize build k/live`",
        "note: `k/live/part/listed.yaml` is part of an object and is completed by kustomize, not judged; review the output of `kustomize build k/live/part`",
        "note: `k/directive.yaml` is a strategic merge patch, not judged; review the patched object",
    ] {
        assert!(reviewed.err.contains(note), "{note}\n{}", reviewed.err);
    }
    assert_eq!(folder.verdicts(&["--garden", "garden", "k"]), ["CREATE Shoot/batch allowed"]);
    // Standard input is the output of kustomize.
    let mut built = garden_gate(&["review", "--no-config", "-n", "garden-dev", "-"]);
    built.current_dir(folder.path().join("k/live"));
    built.stdin(fs::File::open(folder.path().join("k/live/part/listed.yaml")).unwrap());
    let (code, out, _) = printed(built.output().unwrap());
    assert_eq!(code, Some(1), "{out}");
    let named = folder.review(&["--garden", "garden", "k/patches/purpose.yaml", "k/live"]);
    assert_eq!(named.code, Some(3), "{}", named.out);
}

#[test]
fn changed_patches_delete_nothing() {
    let patch = |purpose: &str| {
        json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": {"name": "batch"}, "spec": {"purpose": purpose}}).to_string()
    };
    let folder = Folder::new(&[
        ("k/kustomization.yaml", "resources: [shoot.yaml]\npatches:\n- path: purpose.yaml\n"),
        ("k/shoot.yaml", &shoot("batch", "1.33.2")),
        ("k/purpose.yaml", &patch("testing")),
    ]);
    folder.git(&["init", "-q"]);
    folder.commit();
    folder.write("k/purpose.yaml", &patch("evaluation"));
    let git = ["--no-config", "--git", "main", "k"];
    assert_eq!(folder.verdicts(&git), [""; 0]);
    folder.git(&["rm", "-qf", "k/purpose.yaml"]);
    folder.write("k/kustomization.yaml", "resources: [shoot.yaml]\n");
    assert_eq!(folder.verdicts(&git), [""; 0]);
}

#[rstest]
#[case::helm(
    "chart/templates/shoot.yaml",
    "{{- if .Values.shoot }}\nSHOOT\n{{- end }}\n",
    "is a Helm template, not judged; review the output of `helm template chart`"
)]
#[case::value(
    "shoots/a.yaml",
    "NAMED: \"{{ .Values.name }}\"",
    "is a template (`{{ }}`), not judged; render it and review the result"
)]
#[case::unquoted(
    "shoots/a.yaml",
    "kind: Shoot\napiVersion: core.gardener.cloud/v1beta1\nmetadata: {name: {{ .Values.name }}}\n",
    "is a template (`{{ }}`), not judged; render it and review the result"
)]
#[case::variable("shoots/a.yaml", "NAMED: ${NAME}", "has placeholders (`${NAME}`), not judged")]
fn templates_are_named_and_not_judged(#[case] file: &str, #[case] text: &str, #[case] note: &str) {
    let text = match text.strip_prefix("NAMED: ") {
        Some(name) => shoot(name.trim_matches('"'), "1.33.2"),
        None => text.replace("SHOOT", &shoot("a", "1.33.2")),
    };
    let folder = Folder::new(&[(file, &text), ("chart/Chart.yaml", "name: shoots\n")]);
    let directory = file.split('/').next().unwrap();
    for path in [directory, file] {
        let reviewed = folder.review(&["--no-config", path]);
        assert_eq!(reviewed.code, Some(3), "{}", reviewed.out);
        let line = format!("note: `{file}` {note}");
        assert!(reviewed.err.contains(&line), "{}", reviewed.err);
    }
    for format in ["markdown", "github"] {
        let reviewed = folder.review(&["--no-config", "--format", format, directory]);
        assert!(reviewed.out.contains("1 file is a template or patch"), "{}", reviewed.out);
    }
}

#[test]
fn prose_with_the_signs_of_templates_is_judged() {
    let project = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project", "metadata": {"name": "a", "annotations": {"alert": "{{ $labels.x }}"}}, "spec": {"namespace": "garden-a"}});
    let folder = Folder::new(&[("a.yaml", &project.to_string())]);
    let verdicts = folder.verdicts(&["--no-config", "a.yaml"]);
    assert!(verdicts[0].starts_with("CREATE Project/a"), "{verdicts:?}");
}

#[test]
fn arrays_and_lists_of_objects_are_judged() {
    let [a, b] = ["a", "b"].map(|name| shoot(name, "1.33.2"));
    let folder = Folder::new(&[
        ("array.json", &format!("[{a}, {b}]")),
        (
            "list.json",
            &format!("[{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{b}]}}]"),
        ),
    ]);
    garden(&folder);
    let array = folder.verdicts(&["--garden", "garden", "array.json"]);
    assert_eq!(array, ["CREATE Shoot/a allowed", "CREATE Shoot/b allowed"]);
    let list = folder.verdicts(&["--garden", "garden", "list.json"]);
    assert_eq!(list, ["CREATE Shoot/b allowed"]);
}

#[rstest]
#[case::group(
    "core.gardener.cloud/v1beta1",
    "garden.sapcloud.io/v1beta1",
    "the API version `garden.sapcloud.io/v1beta1` of Shoot was removed from Gardener"
)]
#[case::version(
    "core.gardener.cloud/v1beta1",
    "core.gardener.cloud/v1alpha1",
    "the API version `core.gardener.cloud/v1alpha1` of Shoot was removed from Gardener"
)]
#[case::kind("\"Shoot\"", "\"shoot\"", "unknown kind `shoot`; did you mean `Shoot`?")]
fn unknown_kind_is_the_only_refusal(#[case] from: &str, #[case] to: &str, #[case] says: &str) {
    let text = shoot("a", "1.20.0").replace(from, to);
    let folder = Folder::new(&[("a.yaml", &text)]);
    garden(&folder);
    let reviewed = folder.review(&["--garden", "garden", "a.yaml"]);
    assert_eq!(reviewed.code, Some(1), "{}", reviewed.out);
    assert_eq!(reviewed.out.matches("deny[").count(), 1, "{}", reviewed.out);
    assert!(
        reviewed.out.contains(&format!("deny[object/unknown-kind]: {says}\n")),
        "{}",
        reviewed.out
    );
}

#[test]
fn garden_directory_inside_of_the_reviewed_one_is_left_out() {
    let folder = Folder::new(&[("a.yaml", &shoot("a", "1.33.2"))]);
    garden(&folder);
    for path in [&[][..], &["."]] {
        let arguments = [&["--garden", "garden"], path].concat();
        let reviewed = folder.review(&arguments);
        let note = "note: `garden` is a garden directory, and is not reviewed; name it as a path to review it\n";
        assert_eq!((reviewed.code, reviewed.err.as_str()), (Some(0), note));
        assert_eq!(folder.verdicts(&arguments), ["CREATE Shoot/a allowed"]);
    }
    let named = folder.verdicts(&["--garden", "garden", "garden/shoot.yaml"]);
    assert_eq!(named, ["UPDATE Shoot/web allowed"]);
}

#[test]
fn several_gardens_are_judged_one_after_the_other() {
    let folder = Folder::new(&[("a.yaml", &shoot("web", "1.33.1"))]);
    garden(&folder);
    for name in ["none.yaml", "project.yaml", "profile.yaml"] {
        let text = fs::read_to_string(folder.path().join("garden").join(name)).unwrap();
        folder.write(&format!("qa/{name}"), &text);
    }
    folder.write("qa/shoot.yaml", &shoot("web", "1.33.2"));
    let arguments = ["--garden", "garden", "--garden", "qa", "a.yaml"];
    let reviewed = folder.review(&arguments);
    assert_eq!(reviewed.code, Some(1), "{}", reviewed.err);
    for line in [
        "UPDATE of Shoot garden-dev/web (garden garden) (from garden): allowed",
        "UPDATE of Shoot garden-dev/web (garden qa) (from qa): denied",
    ] {
        assert!(reviewed.out.contains(line), "{}", reviewed.out);
    }
    let concise = folder.review(&[&arguments[..], &["--format", "concise"]].concat()).out;
    let refused = concise.lines().find(|it| it.contains(": deny ")).unwrap();
    assert!(refused.ends_with(" (garden qa)"), "{concise}");
    let json = folder.review(&[&arguments[..], &["--format", "json"]].concat()).json();
    assert_eq!([&json["reviews"][0]["garden"], &json["reviews"][1]["garden"]], ["garden", "qa"]);
    let fixed = folder.review(&[&arguments[..], &["--fix"]].concat());
    assert_eq!(fixed.code, Some(2), "{}", fixed.out);
}

/// Returns a ConfigMap with an audit policy whose rule has this level.
fn audit_policy(level: &str) -> String {
    let policy = format!("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: {level}\n");
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "audit", "namespace": "garden-dev"},
        "data": {"policy": policy},
    })
    .to_string()
}

/// A policy in the garden, one in the change, the exit code, and part of the output.
#[rstest]
#[case::nowhere(
    None,
    None,
    0,
    "spec.kubernetes.kubeAPIServer.auditConfig: whether gardener-admission-controller accepts the audit policy"
)]
#[case::garden(
    Some("Nothing"),
    None,
    1,
    "`Nothing` is not a level, at 4:10 of `policy` in ConfigMap"
)]
#[case::change(
    None,
    Some("Nothing"),
    1,
    "`Nothing` is not a level, at 4:10 of `policy` in ConfigMap"
)]
#[case::corrected(Some("Nothing"), Some("Metadata"), 0, "allowed")]
fn audit_policy_of_the_change_counts(
    #[case] stored: Option<&str>,
    #[case] changed: Option<&str>,
    #[case] code: i32,
    #[case] expected: &str,
) {
    let mut web: Value = serde_json::from_str(&shoot("web", "1.33.2")).unwrap();
    let reference = json!({"auditPolicy": {"configMapRef": {"name": "audit"}}});
    web["spec"]["kubernetes"]["kubeAPIServer"]["auditConfig"] = reference;
    let folder = Folder::new(&[("set/web.yaml", &web.to_string())]);
    garden(&folder);
    let webhooks = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "gardener-admission-controller"},
        "webhooks": [{"name": "audit-policies.gardener.cloud"}],
    });
    folder.write("garden/webhooks.yaml", &webhooks.to_string());
    for (file, level) in [("garden/audit.yaml", stored), ("set/audit.yaml", changed)] {
        if let Some(level) = level {
            folder.write(file, &audit_policy(level));
        }
    }
    let reviewed = folder.review(&["--garden", "garden", "set"]);
    assert_eq!(reviewed.code, Some(code), "{}{}", reviewed.out, reviewed.err);
    assert!(reviewed.out.contains(expected), "{}", reviewed.out);
}
