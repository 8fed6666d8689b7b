// SPDX-License-Identifier: Apache-2.0
//! The version of Gardener by which commands judge: its sources, its name in outputs, and invalid versions.

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

const FORM: &str = "it is not of the form `1.2.3`, optionally with `-prerelease` and `+build`";

/// Returns the ConfigMap `gardener-info` with these data.
fn info(data: &str) -> String {
    let info = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "gardener-info", "namespace": "gardener-system-public"},
        "data": {"gardenerAPIServer": data},
    });
    info.to_string()
}

fn version(version: &str) -> String {
    info(&format!("version: {version}\nworkloadIdentityIssuerURL: https://example.com\n"))
}

const BINDING: &str = r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
    "metadata": {"name": "new", "namespace": "garden-p"}, "provider": {"type": "local"},
    "secretRef": {"name": "s", "namespace": "garden-p"}}"#;

/// Creates a folder with a manifest, and these files.
fn setup(files: &[(&str, &str)]) -> TempDir {
    folder::folder(&[&[("new.json", BINDING)], files].concat())
}

fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(arguments);
    printed(command.current_dir(folder.path()).output().unwrap())
}

fn review(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let review = ["review", "--garden", "garden", "new.json"];
    run(folder, &[&review, arguments].concat())
}

/// Returns the lines of a text that name the version, and the notes behind.
fn named(text: &str) -> Vec<&str> {
    let is_named = |line: &&str| line.starts_with("judged as ") || line.starts_with("note: ");
    let lines = text.lines().skip_while(|line| !line.starts_with("judged as "));
    lines.filter(is_named).collect()
}

#[rstest]
#[case::known("v1.145.4", "1.145", None)]
#[case::development("v1.150.0-dev", "1.150", None)]
#[case::newer(
    "v1.151.0",
    "1.150",
    Some(
        "Gardener 1.151 is 1 minor version newer than the newest known version 1.150, so unknown fields are undetermined; update garden-gate"
    )
)]
#[case::older(
    "v1.138.2",
    "1.139",
    Some("Gardener 1.138 is older than the oldest known version 1.139, so verdicts may differ")
)]
fn garden_version_is_followed_and_named(
    #[case] published: &str,
    #[case] judged: &str,
    #[case] note: Option<&str>,
) {
    let folder = setup(&[("garden/info.json", &version(published))]);
    let (_, text, _) = review(&folder, &[]);
    let mut expected = vec![format!("judged as Gardener {judged} (from gardener-info)")];
    expected.extend(note.map(|note| format!("note: {note}")));
    assert_eq!(named(&text), expected, "{text}");
    let (_, text, _) = review(&folder, &["--format", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let judged_as = &report["judgedAs"];
    assert_eq!(judged_as["gardener"], judged);
    assert_eq!(judged_as["from"], "gardener-info");
    assert_eq!(judged_as["garden"], published);
    assert_eq!(judged_as["note"].as_str(), note);
}

#[test]
fn flag_precedes_configuration_and_configuration_precedes_garden() {
    let folder = setup(&[
        ("garden/info.json", &version("v1.145.4")),
        ("config.yaml", "gardenerVersion: v1.147.0\n"),
    ]);
    let config = ["--config", "config.yaml"];
    let (_, text, _) = review(&folder, &config);
    let expected = [
        "judged as Gardener 1.147 (from the configuration)",
        "note: the garden runs Gardener v1.145.4",
    ];
    assert_eq!(named(&text), expected);
    let (_, text, _) = review(&folder, &[&config[..], &["--gardener-version", "1.149"]].concat());
    let expected = [
        "judged as Gardener 1.149 (from --gardener-version)",
        "note: the garden runs Gardener v1.145.4",
    ];
    assert_eq!(named(&text), expected);
    let (_, text, _) = run(&folder, &["review", "new.json"]);
    assert_eq!(named(&text), ["judged as Gardener 1.150 (newest known)"]);
}

#[test]
fn every_format_names_the_version() {
    let folder = setup(&[("garden/info.json", &version("v1.145.4"))]);
    let (_, text, _) = review(&folder, &["--format", "markdown"]);
    let line = "\njudged as Gardener 1.145 (from gardener-info)\n";
    assert!(text.contains(line), "{text}");
    let (_, text, _) = review(&folder, &["--format", "sarif"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let judged_as = &report["runs"][0]["properties"]["judgedAs"];
    assert_eq!(judged_as["gardener"], "1.145");
    let (_, text, _) = run(&folder, &["audit", "--garden", "garden"]);
    assert!(!text.contains(line), "an empty garden is not judged: {text}");
    folder::write(folder.path(), "garden/new.json", BINDING);
    let (_, text, _) = run(&folder, &["audit", "--garden", "garden"]);
    assert!(text.contains(line), "{text}");
}

#[test]
fn forecast_names_the_version() {
    let flags = ["--garden", "examples/garden", "--gardener-version", "1.146"];
    let run = |format: &str| {
        let at = ["--at", "2026-12-01", "--format", format];
        let arguments = [&["forecast"], &flags[..], &at].concat();
        printed(garden_gate(&arguments).output().unwrap()).1
    };
    let name = "judged as Gardener 1.146 (from --gardener-version)";
    for format in ["text", "markdown", "html"] {
        let text = run(format).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(name), "{format}: {text}");
    }
    let report: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(report["judgedAs"], json!({"gardener": "1.146", "from": "flag"}));
}

#[test]
fn each_of_several_gardens_has_its_version() {
    let folder =
        setup(&[("qa/info.json", &version("v1.149.3")), ("prod/info.json", &version("v1.145.4"))]);
    let gardens = ["review", "--garden", "qa", "--garden", "prod", "new.json"];
    let (_, text, _) = run(&folder, &gardens);
    let expected = [
        "judged as Gardener 1.149 (from gardener-info) in `qa`",
        "judged as Gardener 1.145 (from gardener-info) in `prod`",
    ];
    assert_eq!(named(&text), expected);
    let (_, text, _) = run(&folder, &[&gardens[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    let each = json!([
        {"directory": "qa", "gardener": "1.149", "from": "gardener-info"},
        {"directory": "prod", "gardener": "1.145", "from": "gardener-info"},
    ]);
    assert_eq!(report["judgedAs"]["gardens"], each);
}

#[rstest]
#[case::major("2", "`2` is not a version of Gardener 1.x; write it like 1.150")]
#[case::too_old("1.9", "Gardener `1.9` cannot be judged; write it like 1.150")]
#[case::yaml_number("1.15", "Gardener `1.15` cannot be judged; write it like 1.150")]
#[case::name("latest", &format!("`latest` is not a version: {FORM}; write it like 1.150"))]
fn invalid_flag_is_explained(#[case] value: &str, #[case] expected: &str) {
    let folder = setup(&[("garden/info.json", &version("v1.145.4"))]);
    for command in ["review", "audit", "forecast", "serve"] {
        let (code, _, err) = run(&folder, &[command, "--gardener-version", value]);
        assert_eq!(code, Some(2), "{command}: {err}");
        assert!(err.contains(expected), "{command}: {err}");
    }
}

#[test]
fn control_characters_in_the_flag_are_not_printed() {
    let folder = setup(&[]);
    let (code, _, err) = run(&folder, &["review", "--gardener-version", "1\u{1b}]0;x\u{7}"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("is not a version"), "{err}");
    assert!(!err.contains(['\u{1b}', '\u{7}']), "{err:?}");
}

#[test]
fn flag_accepts_a_patch_version_of_a_development_build() {
    let folder = setup(&[("garden/info.json", &version("v1.150.0"))]);
    let (_, text, err) = review(&folder, &["--gardener-version", "v1.145.4-dev"]);
    let expected = [
        "judged as Gardener 1.145 (from --gardener-version)",
        "note: the garden runs Gardener v1.150.0",
    ];
    assert_eq!(named(&text), expected, "{err}");
}

#[rstest]
#[case::no_version("a: b", "`version` in `data.gardenerAPIServer` is missing or not a string".to_owned())]
#[case::name("version: latest", format!("`version` in `data.gardenerAPIServer`: `latest` is not a version: {FORM}"))]
#[case::major("version: v2.1.0", "`version` in `data.gardenerAPIServer`: `v2.1.0` is not a version of Gardener 1.x".to_owned())]
#[case::broken("{", "line 1 of `data.gardenerAPIServer` is not valid YAML".to_owned())]
fn invalid_gardener_info_is_explained_and_the_newest_version_judges(
    #[case] data: &str,
    #[case] expected: String,
) {
    let folder = setup(&[("garden/info.json", &info(data))]);
    let rest = "objects are judged as Gardener 1.150, the newest known version, unless --gardener-version is set";
    let (_, text, err) = review(&folder, &[]);
    assert_eq!(named(&text), ["judged as Gardener 1.150 (newest known)"]);
    assert!(err.starts_with("warning: garden/info.json:1:"), "{err}");
    assert!(err.contains(&format!(": {expected}; {rest}\n")), "{err}");
    let (_, _, err) = review(&folder, &["--gardener-version", "1.149"]);
    assert_eq!(err, "");
}

#[test]
fn two_versions_in_a_directory_are_a_problem() {
    let folder =
        setup(&[("garden/a.json", &version("v1.145.4")), ("garden/b.json", &version("v1.149.3"))]);
    let (_, text, err) = review(&folder, &[]);
    assert_eq!(named(&text), ["judged as Gardener 1.150 (newest known)"]);
    let variant = "this is another variant of ConfigMap `gardener-system-public/gardener-info` than the one at garden/a.json:1:";
    assert!(err.contains(variant), "{err}");
    assert!(err.contains("warning: garden/a.json:1:"), "{err}");
    assert!(err.contains("unless --gardener-version is set\n"), "{err}");
}

#[rstest]
#[case::number("1.150", "`gardenerVersion` must be a version in quotes, but is `1.15`".to_owned())]
#[case::major("\"2\"", "`2` is not a version of Gardener 1.x".to_owned())]
#[case::too_old("\"1.9\"", "Gardener `1.9` cannot be judged".to_owned())]
#[case::name("latest", format!("`latest` is not a version: {FORM}"))]
fn invalid_configuration_is_explained(#[case] value: &str, #[case] expected: String) {
    let folder = setup(&[("config.yaml", &format!("gardenerVersion: {value}\n"))]);
    let (code, out, _) = run(&folder, &["config", "check", "config.yaml"]);
    assert_eq!(code, Some(1));
    assert!(out.contains(&format!("config.yaml:1:18: error: {expected}\n")), "{out}");
    assert!(out.contains("write a version of Gardener in quotes, such as \"1.150\""), "{out}");
}

#[test]
fn several_versions_are_compared() {
    let folder = setup(&[("garden/info.json", &version("v1.145.4"))]);
    let (code, text, err) = review(&folder, &["--gardener-version", "1.145,1.150"]);
    let expected = "judged as Gardener 1.145: 0 denied, 0 undetermined, 1 allowed
judged as Gardener 1.150: 0 denied, 0 undetermined, 1 allowed
0 of 1 objects differ between these versions
";
    assert!(text.ends_with(expected), "{text}{err}");
    assert_eq!(code, Some(0));
    let several = ["--gardener-version", "1.145,1.150", "--format", "json"];
    let (code, _, err) = review(&folder, &several);
    assert_eq!(code, Some(2));
    assert!(err.contains("compared as text"), "{err}");
    let (code, _, err) =
        run(&folder, &[&["forecast", "--garden", "garden"], &several[..2]].concat());
    assert_eq!(code, Some(2));
    assert!(err.contains("takes one version here"), "{err}");
}

/// `--fail-on` applies to each version, broken files fail, and a baseline of one version is refused.
#[rstest]
#[case::deny(&["new.json"], 0, "")]
#[case::warn(&["--fail-on", "warn", "new.json"], 1, "")]
#[case::broken(&["broken.yaml"], 1, "")]
#[case::never(&["--fail-on", "never", "broken.yaml"], 0, "")]
#[case::baseline(&["--baseline", "new.json", "new.json"], 2, "--baseline and --write-baseline")]
fn comparison_exits_with(#[case] arguments: &[&str], #[case] expected: i32, #[case] says: &str) {
    let folder = setup(&[("garden/info.json", &version("v1.145.4")), ("broken.yaml", "a: [\n")]);
    let review = ["review", "--garden", "garden", "--gardener-version", "1.145,1.150"];
    let (code, text, err) = run(&folder, &[&review, arguments].concat());
    assert_eq!(code, Some(expected), "{text}{err}");
    assert!(err.contains(says), "{err}");
}

#[test]
fn audit_of_two_versions_reports_only_what_the_second_adds() {
    let folder = setup(&[("garden/info.json", &version("v1.145.4")), ("garden/new.json", BINDING)]);
    let audit = |versions: &str| {
        let arguments = ["audit", "--garden", "garden", "--gardener-version", versions];
        run(&folder, &arguments).1
    };
    let found = "binding/secret-binding-deprecated";
    assert!(audit("1.149").contains(found));
    let text = audit("1.145,1.149");
    assert!(!text.contains(found), "{text}");
    let expected = [
        "judged as Gardener 1.149 (from --gardener-version)",
        "note: findings that Gardener 1.145 reports, too, are omitted",
    ];
    assert_eq!(named(&text), expected, "{text}");
}

/// Audits the landscape of the examples for an upgrade.
fn upgrade(versions: &str, format: &str) -> String {
    let arguments = [
        "audit",
        "--no-config",
        "--garden",
        "examples/upgrade",
        "--gardener-version",
        versions,
        "--at",
        "2026-12-10T00:00:00Z",
        "--format",
        format,
    ];
    let (code, out, err) = printed(garden_gate(&arguments).output().unwrap());
    assert_ne!(code, Some(2), "{err}");
    assert_eq!(err, "");
    out
}

#[rstest]
#[case("markdown")]
#[case("html")]
#[case("json")]
fn upgrade_of_a_landscape_is_reported(#[case] format: &str) {
    let report = upgrade("1.145,1.150", format);
    // The styles of the page are those of every page.
    let (_, part) = report.split_once("<body>").unwrap_or(("", &report));
    insta::assert_snapshot!(format!("upgrade_{format}"), part);
}

/// Returns the findings about changed defaults of a Shoot, with their occasions.
fn changed_defaults(report: &Value, shoot: &str) -> Vec<String> {
    let objects = report["reviews"].as_array().unwrap().iter();
    let of_shoot = objects.filter(|it| it["name"] == shoot);
    let found = of_shoot
        .flat_map(|it| it["findings"].as_array().unwrap())
        .filter(|it| it["finding"] == "audit/default-changes");
    let lines = found.map(|it| {
        let [occasion, field, message] =
            ["occasion", "field", "message"].map(|name| it[name].as_str().unwrap());
        format!("{occasion} {field}: {message}")
    });
    lines.collect()
}

#[test]
fn changed_defaults_are_reported_with_their_occasion() {
    let report = serde_json::from_str(&upgrade("1.145,1.150", "json")).unwrap();
    assert_eq!(changed_defaults(&report, "web"), [""; 0]);
    let architecture = "every-write spec.provider.workers[0].machine.architecture: Gardener 1.150 stores `arm64`, Gardener 1.145 stores `amd64`";
    assert_eq!(changed_defaults(&report, "lake"), [architecture]);
    let report = serde_json::from_str(&upgrade("1.140,1.145", "json")).unwrap();
    let rotation = "create spec.maintenance.autoRotation.credentials.etcdEncryptionKey.rotationPeriod: Gardener 1.145 stores `672h0m0s`, Gardener 1.140 stores no value";
    assert_eq!(changed_defaults(&report, "web"), [rotation]);
}
