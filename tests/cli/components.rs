// SPDX-License-Identifier: Apache-2.0
//! Component vectors of gardener-landscape-kit: versions of Gardener and extensions, and their changes in Git.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rstest::rstest;
use serde_json::{Value, json};

use crate::command::{garden_gate, printed};
use crate::repository::{Printed, Repository};

const AWS: &str = "-extension-provider-aws";
const OIDC: &str = "-extension-shoot-oidc-service";
const NOT_REVIEWED: &str =
    "note: `garden` is a garden directory, and is not reviewed; name it as a path to review it\n";

/// Returns a component vector, with names after `github.com/gardener/gardener`.
fn vector(components: &[(&str, &str)]) -> String {
    let list = components.iter().map(|(name, version)| {
        let name = format!("github.com/gardener/gardener{name}");
        format!("- name: {name}\n  sourceRepository: https://{name}\n  version: {version}\n")
    });
    format!("components:\n{}", list.collect::<String>())
}

/// A binding that Gardener warns about from 1.149 on, and a Project that it refuses from then on.
const STORED: &str = r#"
apiVersion: v1
kind: ConfigMap
metadata: {name: gardener-info, namespace: gardener-system-public}
data: {gardenerAPIServer: "version: v1.145.4"}
---
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: shop}
spec:
  namespace: garden-shop
  createdBy: {apiGroup: rbac.authorization.k8s.io, kind: User, name: admin}
  owner: {apiGroup: rbac.authorization.k8s.io, kind: User, name: anna@example.com}
  members:
  - {apiGroup: rbac.authorization.k8s.io, kind: User, name: anna@example.com, role: owner, roles: [admin]}
  - {apiGroup: rbac.authorization.k8s.io, kind: User, name: carl@example.com, role: owner, roles: [admin]}
"#;

const BINDING: &str = r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
    "metadata": {"name": "new", "namespace": "garden-p"}, "provider": {"type": "local"},
    "secretRef": {"name": "s", "namespace": "garden-p"}}"#;

/// Creates a repository with a component vector, and changes it after the commit.
fn changed(before: &str, after: &str) -> Repository {
    let repository =
        Repository::new(&[("components.yaml", before), ("garden/stored.yaml", STORED)]);
    repository.git(&["init", "-q"]);
    repository.commit();
    repository.write("components.yaml", after);
    repository
}

fn review(repository: &Repository, arguments: &[&str]) -> Printed {
    let review = ["--no-config", "--garden", "garden", "--components", "components.yaml"];
    repository.review(&[&review[..], arguments].concat())
}

fn run(repository: &Repository, arguments: &[&str]) -> Printed {
    printed(garden_gate(arguments).current_dir(repository.path()).output().unwrap())
}

#[test]
fn changed_vector_is_audited_old_against_new() {
    let before = vector(&[("", "v1.148.4"), (AWS, "v1.73.0"), (OIDC, "v0.39.0")]);
    let after = vector(&[("", "v1.150.0"), (AWS, "v1.74.1"), (OIDC, "v0.40.0"), ("-x", "v1")]);
    let repository = changed(&before, &after);
    let (code, out, err) = review(&repository, &["--git", "main.."]);
    insta::assert_snapshot!("components_text", out);
    assert_eq!((code, err.as_str()), (Some(1), NOT_REVIEWED), "{out}");
    let (_, out, _) = review(&repository, &["--git", "main..", "--format", "markdown"]);
    insta::assert_snapshot!("components_markdown", out);
    let (_, out, _) = review(&repository, &["--git", "main..", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let versions = &report["versions"];
    assert_eq!(
        versions["stored"],
        json!({"objects": 1, "denied": 1, "undetermined": 0, "warned": 0})
    );
    let expected = json!({
        "name": "github.com/gardener/gardener", "old": "v1.148.4", "new": "v1.150.0", "isJudged": true,
    });
    assert_eq!(versions["changed"][0], expected);
    assert_eq!(versions["changed"].as_array().unwrap().len(), 4);
    assert_eq!(report["judgedAs"]["from"], "components");
    let expected = json!([{"name": "aws", "version": "1.74"}, {"name": "oidc", "version": "0.40"}]);
    assert_eq!(report["judgedAs"]["extensions"], expected);
    assert_eq!(report["reviews"][0]["findings"][0]["finding"], "project/two-owners");
}

#[rstest]
#[case::same(&[("", "v1.148.4")], &[("", "v1.148.4")], 3, "there is nothing to review")]
#[case::patch(&[("", "v1.148.4")], &[("", "v1.148.5")], 3, "changed versions: gardener v1.148.4 to v1.148.5\n")]
#[case::no_rules(&[("-extension-x", "v1")], &[("-extension-x", "v2")], 3, "changed versions without rules: gardener-extension-x v1 to v2\n")]
#[case::found_before(&[("", "v1.149.4")], &[("", "v1.150.0")], 0, "with the new versions, of 1 stored object: no new findings\n")]
#[case::added(&[(OIDC, "v1")], &[("", "v1.150.0"), (OIDC, "v1")], 1, "changed versions: gardener v1.150.0 (new)\n")]
#[case::removed(&[("", "v1.150.0"), (OIDC, "v1")], &[(OIDC, "v1")], 0, "changed versions: gardener v1.150.0 (removed)\n")]
fn change_is_named(
    #[case] before: &[(&str, &str)],
    #[case] after: &[(&str, &str)],
    #[case] expected: i32,
    #[case] says: &str,
) {
    let repository = changed(&vector(before), &vector(after));
    let (code, out, err) = review(&repository, &["--git", "main.."]);
    assert!(out.contains(says), "{out}{err}");
    assert_eq!(code, Some(expected), "{out}{err}");
}

#[test]
fn new_file_is_compared_with_the_garden() {
    let repository = Repository::new(&[("garden/stored.yaml", STORED)]);
    repository.git(&["init", "-q"]);
    repository.commit();
    repository.write("components.yaml", &vector(&[("", "v1.150.0")]));
    let (code, out, _) = review(&repository, &["--git", "main.."]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("project/two-owners"), "{out}");
}

#[test]
fn change_without_garden_is_noted() {
    let repository = changed(&vector(&[("", "v1.148.4")]), &vector(&[("", "v1.150.0")]));
    let arguments = ["--no-config", "--components", "components.yaml", "--git", "main.."];
    let (_, out, err) = repository.review(&arguments);
    assert!(err.contains("since there is no garden; use --garden DIR or --live"), "{err}");
    assert!(out.contains("changed versions: gardener v1.148.4 to v1.150.0\n"), "{out}");
}

#[test]
fn baseline_has_findings_about_stored_objects() {
    let repository = changed(&vector(&[("", "v1.148.4")]), &vector(&[("", "v1.150.0")]));
    let (code, _, err) = review(&repository, &["--git", "main..", "--write-baseline", "b.json"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, out, _) = review(&repository, &["--git", "main..", "--baseline", "b.json"]);
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn unreadable_part_of_the_garden_is_not_clean() {
    let repository = changed(&vector(&[("", "v1.149.4")]), &vector(&[("", "v1.150.0")]));
    repository.write(
        "garden/broken.yaml",
        "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: [\n",
    );
    let (code, out, err) = review(&repository, &["--git", "main.."]);
    assert_eq!(code, Some(4), "{out}{err}");
    assert_eq!(err.matches("the garden directory").count(), 1, "{err}");
}

#[test]
fn vector_gives_the_versions_of_every_command() {
    let repository = Repository::new(&[
        ("components.yaml", &vector(&[("", "v1.149.4"), (AWS, "v1.70.0")])),
        ("pin.yaml", &vector(&[(AWS, "v1.72.0")])),
        ("garden/stored.yaml", STORED),
        ("new.json", BINDING),
    ]);
    let common = ["--no-config", "--garden", "garden", "--components", "components.yaml"];
    let (_, out, _) = run(&repository, &[&["audit"], &common[..]].concat());
    assert!(out.contains("judged as Gardener 1.149 (from --components), aws 1.70\n"), "{out}");
    let pinned = [&["review"], &common[..], &["--components", "pin.yaml", "new.json"]].concat();
    let (_, out, _) = run(&repository, &pinned);
    assert!(out.contains("judged as Gardener 1.149 (from --components), aws 1.72\n"), "{out}");
    let flags = ["--gardener-version", "1.146", "--extension", "aws=1.74", "new.json"];
    let (_, out, _) = run(&repository, &[&["review"], &common[..], &flags].concat());
    assert!(
        out.contains("judged as Gardener 1.146 (from --gardener-version), aws 1.74\n"),
        "{out}"
    );
    let (_, out, err) = run(&repository, &[&["forecast"], &common[..]].concat());
    let line = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(line.contains("judged as Gardener 1.149 (from --components)"), "{out}{err}");
}

#[test]
fn two_vectors_are_compared() {
    let repository = Repository::new(&[
        ("old.yaml", &vector(&[("", "v1.148.4"), (AWS, "v1.73.0")])),
        ("new.yaml", &vector(&[("", "v1.150.0"), (AWS, "v1.73.2")])),
        ("garden/stored.yaml", STORED),
    ]);
    let both = ["--no-config", "--garden", "garden", "--components", "old.yaml,new.yaml"];
    let (code, out, err) = run(&repository, &[&["audit"], &both[..]].concat());
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(
        out.contains("note: findings that Gardener 1.148 reports, too, are omitted\n"),
        "{out}"
    );
    let (_, out, _) = run(&repository, &[&["review"], &both[..], &["garden/stored.yaml"]].concat());
    assert!(out.contains("\njudged as Gardener 1.150: "), "{out}");
}

#[rstest]
#[case::empty("", "components.yaml:1:1: error: the file is empty")]
#[case::twice(
    "components: [{name: a, version: v1}, {name: a, version: v2}]",
    "components.yaml:1:45: error: the component `a` is listed twice"
)]
#[case::version(
    "components: [{name: github.com/gardener/gardener, version: latest}]",
    "`latest` is not a version"
)]
#[case::control(
    "components: [{name: \"\\e[31m\", version: v1}, {name: \"\\e[31m\", version: v1}]",
    "is listed twice"
)]
#[case::aliases(
    "a: &a [x, x]\nb: &b [*a, *a]\ncomponents: *b",
    "`components[0]` must be a mapping"
)]
#[case::syntax("components: [", "components.yaml:1:")]
fn invalid_vector_is_explained(#[case] text: &str, #[case] expected: &str) {
    let repository = changed(&vector(&[("", "v1.148.4")]), text);
    let (code, out, err) = review(&repository, &["--git", "main.."]);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains(expected) && !err.contains('\u{1b}'), "{err}");
    // The old vector may be invalid, too.
    let repository = changed(text, &vector(&[("", "v1.148.4")]));
    let (code, out, err) = review(&repository, &["--git", "main.."]);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains("components.yaml in main") && !err.contains('\u{1b}'), "{err}");
}

/// What is not a readable file is an error, also at the revision, and never blocks.
#[test]
fn other_entries_are_refused() {
    let valid = vector(&[("", "v1.148.4")]);
    let large = format!("{valid}# {}\n", "x".repeat(10 << 20));
    let repository = changed(&large, &valid);
    let fails = |repository: &Repository, says: &str| {
        let (code, out, err) = review(repository, &["--git", "main.."]);
        assert_eq!(code, Some(2), "{out}");
        assert!(err.contains(says), "{err}");
    };
    fails(&repository, "larger than 4 MiB, the limit for component vectors");
    repository.write("components.yaml", &large);
    fails(&repository, "larger than 4 MiB, the limit for component vectors");
    let place = repository.path().join("components.yaml");
    fs::remove_file(&place).unwrap();
    fails(&repository, "cannot read the component vector `components.yaml`");
    symlink("/etc/hostname", &place).unwrap();
    fails(&repository, "leads out of");
    fs::remove_file(&place).unwrap();
    make_fifo(&place);
    fails(&repository, "a pipe, a socket or a device, not a file");
    fs::remove_file(&place).unwrap();
    fs::create_dir(&place).unwrap();
    fails(&repository, "a directory, not a file");
}

#[test]
fn link_at_the_revision_is_not_absent() {
    let valid = vector(&[("", "v1.148.4")]);
    let repository = Repository::new(&[("real.yaml", &valid), ("garden/stored.yaml", STORED)]);
    repository.git(&["init", "-q"]);
    symlink("real.yaml", repository.path().join("components.yaml")).unwrap();
    repository.commit();
    fs::remove_file(repository.path().join("components.yaml")).unwrap();
    repository.write("components.yaml", &valid);
    let (code, out, err) = review(&repository, &["--git", "main.."]);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains("is not a regular file in main"), "{err}");
}

#[test]
fn file_outside_of_the_repository_is_the_same_before() {
    let repository = changed(&vector(&[("", "v1.148.4")]), &vector(&[("", "v1.150.0")]));
    let outside = Repository::new(&[("c.yaml", &vector(&[("", "v1.150.0")]))]);
    let place = outside.path().join("c.yaml");
    let place = place.to_str().unwrap();
    let arguments = ["--no-config", "--garden", "garden", "--components", place, "--git", "main.."];
    let (_, out, err) = repository.review(&arguments);
    assert!(!out.contains("changed versions"), "{out}{err}");
}

#[rstest]
#[case::empty(&["--components", "components.yaml,"], "write a file, or several")]
#[case::lengths(&["--components", "components.yaml,components.yaml", "--gardener-version", "1.145,1.146,1.147"], "names 3 versions, but --components 2")]
fn invalid_arguments_are_explained(#[case] arguments: &[&str], #[case] expected: &str) {
    let valid = vector(&[("", "v1.148.4")]);
    let repository = changed(&valid, &valid);
    let (code, out, err) = repository.review(&[&["--garden", "garden"], arguments].concat());
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains(expected), "{err}");
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
