// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate audit` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeMap;
use std::fs;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use rstest::rstest;
use serde_json::{Value, json};

const GARDEN: &str = "examples/audit";

/// Runs the command with these arguments in the example garden.
fn audit(arguments: &[&str]) -> (Option<i32>, String, String) {
    in_garden(GARDEN, arguments)
}

fn in_garden(garden: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["audit", "--no-config", "--garden", garden]);
    command.args(["--at", "2026-12-10T00:00:00Z"]);
    printed(command.args(arguments).output().unwrap())
}

fn json_of(garden: &str, arguments: &[&str]) -> Value {
    let (_, out, err) = in_garden(garden, &[&["--format", "json"], arguments].concat());
    serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"))
}

#[rstest]
#[case("text")]
#[case("json")]
#[case("markdown")]
#[case("openreports")]
fn an_audit_is_written_as(#[case] format: &str) {
    let (code, out, err) = audit(&["--format", format]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    insta::assert_snapshot!(format, out);
}

#[test]
fn the_page_shows_what_is_printed() {
    let (_, out, _) = audit(&[]);
    let page = fs::read_to_string("docs/how-to/audit-a-garden.md").unwrap();
    // The page leaves out the middle.
    let (_, block) = page.split_once("--at 2026-12-10T00:00:00Z\n").unwrap();
    let (begin, rest) = block.split_once("…\n").unwrap();
    let (end, _) = rest.split_once("```").unwrap();
    assert!(out.starts_with(begin) && out.trim_end().ends_with(end.trim_end()), "{out}");
}

#[rstest]
#[case::rule("rule", &["Would be refused (", "Warnings ("])]
#[case::project("project", &["By Project"])]
#[case::owner("owner", &["By owner"])]
#[case::version("version", &["Versions in use"])]
fn one_table_is_shown_alone(#[case] by: &str, #[case] titles: &[&str]) {
    let (_, out, _) = audit(&["--by", by]);
    let all = ["Would be refused (", "Warnings (", "By Project", "By owner", "Versions in use"];
    let shown: Vec<&str> = all.into_iter().filter(|it| out.contains(it)).collect();
    assert_eq!(shown, titles, "{out}");
}

#[rstest]
#[case::text(
    "text",
    "\u{1b}]8;;https://docs.example.com/audit/minor-gap.html\u{1b}\\audit/minor-gap\u{1b}]8;;\u{1b}\\"
)]
#[case::markdown(
    "markdown",
    "| [`audit/minor-gap`](https://docs.example.com/audit/minor-gap.html) |"
)]
#[case::page(
    "html",
    r#"<a href="https://docs.example.com/audit/minor-gap.html">audit/minor-gap</a>"#
)]
fn ids_link_to_the_pages_of_their_rules(#[case] format: &str, #[case] link: &str) {
    let config = "apiVersion: garden-gate.dev/v1alpha1\nkind: GateConfiguration\nreview: {ruleUrl: \"https://docs.example.com/{rule}.html\"}\n";
    let folder = folder(&[("config.yaml", config)]);
    let mut command = garden_gate(&["audit", "--garden", GARDEN, "--color", "always", "--config"]);
    command.arg(folder.path().join("config.yaml"));
    command.args(["--format", format, "--at", "2026-12-10T00:00:00Z"]);
    let (_, out, err) = printed(command.output().unwrap());
    assert!(out.contains(link), "{out}{err}");
    let (_, without, _) = audit(&["--format", format, "--color", "always"]);
    assert!(!without.contains("docs.example.com"), "{without}");
}

#[test]
fn the_page_begins_with_the_owners() {
    let (_, page, _) = audit(&["--format", "html"]);
    let titles = ["By owner", "Findings", "By Project", "Versions in use", "By object"];
    let places = titles.map(|it| page.find(&format!(">{it}</h2>")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    assert!(page.contains("Project shop, anna@example.com"), "{page}");
}

#[test]
fn each_object_is_reported_as_in_review() {
    let (_, out, _) = audit(&["--each", "--project", "data"]);
    insta::assert_snapshot!("each", out);
}

/// Returns the findings of each object as `occasion finding`.
fn said(report: &Value) -> BTreeMap<String, Vec<String>> {
    let objects = report["reviews"].as_array().unwrap().iter();
    let said = objects.map(|object| {
        let findings = object["findings"].as_array().unwrap().iter().map(|it| {
            let [when, id] = ["occasion", "finding"].map(|name| it[name].as_str().unwrap());
            format!("{when} {id}")
        });
        (object["name"].as_str().unwrap().to_owned(), findings.collect())
    });
    said.collect()
}

#[test]
fn each_finding_says_when_it_matters() {
    let said = said(&json_of(GARDEN, &[]));
    assert_eq!(
        said["legacy"],
        [
            "every-write advice/kubernetes-version-dropped",
            "every-write advice/version-expired-in-use",
            "every-write advice/version-expired-in-use",
            "create shoot/kubernetes-version-expired",
            "create shoot/machine-image-expired",
            "current audit/no-update-possible",
        ]
    );
    assert!(!said.contains_key("web"), "nothing is said about it");
}

#[rstest]
#[case::project(&["--project", "data"], &["lake", "longer"])]
#[case::namespace(&["--project", "garden-data"], &["lake", "longer"])]
#[case::owner(&["--owner", "anna@example.com"], &["legacy", "shop", "staging"])]
#[case::nobody(&["--owner", "nobody"], &[])]
fn selection_by_owner(#[case] whose: &[&str], #[case] expected: &[&str]) {
    let report = json_of(GARDEN, whose);
    let said = said(&report);
    let names: Vec<&str> = said.keys().map(String::as_str).collect();
    assert_eq!(names, expected);
    assert_eq!(report["audit"]["versions"], json!([]));
}

#[test]
fn configuration_disables_rules_in_audits() {
    let folder = folder(&[]);
    let config = "apiVersion: garden-gate.dev/v1alpha1\nkind: GateConfiguration\nrules: {\"audit/*\": \"off\"}\n";
    write(folder.path(), "config.yaml", config);
    let file = folder.path().join("config.yaml");
    let mut command = garden_gate(&["audit", "--garden", GARDEN, "--config"]);
    command.arg(file);
    let (_, out, _) = printed(command.output().unwrap());
    assert!(!out.contains("audit/"), "{out}");
}

#[test]
fn a_warning_is_silenced_in_the_object_a_refusal_is_not() {
    let folder = folder(&[]);
    for file in ["landscape.yaml", "projects.yaml", "shoots.yaml"] {
        let text = fs::read_to_string(format!("{GARDEN}/{file}")).unwrap();
        let annotations = "  name: legacy\n  annotations:\n    ignore.garden-gate.dev/audit.no-update-possible: known\n    ignore.garden-gate.dev/shoot.kubernetes-version-expired: known\n";
        write(folder.path(), file, &text.replace("  name: legacy\n", annotations));
    }
    let said = said(&json_of(folder.path().to_str().unwrap(), &[]));
    let legacy = said["legacy"].join("\n");
    assert!(!legacy.contains("audit/no-update-possible"), "{legacy}");
    assert!(legacy.contains("shoot/kubernetes-version-expired"), "{legacy}");
}

#[test]
fn only_what_is_new_since_an_earlier_report_fails() {
    let folder = folder(&[]);
    for file in ["landscape.yaml", "projects.yaml", "shoots.yaml"] {
        let text = fs::read_to_string(format!("{GARDEN}/{file}")).unwrap();
        write(folder.path(), file, &text);
    }
    let garden = folder.path().to_str().unwrap();
    let reports = self::folder(&[]);
    let earlier = reports.path().join("earlier.json");
    let to = format!("json={}", earlier.display());
    let (code, ..) = in_garden(garden, &["--format", &to]);
    assert_eq!(code, Some(1));
    let since = ["--changed-since", earlier.to_str().unwrap()];
    let (code, out, _) = in_garden(garden, &since);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("0 findings new, 0 gone"), "{out}");
    // One Shoot is fixed, another one now has a finding.
    let shoots = fs::read_to_string(format!("{GARDEN}/shoots.yaml"))
        .unwrap()
        .replace("version: 1.30.14", "version: 1.34.4")
        .replace("{name: gardenlinux, version: 1592.9.0}", "{name: gardenlinux, version: 1877.5.0}")
        .replacen("region: north", "region: south", 1);
    write(folder.path(), "shoots.yaml", &shoots);
    let (code, out, _) = in_garden(garden, &since);
    assert_eq!(code, Some(1), "{out}");
    insta::assert_snapshot!("changed", out.replace(earlier.to_str().unwrap(), "earlier.json"));
}

#[test]
fn a_report_is_what_a_cluster_takes() {
    let (_, out, _) = audit(&["--format", "openreports"]);
    let schema: Value =
        serde_json::from_str(&fs::read_to_string("tests/schema/openreports.json").unwrap())
            .unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let reports: Vec<Value> = serde_saphyr::from_multiple(&out).unwrap();
    assert!(reports.len() > 5);
    for report in &reports {
        let errors: Vec<String> = validator.iter_errors(report).map(|it| it.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{report}");
        let is_namespaced = report["metadata"]["namespace"].is_string();
        assert_eq!(report["kind"] == "Report", is_namespaced, "{report}");
    }
}

#[rstest]
#[case::no_garden(&["audit", "--no-config"], 2, "no garden is set; use --garden DIR or --live")]
#[case::missing(&["audit", "--garden", "nowhere"], 2, "`nowhere`")]
#[case::two_formats(&["audit", "--garden", GARDEN, "--format", "json", "--format", "text"], 2, "only one format can go to standard output")]
#[case::format(&["audit", "--garden", GARDEN, "--format", "yaml"], 2, "unsupported format `yaml`")]
#[case::no_earlier(&["audit", "--garden", GARDEN, "--changed-since", "nowhere.json"], 2, "cannot read the earlier report `nowhere.json`")]
#[case::no_report(&["audit", "--garden", GARDEN, "--changed-since", "README.md"], 2, "`README.md` is not a report of an audit; --format json=README.md writes one")]
#[case::instant(&["audit", "--garden", GARDEN, "--at", "tomorrow"], 2, "--at")]
fn what_cannot_be_done_is_said(#[case] arguments: &[&str], #[case] code: i32, #[case] says: &str) {
    let (exit, out, err) = printed(garden_gate(arguments).output().unwrap());
    assert_eq!((exit, out.as_str()), (Some(code), ""), "{err}");
    assert!(err.contains(says), "{err}");
}

#[test]
fn empty_garden_exits_with_3() {
    let folder = folder(&[]);
    write(folder.path(), "other.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n");
    let (code, out, _) = in_garden(folder.path().to_str().unwrap(), &[]);
    assert_eq!(code, Some(3));
    assert!(out.contains("there is nothing to audit"), "{out}");
}

#[rstest]
#[case::of_another_version("v1alpha1", "{}")]
#[case::of_another_shape("v1beta1", "[]")]
fn unreadable_object_is_reported(#[case] version: &str, #[case] spec: &str) {
    let odd = format!(
        "apiVersion: core.gardener.cloud/{version}\nkind: Shoot\nmetadata: {{name: odd, namespace: garden-p}}\nspec: {spec}\n"
    );
    let class = "apiVersion: core.gardener.cloud/v1beta1\nkind: ExposureClass\nmetadata: {name: internal}\nhandler: internal\n";
    let folder = folder(&[("shoot.yaml", &odd), ("class.yaml", class)]);
    let (exit, out, _) = in_garden(folder.path().to_str().unwrap(), &["--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let mut objects = report["reviews"].as_array().unwrap().iter();
    let odd = objects.find(|it| it["name"] == "odd").unwrap();
    assert_eq!((exit, &odd["verdict"]), (Some(1), &json!("denied")), "{out}");
    assert_eq!(report["audit"]["denied"], 1, "{out}");
}

#[test]
fn duplicates_count_once_and_broken_files_are_reported() {
    let folder = folder(&[]);
    for file in ["landscape.yaml", "projects.yaml", "shoots.yaml"] {
        let text = fs::read_to_string(format!("{GARDEN}/{file}")).unwrap();
        write(folder.path(), file, &text);
        write(folder.path(), &format!("again-{file}"), &text);
    }
    let broken = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: [\n";
    write(folder.path(), "broken.yaml", broken);
    let garden = folder.path().to_str().unwrap();
    let (_, out, err) = in_garden(garden, &["--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["audit"]["objects"]["Shoot"], 4, "{out}");
    assert!(err.contains("broken.yaml:4"), "{err}");
}

#[rstest]
#[case::audited("core.gardener.cloud/v1beta1\nkind: Shoot", Some(4))]
#[case::of_no_known_kind("core.gardener.cloud/v1beta1", Some(4))]
#[case::not_audited("v1\nkind: Secret", Some(0))]
#[case::not_of_a_garden("apps/v1\nkind: Deployment", Some(0))]
fn unreadable_file_that_may_contain_objects_fails(
    #[case] api: &str,
    #[case] expected: Option<i32>,
) {
    let broken = format!("apiVersion: {api}\nmetadata: {{name: [\n");
    let seed = fs::read_to_string("examples/audit/landscape.yaml").unwrap();
    let folder = folder(&[("landscape.yaml", &seed), ("broken.yaml", &broken)]);
    let (code, out, err) = in_garden(folder.path().to_str().unwrap(), &[]);
    assert_eq!(code, expected, "{out}{err}");
}

#[test]
fn an_earlier_report_must_be_a_whole_audit() {
    let reports = folder(&[]);
    let path = |name: &str| reports.path().join(name).to_str().unwrap().to_owned();
    let [whole, partial, reviewed] = ["whole.json", "partial.json", "reviewed.json"].map(path);
    audit(&["--format", &format!("json={whole}")]);
    audit(&["--changed-since", &whole, "--format", &format!("json={partial}")]);
    garden_gate(&["review", "--garden", GARDEN, "examples/manifests/shoot-denied.yaml"])
        .args(["--format", &format!("json={reviewed}")])
        .output()
        .unwrap();
    for (report, says) in
        [(&partial, "only what is new since another report"), (&reviewed, "audit")]
    {
        let (code, out, err) = audit(&["--changed-since", report]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains("is not a report of an audit") && err.contains(says), "{err}");
    }
}

#[test]
fn only_findings_of_selected_projects_can_be_gone() {
    let reports = folder(&[]);
    let earlier = reports.path().join("earlier.json").to_str().unwrap().to_owned();
    audit(&["--format", &format!("json={earlier}")]);
    let (code, out, _) = audit(&["--changed-since", &earlier, "--project", "shop"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("0 findings new, 0 gone"), "{out}");
}

#[rstest]
#[case::audit("audit")]
#[case::forecast("forecast")]
fn a_misspelt_project_is_named(#[case] command: &str) {
    let mut command = garden_gate(&[command, "--garden", GARDEN, "--project", "shpo"]);
    let (_, out, err) = printed(command.output().unwrap());
    let warning = "warning: the garden has no Project `shpo`; did you mean `shop`?\n";
    assert!(err.contains(warning), "{err}{out}");
}
