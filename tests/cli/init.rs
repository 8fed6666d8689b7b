// SPDX-License-Identifier: Apache-2.0
//! `garden-gate init`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;
use std::path::Path;

use rstest::rstest;
use serde_json::Value;

use crate::command::{garden_gate, printed};
use crate::folder::folder;

fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(arguments);
    printed(command.current_dir(directory).output().unwrap())
}

#[rstest]
#[case::no_garden(&[], "garden-gate review --garden dump\n")]
#[case::garden(&["--garden", "my \"garden\""], "garden-gate review\n")]
fn init_writes_a_valid_configuration(#[case] arguments: &[&str], #[case] last: &str) {
    let folder = folder(&[]);
    let (code, out, err) = run(folder.path(), &[&["init"], arguments].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("wrote ./.garden-gate.yaml\n"), "{out}");
    assert!(out.contains("garden-gate dump "), "{out}");
    assert!(out.ends_with(last), "{out}");
    let checked = run(folder.path(), &["config", "check", ".garden-gate.yaml"]);
    assert_eq!((checked.0, checked.2.as_str()), (Some(0), ""), "{}", checked.1);
}

#[test]
fn review_uses_the_garden_of_the_new_configuration() {
    let shoot = fs::read_to_string("examples/manifests/shoot-allowed.yaml").unwrap();
    let folder = folder(&[("shoot.yaml", &shoot)]);
    for file in fs::read_dir("examples/garden").unwrap() {
        let file = file.unwrap();
        let garden = folder.path().join("dump");
        fs::create_dir_all(&garden).unwrap();
        fs::copy(file.path(), garden.join(file.file_name())).unwrap();
    }
    let (code, out, _) = run(folder.path(), &["init", "--garden", "dump"]);
    assert_eq!(code, Some(0));
    assert!(!out.contains("garden-gate dump"), "{out}");
    let (code, out, err) = run(folder.path(), &["review"]);
    assert_eq!(code, Some(0), "{out}{err}");
}

#[test]
fn existing_configuration_is_kept() {
    let folder = folder(&[(".garden-gate.yaml", "mine")]);
    let (code, _, err) = run(folder.path(), &["init"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`./.garden-gate.yaml` exists; edit it"), "{err}");
    let kept = fs::read_to_string(folder.path().join(".garden-gate.yaml"));
    assert_eq!(kept.unwrap(), "mine");
}

#[test]
fn garden_directory_is_not_reviewed() {
    let shoot = fs::read_to_string("examples/manifests/shoot-allowed.yaml").unwrap();
    let folder = folder(&[("shoot.yaml", &shoot), ("du mp/shoot.yaml", &shoot)]);
    run(folder.path(), &["init", "--garden", "./du mp"]);
    let ignored = fs::read_to_string(folder.path().join(".garden-gate-ignore"));
    assert_eq!(ignored.unwrap(), "/du\\ mp/\n");
    let (_, out, _) = run(folder.path(), &["review", "--format", "json"]);
    assert_eq!(out.matches("\"file\"").count(), 1, "{out}");
}

#[test]
fn garden_elsewhere_needs_no_ignore_file() {
    let folder = folder(&[]);
    let (code, out, _) = run(folder.path(), &["init", "--garden", "../garden"]);
    assert!(code == Some(0) && !out.contains("ignore"), "{out}");
}

const EXTENDED: [&str; 4] = ["init", "--github", "OWNER/garden-gate@main", "--pre-commit"];

#[test]
fn workflow_and_hook_are_those_of_this_repository() {
    let folder = folder(&[]);
    let (code, out, err) = run(folder.path(), &EXTENDED);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out.matches("wrote ").count(), 4, "{out}");
    let read = |file: &str| -> Value {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        serde_saphyr::from_str(&text).unwrap()
    };
    let workflow = read(".github/workflows/garden-gate.yaml");
    let step = &workflow["jobs"]["review"]["steps"][1];
    assert_eq!(step["uses"], "OWNER/garden-gate@main");
    let action: Value = serde_saphyr::from_str(include_str!("../../action.yml")).unwrap();
    for input in step["with"].as_object().unwrap().keys() {
        assert!(action["inputs"].get(input).is_some(), "{input}");
    }
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    let hooks: Value = serde_saphyr::from_str(hooks).unwrap();
    let hook = &read(".pre-commit-config.yaml")["repos"][0]["hooks"][0];
    for field in ["id", "name", "entry", "files", "pass_filenames"] {
        assert_eq!(hook[field], hooks[0][field], "{field}");
    }
}

#[test]
fn existing_files_are_kept() {
    let folder = folder(&[(".garden-gate.yaml", "{}"), (".pre-commit-config.yaml", "repos: []")]);
    let (code, out, _) = run(folder.path(), &EXTENDED);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("kept ./.garden-gate.yaml\n"), "{out}");
    let hook = "kept ./.pre-commit-config.yaml; add this hook:\nrepos:\n- repo: local\n";
    assert!(out.contains(hook), "{out}");
    let kept = fs::read_to_string(folder.path().join(".pre-commit-config.yaml"));
    assert_eq!(kept.unwrap(), "repos: []");
}

#[test]
fn action_without_a_revision_is_an_error() {
    let folder = folder(&[]);
    let (code, _, err) = run(folder.path(), &["init", "--github", "garden-gate"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("expected OWNER/REPOSITORY@REVISION"), "{err}");
}

#[test]
fn missing_directory_is_an_error() {
    let folder = folder(&[]);
    let (code, _, err) = run(folder.path(), &["init", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("cannot write `nowhere/.garden-gate.yaml`"), "{err}");
}
