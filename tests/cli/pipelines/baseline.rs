// SPDX-License-Identifier: Apache-2.0
use std::fs;

use rstest::rstest;
use serde_json::{Value, json};

use crate::pipelines::{garden, refused, shoot, warned};
use crate::repository::{Printed, Repository};

/// Reviews the whole repository with the garden of the examples.
fn review(repository: &Repository, arguments: &[&str]) -> Printed {
    let garden = garden();
    repository.review(&[&["--garden", &garden], arguments].concat())
}

fn json(repository: &Repository, arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, out, err) = review(repository, &[&["--format", "json"], arguments].concat());
    let json = serde_json::from_str(&out);
    (code, json.unwrap_or_else(|_| unreachable!("{err}")))
}

const WRITE: [&str; 3] = ["--write-baseline", "baseline.json", "shoots"];
const WITH: [&str; 3] = ["--baseline", "baseline.json", "shoots"];

const WRITTEN: &str = r#"{
  "apiVersion": "garden-gate.dev/v1alpha1",
  "kind": "ReviewBaseline",
  "findings": [
    {"object":"Shoot garden-dev/old","finding":"shoot/toleration-not-whitelisted","field":"spec.tolerations[0]","level":"deny"},
    {"object":"Shoot garden-platform/web","finding":"advice/prefix-resolves-on-every-write","field":"spec.kubernetes.version","level":"warn"}
  ]
}
"#;

/// Returns a repository with a warning and a refusal, which are in its baseline.
fn legacy() -> Repository {
    let repository = Repository::new(&[
        ("shoots/old.yaml", &refused("old")),
        ("shoots/web.yaml", &warned("web")),
    ]);
    assert_eq!(review(&repository, &[]).0, Some(1));
    assert_eq!(review(&repository, &WRITE).0, Some(0));
    repository
}

#[test]
fn what_was_there_before_fails_nothing() {
    let repository = legacy();
    let written = fs::read_to_string(repository.path().join("baseline.json")).unwrap();
    assert_eq!(written, WRITTEN);
    let (code, out, _) = review(&repository, &[&WITH[..], &["--verbose"]].concat());
    assert_eq!(code, Some(0));
    let heading = "shoots/old.yaml: CREATE of Shoot garden-dev/old: denied, as in the baseline\n";
    assert!(out.starts_with(heading), "{out}");
    let summary = "\n2 findings are in the baseline\n1 denied (1 as in the baseline), 0 undetermined, 1 allowed; 0 warnings in 2 objects of 2 files\n";
    assert!(out.ends_with(summary), "{out}");
    assert!(!out.contains("deny[") && !out.contains("warn["), "{out}");
    let (code, json) = json(&repository, &WITH);
    assert_eq!((code, &json["baseline"]), (Some(0), &json!({"known": 2, "gone": 0})));
    let old = &json["reviews"][0];
    assert_eq!((&old["verdict"], &old["allowed"]), (&json!("denied"), &json!(false)));
    assert_eq!(old["findings"][0]["baseline"], true);
    let strict = review(&repository, &[&WITH[..], &["--fail-on", "warn"]].concat());
    assert_eq!(strict.0, Some(0));
}

#[test]
fn neither_files_nor_lines_nor_words_make_a_finding_new() {
    let repository = legacy();
    let path = repository.path();
    fs::rename(path.join("shoots/old.yaml"), path.join("shoots/moved.yaml")).unwrap();
    let moved = format!("# a line\n{}", warned("web"));
    // The message of the warning contains the version.
    repository.write("shoots/web.yaml", &moved.replace("\"1.34\"", "\"1.33\""));
    let (code, json) = json(&repository, &WITH);
    assert_eq!((code, &json["baseline"]), (Some(0), &json!({"known": 2, "gone": 0})));
}

#[test]
fn what_is_new_is_said_and_fails_the_review() {
    let repository = legacy();
    repository.write("shoots/new.yaml", &refused("new"));
    let (code, out, _) = review(&repository, &WITH);
    assert_eq!(code, Some(1));
    let refusals = out.lines().filter(|it| it.starts_with("deny["));
    assert_eq!(refusals.count(), 1, "{out}");
    let counts = "\n2 denied (1 as in the baseline), 0 undetermined, 1 allowed; 0 warnings in 3 objects of 3 files\n";
    assert!(out.contains(counts), "{out}");
    let twice = shoot("old", "garden-dev")
        .replace("  exposureClassName: internal\n", "")
        .replace("  kubernetes:\n", "  - key: another\n  kubernetes:\n");
    repository.write("shoots/old.yaml", &twice);
    fs::remove_file(repository.path().join("shoots/new.yaml")).unwrap();
    assert_eq!(review(&repository, &WITH).0, Some(1), "another refusal of an object that has one");
}

#[test]
fn a_warning_that_becomes_a_refusal_is_new() {
    let repository = legacy();
    repository.write(".garden-gate.yaml", "rules: {advice/prefix-resolves-on-every-write: deny}\n");
    let (code, json) = json(&repository, &WITH);
    assert_eq!((code, &json["baseline"]), (Some(1), &json!({"known": 1, "gone": 1})));
}

#[test]
fn fixed_findings_are_counted_for_reviewed_objects() {
    let repository = legacy();
    let gone = |expected: usize| {
        let (_, json) = json(&repository, &WITH);
        assert_eq!(json["baseline"]["gone"], expected, "{json}");
    };
    repository.write("shoots/web.yaml", &shoot("web", "garden-platform"));
    gone(1);
    let (_, out, _) = review(&repository, &WITH);
    let says = "1 finding is in the baseline; 1 finding of it is gone, write it again with --write-baseline";
    assert!(out.lines().any(|it| it == says), "{out}");
    fs::remove_file(repository.path().join("shoots/web.yaml")).unwrap();
    gone(0);
    repository.write("shoots/web.yaml", "a: [");
    gone(0);
    repository.write("shoots/web.yaml", &shoot("web", "garden-platform"));
    let (_, without_garden, _) = repository.review(&WITH);
    assert!(!without_garden.contains("gone"), "{without_garden}");
}

#[test]
fn what_cannot_be_judged_is_never_in_it() {
    let repository = Repository::new(&[("shoots/web.yaml", &shoot("web", "garden-platform"))]);
    assert_eq!(repository.review(&WRITE).0, Some(0));
    assert_eq!(repository.review(&WITH).0, Some(4));
}

#[test]
fn json_marks_new_findings() {
    let repository = legacy();
    repository.write("shoots/new.yaml", &refused("new"));
    let states = |arguments: &[&str]| {
        let (_, out, _) = review(&repository, &[&["--format", "sarif"], arguments].concat());
        let sarif: Value = serde_json::from_str(&out).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap().clone();
        let states: Vec<Value> = results.iter().map(|it| it["baselineState"].clone()).collect();
        states
    };
    assert_eq!(states(&WITH), ["new", "unchanged", "unchanged"]);
    assert_eq!(states(&["shoots"]), [Value::Null, Value::Null, Value::Null]);
    let lines = |format: &str| {
        let (_, out, _) = review(&repository, &[&["--format", format], &WITH[..]].concat());
        out
    };
    assert_eq!(lines("github").lines().count(), 1);
    assert_eq!(lines("junit").matches("<failure").count(), 1);
    let markdown = lines("markdown");
    assert!(markdown.contains("\n2 findings are in the baseline\n"), "{markdown}");
    assert!(!markdown.contains("garden-dev/old"), "{markdown}");
}

#[rstest]
#[case(
    None,
    "cannot read the baseline `baseline.json`; --write-baseline baseline.json writes one: No such file"
)]
#[case(
    Some(""),
    "`baseline.json` is not a baseline; --write-baseline baseline.json writes one: EOF while parsing a value at line 1 column 0"
)]
#[case(
    Some("{\"apiVersion\": \"v1\"}"),
    "unknown variant `v1`, expected `garden-gate.dev/v1alpha1` at line 1 column 19"
)]
#[case(Some("{\"findings\": []}"), "missing field `apiVersion` at line 1 column 16")]
fn a_baseline_that_is_none_is_one_line(#[case] text: Option<&str>, #[case] says: &str) {
    let repository = Repository::new(&[("shoots/web.yaml", &warned("web"))]);
    if let Some(text) = text {
        repository.write("baseline.json", text);
    }
    let (code, out, err) = repository.review(&WITH);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(says) && err.lines().count() == 1, "{err}");
}

#[test]
fn it_is_written_whole_or_not_at_all() {
    let repository = legacy();
    let write = |file: &str| repository.review(&["--write-baseline", file, "shoots"]);
    let (code, out, err) = write("no/such/folder.json");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(
        err,
        "error: cannot write the baseline `no/such/folder.json`: there is no directory `no/such`\n"
    );
    let (code, _, err) = write("/dev/null");
    assert_eq!(
        (code, err.as_str()),
        (Some(2), "error: cannot write the baseline `/dev/null`: it is not a file\n")
    );
    let path = repository.path();
    std::os::unix::fs::symlink("baseline.json", path.join("link.json")).unwrap();
    assert_eq!(write("link.json").0, Some(0));
    assert!(path.join("link.json").is_symlink());
    let files = fs::read_dir(path).unwrap().map(|it| it.unwrap().file_name());
    let mut files: Vec<_> = files.collect();
    files.sort();
    assert_eq!(files, ["baseline.json", "link.json", "shoots"], "nothing else is left behind");
}

#[test]
fn configuration_may_name_it() {
    let repository = legacy();
    repository.write("shoots/.garden-gate.yaml", "review: {baseline: ../baseline.json}\n");
    assert_eq!(review(&repository, &["shoots"]).0, Some(0));
    let (code, _, err) = review(&repository, &["--baseline", "x", "--write-baseline", "y"]);
    assert!(code == Some(2) && err.contains("cannot be used with"), "{err}");
}
