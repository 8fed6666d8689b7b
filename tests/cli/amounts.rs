// SPDX-License-Identifier: Apache-2.0
//! Output of `review` for 1, 100 and 5,000 objects.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;

use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::folder;

/// Number of Shoots in a file.
const IN_FILE: usize = 100;

/// Returns a folder with Shoots like an example, to each of which `change` is applied.
fn shoots(count: usize, change: impl Fn(usize, &str) -> String) -> TempDir {
    let example = fs::read_to_string("examples/manifests/shoot-allowed.yaml").unwrap();
    let documents: Vec<String> = (0..count)
        .map(|index| {
            let named = example.replace("name: gateway", &format!("name: s{index}"));
            format!("---\n{}", change(index, &named))
        })
        .collect();
    let files = documents.chunks(IN_FILE).enumerate();
    let files: Vec<(String, String)> = files
        .map(|(index, of_file)| (format!("shoots-{index:02}.yaml"), of_file.concat()))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    folder(&files)
}

/// Four kinds of findings: two refusals and two warnings, one of them with the name of the Shoot in its message.
fn with_findings(index: usize, shoot: &str) -> String {
    match index % 5 {
        0 => shoot.replace("  tolerations:\n", "  tolerations:\n  - key: example.com/nobody\n"),
        1 => shoot.replace("    name: stratus\n", "    name: cumulus\n"),
        2 => shoot.replace("version: 1.34.7", "version: \"1.34\""),
        3 => shoot.replace(
            "metadata:\n",
            "metadata:\n  annotations: {ignore.garden-gate.dev/shoot.no-such-finding: x}\n",
        ),
        _ => shoot.to_owned(),
    }
}

fn review(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let garden = fs::canonicalize("examples/garden").unwrap().display().to_string();
    let mut command = garden_gate(&["review", "--garden", &garden]);
    let (code, out, err) = printed(command.args(arguments).current_dir(folder).output().unwrap());
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn one_refusal_fits_14_lines() {
    let folder = shoots(1, |_, shoot| with_findings(0, shoot));
    let (code, out) = review(&folder, &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.lines().count() <= 14, "{out}");
    insta::assert_snapshot!("one", out);
}

#[test]
fn clean_shoots_take_3_lines() {
    let folder = shoots(5_000, |_, shoot| shoot.to_owned());
    let (code, out) = review(&folder, &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.lines().count() <= 3, "{out}");
    insta::assert_snapshot!("clean", out);
    assert_eq!(review(&folder, &["--quiet"]), (Some(0), String::new()));
    let (_, verbose) = review(&folder, &["--verbose"]);
    let allowed = verbose.lines().filter(|it| it.ends_with(": allowed"));
    assert_eq!(allowed.count(), 5_000);
}

#[test]
fn audit_of_many_shoots_fits_a_screen() {
    let folder = shoots(500, with_findings);
    let garden = folder.path().join("garden");
    fs::create_dir(&garden).unwrap();
    for entry in fs::read_dir("examples/garden").unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), garden.join(entry.file_name())).unwrap();
        }
    }
    let mut command = garden_gate(&["audit", "--no-config", "--at", "2026-12-10T00:00:00Z"]);
    let (code, out, err) = printed(command.arg("--garden").arg(folder.path()).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert!(out.lines().count() <= 60, "{out}");
    insta::assert_snapshot!("audit", out);
}

#[test]
fn equal_findings_of_many_shoots_are_printed_once() {
    let folder = shoots(5_000, with_findings);
    let (code, out) = review(&folder, &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.lines().count() <= 120, "{out}");
    insta::assert_snapshot!("many", out);
    // A line for each finding, and the summary.
    let (_, concise) = review(&folder, &["--format", "concise"]);
    let findings = concise.lines().filter(|it| it.starts_with("shoots-")).count();
    assert!(findings >= 4_000, "{findings}");
    assert!(concise.contains(": deny shoot/profile-missing "), "{concise}");
    let (_, statistics) = review(&folder, &["--statistics"]);
    insta::assert_snapshot!("statistics", statistics);
}

#[test]
fn comment_about_many_shoots_has_all_messages() {
    let folder = shoots(1_000, with_findings);
    let (_, comment) = review(&folder, &["--format", "markdown"]);
    assert!(comment.len() < 10_000, "{comment}");
    insta::assert_snapshot!("comment", comment);
}

/// Refusals with different messages, of which the first ones are printed, and all are in the comment.
#[test]
fn different_refusals_are_all_in_the_comment() {
    let folder = shoots(100, |index, shoot| {
        shoot.replace("    name: stratus\n", &format!("    name: cumulus-{index}\n"))
    });
    let (_, comment) = review(&folder, &["--format", "markdown"]);
    for index in 0..100 {
        assert!(comment.contains(&format!("`cumulus-{index}`")), "{index}: {comment}");
    }
    assert!(comment.len() < 65_536, "{}", comment.len());
    let (_, out) = review(&folder, &[]);
    let line = "deny: 97 other findings of shoot/profile-missing with other messages: `--format concise` lists them\n";
    assert!(out.contains(line), "{out}");
    let (_, github) = review(&folder, &["--format", "github"]);
    assert_eq!(github.lines().filter(|it| it.starts_with("::error ")).count(), 100);
}

#[test]
fn refusals_come_first() {
    let folder = shoots(100, with_findings);
    let (_, out) = review(&folder, &[]);
    let verdicts = out.lines().filter_map(|line| line.split(['[', ':']).next());
    let order: Vec<&str> = verdicts.filter(|it| ["deny", "warn"].contains(it)).collect();
    assert!(order.is_sorted(), "{out}");
    let (_, github) = review(&folder, &["--format", "github"]);
    assert!(github.starts_with("::error "), "{github}");
}

/// Shoots of which each differs from the garden; details of the first ones are printed.
#[test]
fn differences_of_many_shoots_are_bounded() {
    let folder = shoots(100, |_, shoot| shoot.replace("maximum: 3", "maximum: 4"));
    let stored = shoots(100, |_, shoot| shoot.to_owned());
    let garden = folder.path().join("garden");
    fs::create_dir(&garden).unwrap();
    fs::copy(stored.path().join("shoots-00.yaml"), garden.join("stored.yaml")).unwrap();
    for file in fs::read_dir("examples/garden").unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), garden.join(file.file_name())).unwrap();
    }
    let run = |flags: &[&str]| {
        let mut command = garden_gate(&["review", "--garden", "garden", "shoots-00.yaml"]);
        printed(command.args(flags).current_dir(folder.path()).output().unwrap())
    };
    let (code, out, err) = run(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(out.matches("\ndrift: ").count(), 20, "{out}");
    let line = "80 other objects have notes or differences: `--verbose` lists them\n";
    assert!(out.contains(line), "{out}");
    let (_, verbose, _) = run(&["--verbose"]);
    assert_eq!(verbose.matches("\ndrift: ").count(), 100, "{verbose}");
}

/// Annotations are limited: refusals come first, also behind a thousand different warnings.
#[test]
fn refusal_behind_many_warnings_is_annotated_first() {
    let folder = shoots(1_001, |index, shoot| match index {
        1_000 => with_findings(0, shoot),
        _ => {
            let annotation = format!("ignore.garden-gate.dev/shoot.no-such-{index}: x");
            shoot.replace("metadata:\n", &format!("metadata:\n  annotations: {{{annotation}}}\n"))
        }
    });
    let (code, github) = review(&folder, &["--format", "github"]);
    assert_eq!(code, Some(1), "{github}");
    assert!(github.starts_with("::error file=shoots-10.yaml,"), "{github}");
}

/// GitHub accepts 65,536 characters in a comment.
#[test]
fn comment_with_long_links_is_accepted() {
    let folder = shoots(300, |index, shoot| {
        let shoot = with_findings(index, shoot);
        shoot.replace("    name: stratus\n", &format!("    name: stratus-{index}\n"))
    });
    let url = format!("https://example.com/{}/{{rule}}", "x".repeat(1_000));
    let config = format!("review:\n  ruleUrl: {url}\n");
    fs::write(folder.path().join(".garden-gate.yaml"), config).unwrap();
    let (code, comment) = review(&folder, &["--format", "markdown"]);
    assert_eq!(code, Some(1), "{comment}");
    assert!(comment.len() <= 60_000, "{}", comment.len());
    assert!(comment.contains("**300 changes are refused**"), "{comment}");
}
