// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review` and `audit` of manifests without fields that default from the CloudProfile.

use std::fs;
use std::path::Path;

use rstest::rstest;

use crate::command::{garden_gate, printed};

const FOLDER: &str = "tests/unfilled";

/// Returns the exit code and the output of a command in the folder of the inputs.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = garden_gate(&[arguments[0], "--at", "2026-11-25T00:00:00Z"]);
    command.args(&arguments[1..]).current_dir(FOLDER);
    let (code, out, _) = printed(command.output().unwrap());
    (code, out)
}

fn count(text: &str, start: &str) -> usize {
    text.lines().filter(|line| line.starts_with(start)).count()
}

#[rstest]
#[case::no_garden(&["review", "new"], "0 denied, 2 undetermined, 0 allowed")]
#[case::partial_garden(&["review", "--garden", "incomplete", "new"], "0 denied, 2 undetermined, 0 allowed")]
#[case::full_garden(&["review", "--garden", "garden", "new"], "0 denied, 0 undetermined, 2 allowed")]
fn new_shoot_without_version_or_image_is_never_denied(
    #[case] arguments: &[&str],
    #[case] summary: &str,
) {
    let (_, out) = run(arguments);
    assert!(out.contains(&format!("\n{summary};")), "{out}");
    assert_eq!(count(&out, "deny:"), 0, "{out}");
}

#[test]
fn label_on_manifest_without_image_rolls_nothing() {
    let (code, out) = run(&["review", "--garden", "garden", "labelled"]);
    assert_eq!((code, count(&out, "warn:")), (Some(0), 0), "{out}");
    let (_, out) = run(&["audit", "--garden", "garden"]);
    assert!(!out.contains("shoot/worker-pools-roll"), "{out}");
}

/// Other manifests of the same Shoot: the old and the new one with the same replacements.
#[rstest]
#[case::part_of_a_version(&[("version: 1.34.4", "version: \"1.34\"")])]
#[case::no_version(&[("kubernetes:\n    version: 1.34.4", "kubernetes: {}")])]
#[case::image_without_a_version(&[("architecture: amd64", "image: {name: gl}")])]
#[case::part_of_an_image_version(&[("architecture: amd64", "image: {name: gl, version: \"2000\"}")])]
#[case::pool_with_part_of_a_version(&[("cri:\n        name: containerd", "kubernetes: {version: \"1.33\"}")])]
fn label_changes_nothing_that_is_filled_in(
    #[case] replaced: &[(&str, &str)],
    #[values(true, false)] is_profile_known: bool,
) {
    let labelled = fs::read_to_string(Path::new(FOLDER).join("labelled/shoot.yaml")).unwrap();
    let replace = |text: String, (from, to): &(&str, &str)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    let new = replaced.iter().fold(labelled, replace);
    let old = new.replace("  labels:\n    team: blue\n", "");
    assert_ne!(old, new);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("garden")).unwrap();
    let kind = if is_profile_known { "garden/garden.yaml" } else { "incomplete/project.yaml" };
    let garden = fs::read_to_string(Path::new(FOLDER).join(kind)).unwrap();
    // The Shoot comes last.
    let garden = garden.split("---\n").filter(|it| !it.contains("kind: Shoot\n"));
    let garden: Vec<&str> = garden.collect();
    fs::write(path("garden/garden.yaml"), garden.join("---\n")).unwrap();
    fs::write(path("garden/shoot.yaml"), old).unwrap();
    fs::write(path("shoot.yaml"), new).unwrap();
    let paths = [path("garden"), path("shoot.yaml")];
    let [garden, shoot] = paths.each_ref().map(|it| it.to_str().unwrap());
    let (_, out) = run(&["review", "--garden", garden, shoot]);
    let heading = out.lines().next().unwrap_or_default();
    let verdict = if is_profile_known { "allowed" } else { "undetermined" };
    assert!(heading.ends_with(&format!(": {verdict}")), "{out}");
    assert!(!out.contains("shoot/worker-pools-roll"), "{out}");
}

#[test]
fn machine_type_rolls_with_any_default() {
    let (_, before) = run(&["review", "--garden", "incomplete", "--old", "labelled", "new"]);
    assert!(before.contains("undetermined"), "{before}");
    let labelled = fs::read_to_string(Path::new(FOLDER).join("labelled/shoot.yaml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    for (path, text) in [(&old, &labelled), (&new, &labelled.replace("type: m1", "type: m2"))] {
        fs::create_dir(path).unwrap();
        fs::write(path.join("shoot.yaml"), text).unwrap();
    }
    let [old, new] = [&old, &new].map(|it| it.to_str().unwrap());
    let (_, out) = run(&["review", "--garden", "incomplete", "--old", old, new]);
    assert!(out.contains("replacing every machine of `w1` (machine.type)"), "{out}");
}
