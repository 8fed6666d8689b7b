// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review --gardenadm`: the directory of `gardenadm init` is judged as a whole.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

const FILES: [&str; 4] = ["cloudprofile.yaml", "extensions.yaml", "project.yaml", "shoot.yaml"];

/// Returns a file of the example.
fn example(name: &str) -> String {
    fs::read_to_string(format!("examples/gardenadm/{name}")).unwrap()
}

/// Returns a copy of the example, with other files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = folder(&[]);
    for name in FILES {
        write(directory.path(), name, &example(name));
    }
    for (name, text) in files {
        write(directory.path(), name, text);
    }
    directory
}

fn review(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["review", "--gardenadm", "--at", "2026-12-01"]);
    printed(command.args(arguments).current_dir(directory).output().unwrap())
}

/// Returns the exit code, and the file, line and text of each finding or error.
fn lines(directory: &Path) -> (Option<i32>, Vec<String>) {
    let (code, out, err) = review(directory, &["--format", "json"]);
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    let mut lines = Vec::new();
    for object in json["reviews"].as_array().unwrap() {
        let file = object["file"].as_str().unwrap();
        let lists = ["findings", "undetermined"].map(|it| object[it].as_array());
        let error = Some(&object["error"]).filter(|it| it.is_object());
        for it in lists.into_iter().flatten().flatten().chain(error) {
            let id = it["finding"].as_str().or(it["rule"].as_str()).unwrap_or("error");
            lines.push(format!("{file}:{} {id}: {}", it["line"], it["message"].as_str().unwrap()));
        }
    }
    (code, lines)
}

#[test]
fn example_is_accepted_without_remarks() {
    let (code, out, err) = review(Path::new("."), &["--verbose", "examples/gardenadm"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    insta::assert_snapshot!("example", out);
}

#[test]
fn every_file_of_the_example_is_needed() {
    for name in FILES {
        let directory = directory(&[]);
        fs::remove_file(directory.path().join(name)).unwrap();
        let (code, lines) = lines(directory.path());
        assert_eq!(code, Some(1), "{name}: {lines:?}");
        insta::assert_snapshot!(format!("without_{}", &name[..name.len() - 5]), lines.join("\n"));
    }
}

#[test]
fn dropped_fields_and_contradictions_are_refused() {
    let shoot = example("shoot.yaml")
        .replace("controlPlane: {}", "controlplane: {}")
        .replace("    version: 1.35.4", "    version: 1.36.0")
        .replace("name: edge", "name: egde");
    let deployments = example("extensions.yaml")
        .replace("deploymentRefs:\n    - name: os-", "deploymentRefs:\n    - name: our-");
    let directory = directory(&[("shoot.yaml", &shoot), ("extensions.yaml", &deployments)]);
    let (code, out, err) = review(directory.path(), &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    insta::assert_snapshot!("refused", out);
}

#[test]
fn documents_with_which_gardenadm_fails_are_refused() {
    let item = example("project.yaml").replace('\n', "\n  ");
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", item.trim_end());
    let directory = directory(&[
        ("project.yaml", &list),
        (
            "a-comment.yaml",
            "# Licence\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
        ),
        ("b-end.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n---\n\n"),
        (
            "c-separator.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n--- text\nc: d\n",
        ),
        ("d-kind.yaml", "a: 1\n"),
        ("e-array.json", "[{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\"}]"),
        (
            "kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [shoot.yaml]\n",
        ),
        (
            "review.json",
            r#"{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {}}"#,
        ),
    ]);
    let (code, lines) = lines(directory.path());
    assert_eq!(code, Some(1));
    insta::assert_snapshot!("undecodable", lines.join("\n"));
}

#[test]
fn second_objects_name_the_place_of_the_first() {
    let shoot = example("shoot.yaml");
    let second =
        shoot.replace("name: root", "name: other").replace("root.example", "other.example");
    let directory = directory(&[
        ("shoot.yaml", &format!("{shoot}---\n{second}")),
        (
            "z.json",
            r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project", "metadata": {"name": "z"}, "spec": {"namespace": "garden-z"}}"#,
        ),
    ]);
    let (code, lines) = lines(directory.path());
    assert_eq!(code, Some(1));
    insta::assert_snapshot!("repeated", lines.join("\n"));
}

#[test]
fn ignored_kinds_and_files_are_noted() {
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: garden}\n";
    let directory = directory(&[
        ("README.md", ""),
        (".hidden.yaml", "a: ["),
        (".git/config.yaml", "a: ["),
        (
            ".garden-gate.yaml",
            "apiVersion: garden-gate.dev/v1alpha1\nkind: GateConfiguration\nreview: {exclude: [shoot.yaml], garden: nowhere}\n",
        ),
        (".gitignore", "*.yaml\n"),
        ("namespaces.yaml", &format!("{namespace}---\n{namespace}")),
        (
            "quota.yaml",
            "apiVersion: core.gardener.cloud/v1beta1\nkind: Quota\nmetadata: {name: q, namespace: garden}\nspec: {nothing: valid}\n",
        ),
        ("secret.yml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: garden}\n"),
    ]);
    let (code, out, err) = review(directory.path(), &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    insta::assert_snapshot!("ignored", format!("{err}\n{out}"));
}

#[test]
fn managed_machines_need_their_extensions_and_credentials() {
    let shoot = example("shoot.yaml").replace("spec:\n", "spec:\n  credentialsBindingName: edge\n");
    let directory = directory(&[("shoot.yaml", &shoot)]);
    let (code, lines) = lines(directory.path());
    assert_eq!(code, Some(1));
    insta::assert_snapshot!("managed", lines.join("\n"));
}

#[rstest]
#[case::garden(&["--garden", "."], "--garden")]
#[case::whole(&["--whole-garden"], "--whole-garden")]
#[case::live(&["--live"], "--live")]
#[case::git(&["--git", "HEAD"], "--git")]
#[case::user(&["--as", "a"], "--as and --as-group")]
#[case::old(&["--old", "."], "--old")]
#[case::several(&["--namespace", "a", "--strict-files"], "--namespace and --strict-files")]
fn contradictions_are_errors_that_name_the_option(#[case] arguments: &[&str], #[case] named: &str) {
    let (code, out, err) = review(Path::new("examples/gardenadm"), arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(&format!("; remove {named}")), "{err}");
}

#[rstest]
#[case::file("examples/gardenadm/shoot.yaml", "is not a directory")]
#[case::missing("examples/gardenadm/nowhere", "there is no directory")]
#[case::input("-", "not standard input")]
fn other_paths_are_errors(#[case] path: &str, #[case] expected: &str) {
    let (code, out, err) = review(Path::new("."), &[path]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(expected), "{err}");
    let (code, _, err) = review(Path::new("."), &["examples/gardenadm", path]);
    assert!(code == Some(2) && err.contains("one directory"), "{err}");
}

#[test]
fn unreadable_files_make_missing_objects_unknown() {
    let directory = directory(&[("broken.yaml", "kind: [\n")]);
    let path = directory.path();
    fs::remove_file(path.join("project.yaml")).unwrap();
    fs::remove_file(path.join("extensions.yaml")).unwrap();
    symlink("nowhere", path.join("dangling.yaml")).unwrap();
    symlink("/etc/passwd", path.join("outside.yaml")).unwrap();
    symlink(".", path.join("loop")).unwrap();
    symlink(".", path.join("loop.yaml")).unwrap();
    assert!(Command::new("mkfifo").arg(path.join("pipe.yaml")).status().unwrap().success());
    let (code, lines) = lines(path);
    assert_eq!(code, Some(1), "{lines:?}");
    let lines = lines.join("\n").replace(path.to_str().unwrap(), "DIR");
    insta::assert_snapshot!("unreadable", lines);
}

#[test]
fn nothing_at_all_is_refused_on_the_directory() {
    let directory = folder(&[]);
    let (code, lines) = lines(directory.path());
    assert_eq!(code, Some(1));
    insta::assert_snapshot!("nothing", lines.join("\n"));
}

#[test]
fn names_with_control_characters_are_escaped() {
    let config = "apiVersion: \"v1\\e[31m\"\nkind: \"A\\e[31mB\"\nmetadata: {name: \"\\e[31mn\"}\n";
    let directory = directory(&[("a\u{1b}[31m.yaml", config), ("b\u{1b}[31m.txt", "")]);
    for format in ["text", "concise", "json", "markdown", "sarif", "github", "junit", "gitlab"] {
        let (_, out, err) = review(directory.path(), &["--format", format]);
        assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{format}: {out}{err}");
    }
}

#[test]
fn placeholders_are_values() {
    let project = example("project.yaml").replace("name: garden", "name: \"{{ .name }}\"");
    let directory = directory(&[("project.yaml", &project)]);
    let (code, lines) = lines(directory.path());
    assert_eq!(code, Some(1));
    assert!(lines.iter().any(|it| it.starts_with("project.yaml:4 ")), "{lines:?}");
}

#[test]
fn thousands_of_objects_are_judged() {
    let secret = |index| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: s{index}, namespace: garden}}\n---\n"
        )
    };
    let secrets: String = (0..5_000).map(secret).collect();
    let lists = "apiVersion: a/v1\nkind: B\n---\n".repeat(5_000);
    let directory = directory(&[("secrets.yaml", &secrets), ("unknown.yaml", &lists)]);
    let (code, lines) = lines(directory.path());
    assert_eq!((code, lines.len()), (Some(1), 5_000));
}

#[test]
fn init_writes_a_configuration_and_a_hook() {
    let directory = directory(&[]);
    let mut command = garden_gate(&["init", "--gardenadm", "--pre-commit"]);
    let (code, out, err) = printed(command.current_dir(directory.path()).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let hook = fs::read_to_string(directory.path().join(".pre-commit-config.yaml")).unwrap();
    insta::assert_snapshot!("init", format!("{out}\n{hook}"));
    let (code, out, err) = review(directory.path(), &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
}
