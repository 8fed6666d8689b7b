// SPDX-License-Identifier: Apache-2.0
//! Options of `garden-gate review`: output, rules for files, and written silences.

use std::fs;

use crate::change::{Folder, garden, shoot};
use rstest::rstest;
use serde_json::Value;

/// Returns a Shoot with a deprecated version, and therefore a warning.
fn folder() -> Folder {
    let folder = Folder::new(&[("a.yaml", &shoot("web", "1.33.2"))]);
    garden(&folder);
    let profile = fs::read_to_string(folder.path().join("garden/profile.yaml")).unwrap();
    let deprecated = r#"{"classification":"deprecated","expirationDate":"2099-01-01T00:00:00Z","version":"1.33.2"}"#;
    let profile = profile.replace(r#"{"version":"1.33.2"}"#, deprecated);
    folder.write("garden/profile.yaml", &profile);
    folder
}

const WARNING: &str = "advice/version-deprecated";
const GARDEN: [&str; 4] = ["--garden", "garden", "--ignore", "shoot/no-seed-accepts"];

fn review(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let reviewed = folder.review(&[&GARDEN[..], arguments, &["a.yaml"]].concat());
    (reviewed.code, reviewed.out)
}

fn levels(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let (_, out) = review(folder, &[arguments, &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&out).unwrap();
    let findings = json["reviews"][0]["findings"].as_array().unwrap();
    let words = findings.iter().map(|it| {
        let word = |name: &str| it[name].as_str().unwrap().to_owned();
        format!("{} {}", word("level"), word("finding"))
    });
    words.collect()
}

#[test]
fn profile_of_command_line_precedes_configuration() {
    let folder = folder();
    let hardened = |arguments: &[&str]| {
        let levels = levels(&folder, arguments);
        let hardened = levels.iter().filter(|it| it.starts_with("warn hardened/"));
        hardened.count()
    };
    assert_eq!(hardened(&[]), 0);
    assert!(hardened(&["--profile", "hardened"]) > 2);
    folder.write(".garden-gate.yaml", "profile: hardened\n");
    assert!(hardened(&[]) > 2);
    assert_eq!(hardened(&["--profile", "gardener"]), 0);
}

#[test]
fn allowed_object_is_counted() {
    let folder = folder();
    folder.write("a.yaml", &shoot("new", "1.33.1"));
    let expected = "not judged: spec.credentialsBindingName: whether the binding exists, fits and has quota left\njudged as Gardener 1.150 (newest known)\n0 denied, 0 undetermined, 1 allowed; 0 warnings in 1 object of 1 file\n";
    assert_eq!(review(&folder, &[]), (Some(0), expected.to_owned()));
    assert_eq!(review(&folder, &["--quiet"]), (Some(0), String::new()));
    let (_, diff) = review(&folder, &["--diff"]);
    assert!(diff.contains("+++ as it would be stored\n"), "{diff}");
    let (_, json) = review(&folder, &["--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(!json["reviews"][0]["patch"].as_array().unwrap().is_empty());
}

#[test]
fn refusal_of_garden_gate_alone_names_its_origin() {
    let folder = folder();
    let profile = "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: fresh\nspec:\n  type: local\n  kubernetes:\n    versions:\n    - version: 1.33.5\n      expirationDate: 2020-06-01T00:00:00Z\n    - version: 1.34.1\n";
    folder.write("a.yaml", profile);
    let (code, text) = review(&folder, &[]);
    assert_eq!(code, Some(1), "{text}");
    let origin = "(beyond Gardener: it accepts this today)\n";
    assert_eq!(text.matches(origin).count(), 1, "{text}");
    let (_, json) = review(&folder, &["--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let findings = json["reviews"][0]["findings"].as_array().unwrap();
    for finding in findings {
        let expected = match finding["finding"].as_str() {
            Some("cloudprofile/new-version-expired") => "garden-gate",
            _ => "gardener",
        };
        assert_eq!(finding["origin"], expected, "{finding}");
    }
}

#[test]
fn quiet_prints_findings_only() {
    let (code, out) = review(&folder(), &["--quiet"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("a.yaml: UPDATE of Shoot"), "{out}");
    assert!(
        out.contains(WARNING) && !out.contains("0 undetermined") && !out.contains("not judged"),
        "{out}"
    );
}

#[test]
fn summary_counts_warnings_and_files() {
    let folder = folder();
    folder.write("a.yaml", &format!("{}\n---\n{}", shoot("web", "1.33.2"), shoot("bad", "1.33.9")));
    let (code, out) = review(&folder, &[]);
    assert_eq!(code, Some(1));
    assert!(
        out.ends_with("\n1 denied, 0 undetermined, 1 allowed; 1 warning in 2 objects of 1 file\n"),
        "{out}"
    );
    let (_, json) = review(&folder, &["--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let summary = &json["summary"];
    assert_eq!(
        [
            &summary["objects"],
            &summary["allowed"],
            &summary["denied"],
            &summary["warnings"],
            &summary["files"]
        ],
        [2, 1, 1, 1, 1]
    );
    assert!(summary["refusals"].as_u64().unwrap() > 0);
}

#[rstest]
#[case::none(&[], &["warn advice/version-deprecated"])]
#[case::deny(&["--deny", WARNING], &["deny advice/version-deprecated"])]
#[case::deny_pattern(&["--deny", "advice/*"], &["warn advice/version-deprecated"])]
#[case::ignore(&["--ignore", WARNING], &[])]
#[case::ignore_pattern(&["--ignore", "advice/*"], &[])]
#[case::select(&["--select", WARNING], &["warn advice/version-deprecated"])]
#[case::select_others(&["--select", "shoot/*", "--select", "project/*"], &[])]
#[case::warn(&["--deny", WARNING, "--warn", WARNING], &["warn advice/version-deprecated"])]
fn levels_come_from_the_command_line(#[case] arguments: &[&str], #[case] expected: &[&str]) {
    let folder = folder();
    assert_eq!(levels(&folder, arguments), expected);
    // The option takes precedence over the configuration.
    folder.write(".garden-gate.yaml", "rules: {advice/version-deprecated: warn}\n");
    assert_eq!(levels(&folder, arguments), expected);
}

#[rstest]
#[case::unknown(&["--ignore", "advice/version-deprecat"], "no rule or finding has the id `advice/version-deprecat`; did you mean `advice/version-deprecated`?")]
#[case::deny_pattern(&["--deny", "shot/*"], "no rule or finding has the id `shot/*`")]
fn wrong_rule_is_an_error(#[case] arguments: &[&str], #[case] says: &str) {
    let reviewed = folder().review(&[&GARDEN[..], arguments].concat());
    assert_eq!(reviewed.code, Some(2));
    assert!(reviewed.err.contains(says), "{}", reviewed.err);
}

#[test]
fn configuration_excludes_files_and_sets_levels_for_paths() {
    let folder = folder();
    folder.git(&["init", "-q"]);
    for file in ["prod/a.yaml", "vendor/b.yaml", "dev/c.yaml"] {
        let name = file.split(['/', '.']).nth(1).unwrap();
        folder.write(file, &shoot(name, "1.33.2"));
    }
    folder.write(
        ".garden-gate.yaml",
        "review:\n  garden: garden\n  exclude: [vendor/]\n  perPath:\n  - paths: [\"prod/**\", \"dev/**\"]\n    rules: {advice/version-deprecated: \"off\"}\n  - paths: [prod/]\n    rules: {advice/version-deprecated: deny}\n",
    );
    let verdicts = |arguments: &[&str]| folder.verdicts(arguments);
    assert_eq!(
        verdicts(&["prod", "vendor", "dev"]),
        ["CREATE Shoot/a denied; advice/version-deprecated", "CREATE Shoot/c allowed"]
    );
    assert_eq!(verdicts(&["vendor/b.yaml"]), ["CREATE Shoot/b allowed"]);
    assert_eq!(verdicts(&["--ignore", WARNING, "prod"]), ["CREATE Shoot/a allowed"]);
    folder.commit();
    fs::remove_dir_all(folder.path().join("vendor")).unwrap();
    assert_eq!(verdicts(&["--git", "main"]), [""; 0]);
}

#[rstest]
#[case::pattern("review: {exclude: [\"[z-a]\"]}", "`[z-a]`: ")]
#[case::no_paths("review: {perPath: [{rules: {}}]}", "`review.perPath[0]` has no `paths`")]
#[case::rule(
    "review: {perPath: [{paths: [a], rules: {shoot/x: warn}}]}",
    "no rule or finding has the id `shoot/x`"
)]
#[case::url("review: {ruleUrl: docs}", "`review.ruleUrl` is not a URL with `{rule}`")]
fn wrong_review_settings_are_errors(#[case] config: &str, #[case] says: &str) {
    let folder = folder();
    folder.write(".garden-gate.yaml", config);
    let reviewed = folder.review(&["a.yaml"]);
    assert_eq!(reviewed.code, Some(2), "{}", reviewed.out);
    assert!(reviewed.err.starts_with("error: found the configuration `.garden-gate.yaml`, which is not valid (--no-config ignores it): "), "{}", reviewed.err);
    assert!(reviewed.err.contains(says), "{}", reviewed.err);
}

#[test]
fn sarif_links_the_pages_of_rules() {
    let folder = folder();
    folder.write(
        ".garden-gate.yaml",
        "review: {ruleUrl: \"https://docs.example.com/rules/{rule}.html\"}\n",
    );
    let (_, out) = review(&folder, &["--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&out).unwrap();
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["helpUri"], "https://docs.example.com/rules/advice/version-deprecated.html");
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("## Check"));
}

/// Returns a Shoot in the usual YAML style, with this metadata.
fn written(metadata: &str) -> String {
    let spec: Value = serde_json::from_str(&shoot("web", "1.33.2")).unwrap();
    format!(
        "# The cluster of web.\napiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata:{metadata}\nspec: {} # as a line\n",
        spec["spec"]
    )
}

#[rstest]
#[case::block(
    "\n  name: web # own\n  namespace: garden-dev",
    "\n  annotations:\n    ignore.garden-gate.dev/advice.version-deprecated: \"ticket 12\"\n  name: web # own\n  namespace: garden-dev"
)]
#[case::annotations(
    "\n  annotations:\n    # why\n    a: b\n  name: web\n  namespace: garden-dev",
    "\n  annotations:\n    # why\n    ignore.garden-gate.dev/advice.version-deprecated: \"ticket 12\"\n    a: b\n  name: web\n  namespace: garden-dev"
)]
#[case::flow(
    " {name: web, namespace: garden-dev}",
    " {\"annotations\": {\"ignore.garden-gate.dev/advice.version-deprecated\": \"ticket 12\"}, name: web, namespace: garden-dev}"
)]
#[case::lines(
    "\n  {\n    name: web,\n    namespace: garden-dev,\n  }",
    "\n  {\n    \"annotations\": {\"ignore.garden-gate.dev/advice.version-deprecated\": \"ticket 12\"}, name: web,\n    namespace: garden-dev,\n  }"
)]
fn silences_are_written_and_nothing_else_changes(#[case] before: &str, #[case] after: &str) {
    let folder = folder();
    let others = "\n---\nkind: Other # stays\n";
    folder.write("a.yaml", &(written(before) + others));
    let reviewed = folder.review(&[&GARDEN[..], &["--add-silences=ticket 12", "a.yaml"]].concat());
    assert_eq!(reviewed.code, Some(0), "{}", reviewed.err);
    assert_eq!(reviewed.err, "note: 1 silence was written into `a.yaml`\n");
    let text = fs::read_to_string(folder.path().join("a.yaml")).unwrap();
    assert_eq!(text, written(after) + others);
    let (code, out) = review(&folder, &["--fail-on", "warn", "--verbose"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("silenced: advice/version-deprecated (ticket 12)"), "{out}");
}

#[rstest]
#[case::no_mapping(
    "\n  annotations: {}\n  name: web\n  namespace: garden-dev",
    "are not silenced: advice/version-deprecated"
)]
#[case::silenced_before(
    "\n  annotations:\n    ignore.garden-gate.dev/advice.version-deprecated: old until 2020-01-01\n  name: web\n  namespace: garden-dev",
    "is not changed: its annotations cannot be added safely; add them by hand"
)]
fn silences_that_cannot_be_written_are_named(#[case] metadata: &str, #[case] says: &str) {
    let folder = folder();
    folder.write("a.yaml", &written(metadata));
    let reviewed = folder.review(&[&GARDEN[..], &["--add-silences", "a.yaml"]].concat());
    assert!(reviewed.err.contains(says), "{}", reviewed.err);
    let text = fs::read_to_string(folder.path().join("a.yaml")).unwrap();
    assert_eq!(text, written(metadata));
}
