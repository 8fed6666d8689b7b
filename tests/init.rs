//! `garden-gate init`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;
use std::path::Path;

use rstest::rstest;

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
    assert_eq!(
        (checked.0, checked.2.as_str()),
        (Some(0), ""),
        "{}",
        checked.1
    );
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
    assert!(
        err.contains("`./.garden-gate.yaml` exists; edit it"),
        "{err}"
    );
    let kept = fs::read_to_string(folder.path().join(".garden-gate.yaml"));
    assert_eq!(kept.unwrap(), "mine");
}

#[test]
fn missing_directory_is_an_error() {
    let folder = folder(&[]);
    let (code, _, err) = run(folder.path(), &["init", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("cannot write `nowhere/.garden-gate.yaml`"),
        "{err}"
    );
}
