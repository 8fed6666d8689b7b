// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review --fix`: fixes of findings in files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

const GARDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");

fn manifest() -> String {
    fs::read_to_string("examples/manifests/shoot-allowed.yaml").unwrap()
}

/// Runs `review` in a folder; returns the exit code and both outputs.
fn review(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["review", "--garden", GARDEN, "--at", "2026-06-01"]);
    command.args(arguments).current_dir(folder.path());
    printed(command.output().unwrap())
}

fn findings(folder: &TempDir, arguments: &[&str]) -> Vec<Value> {
    let (_, out, err) = review(folder, &[arguments, &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    let reviews = json["reviews"].as_array().unwrap();
    let findings = reviews.iter().map(|it| it["findings"].as_array().unwrap());
    findings.flatten().cloned().collect()
}

fn text(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("web.yaml")).unwrap()
}

/// Each error with the fixed line, and whether the fix is safe.
#[rstest]
#[case::wrong_case("  region: us", "  Region: us", true)]
#[case::typo("  tolerations:", "  toleration:", true)]
#[case::quotes("  purpose: evaluation", "  purpose: 'prod' # why", false)]
#[case::machine_type("        type: m5.large", "        type: m5.lage", false)]
#[case::moved(
    "  region: us-east-1\n",
    "  failureTolerance: {type: node}\n  region: us-east-1\n",
    false
)]
#[case::number_in_quotes("      maximum: 3", "      maximum: \"3\" # three", true)]
fn error_is_fixed_in_place(#[case] right: &str, #[case] wrong: &str, #[case] is_safe: bool) {
    let original = manifest();
    let broken = original.replacen(right, wrong, 1);
    assert_ne!(original, broken);
    let folder = folder::folder(&[("web.yaml", &broken)]);
    let kinds = |folder: &TempDir| -> Vec<Value> {
        let findings = findings(folder, &["web.yaml"]).into_iter();
        findings.map(|it| it["finding"].clone()).collect()
    };
    let before = kinds(&folder);
    review(&folder, &["--fix", "web.yaml"]);
    assert_eq!(text(&folder) != broken, is_safe, "{}", text(&folder));
    let (_, _, err) = review(&folder, &["--fix=all", "web.yaml"]);
    assert!(!kinds(&folder).contains(&before[0]), "{}{err}", text(&folder));
    // Other lines stay.
    let changed = text(&folder).lines().zip(broken.lines()).filter(|(new, old)| new != old).count();
    assert!(changed <= 1 || wrong.contains('\n'), "{}", text(&folder));
    if wrong.contains(" # ") {
        let comment = wrong.split(" # ").nth(1).unwrap();
        assert!(text(&folder).contains(&format!(" # {comment}")));
    }
}

#[test]
fn diff_shows_fixes_and_writes_nothing() {
    let broken = manifest().replacen("  region:", "  Region:", 1);
    let folder = folder::folder(&[("web.yaml", &broken)]);
    let (_, out, err) = review(&folder, &["--fix", "--diff", "web.yaml"]);
    assert!(out.contains("-  Region: us-east-1\n+  region: us-east-1\n"), "{out}");
    assert!(err.contains("would fix: web.yaml:"), "{err}");
    assert_eq!(text(&folder), broken);
    let (_, out, err) = review(&folder, &["--fix", "web.yaml"]);
    assert_eq!(out, "");
    assert!(err.contains("rename `Region` to `region` (object/unknown-field)"), "{err}");
    assert!(err.contains("note: 1 finding fixed in 1 file"), "{err}");
}

#[test]
fn line_endings_link_and_permissions_stay() {
    let broken = manifest().replacen("  region:", "  Region:", 1);
    let folder = folder::folder(&[("real/web.yaml", &broken.replace('\n', "\r\n"))]);
    let real = folder.path().join("real/web.yaml");
    fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    symlink("real/web.yaml", folder.path().join("web.yaml")).unwrap();
    review(&folder, &["--fix", "."]);
    assert_eq!(text(&folder), manifest().replace('\n', "\r\n"));
    assert!(folder.path().join("web.yaml").is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn standard_input_is_not_written() {
    let broken = manifest().replacen("  region:", "  Region:", 1);
    let folder = folder::folder(&[("web.yaml", &broken)]);
    let input = fs::File::open(folder.path().join("web.yaml")).unwrap();
    let mut command = garden_gate(&["review", "--garden", GARDEN, "--fix", "-"]);
    let (_, _, err) = printed(command.stdin(input).output().unwrap());
    assert!(err.contains("note: `-` is not fixed: standard input is not a file"), "{err}");
}

#[test]
fn standard_input_has_a_diff() {
    let broken = manifest().replacen("  region:", "  Region:", 1);
    let folder = folder::folder(&[("web.yaml", &broken)]);
    let diff = |path| {
        let input = fs::File::open(folder.path().join("web.yaml")).unwrap();
        let mut command = garden_gate(&["review", "--garden", GARDEN, "--fix", "--diff", path]);
        printed(command.current_dir(folder.path()).stdin(input).output().unwrap()).1
    };
    let of_file = diff("web.yaml");
    assert!(of_file.contains("-  Region:") && of_file.contains("+  region:"), "{of_file}");
    assert_eq!(diff("-"), of_file.replace("web.yaml", "-"));
}

#[test]
fn fixes_are_in_json_sarif_and_markdown() {
    let broken = manifest().replacen("  region:", "  Region:", 1);
    let folder = folder::folder(&[("web.yaml", &broken)]);
    let all = findings(&folder, &["web.yaml"]);
    let fixes = all.iter().filter_map(|it| it["fixes"].as_array()).flatten();
    let expected = serde_json::json!({
        "title": "rename `Region` to `region`", "applicability": "safe",
        "edits": [{"op": "rename", "pointer": "/spec/Region", "key": "region"}],
    });
    assert_eq!(fixes.collect::<Vec<_>>(), [&expected]);
    let (_, sarif, _) = review(&folder, &["web.yaml", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let fix = results.iter().find_map(|it| it["fixes"].get(0)).unwrap();
    let replacement = &fix["artifactChanges"][0]["replacements"][0];
    let line = broken.lines().position(|it| it.contains("Region")).unwrap() + 1;
    assert_eq!(replacement["deletedRegion"]["startLine"], line);
    assert_eq!(replacement["deletedRegion"]["startColumn"], 3);
    assert_eq!(replacement["deletedRegion"]["endColumn"], 9);
    assert_eq!(replacement["insertedContent"]["text"], "region");
    let (_, markdown, _) = review(&folder, &["web.yaml", "--format", "markdown"]);
    assert!(markdown.contains("  ```suggestion\n    region: us-east-1\n  ```\n"), "{markdown}");
}

/// Changes of a valid Shoot.
const MUTATIONS: [(&str, &str); 14] = [
    ("  region:", "  REGION:"),
    ("  purpose: evaluation", "  purpose: Evaluation"),
    ("  tolerations:", "  toleration:"),
    ("      maximum: 3", "      maximum: '3'"),
    ("      minimum: 1", "      minimum: -1"),
    ("        type: m5.large", "        type: m5.lage"),
    ("        type: gp3", "        type: gp"),
    ("        size: 50Gi", "        size: 1Gi"),
    ("      - us-east-1a", "      - us-east-1a\n      - us-east-1a # again"),
    ("      - us-east-1a", "      - us-east-1q"),
    ("    type: calico", "    type: Calico"),
    ("  kubernetes:\n", "  kubernetes:\n    enableStaticTokenKubeconfig: true # old\n"),
    ("    version: 1.34.7", "    version: 1.34.7 # pinned\n    kubeProxy: {mode: iptables}"),
    ("  maintenance:\n", "  addons: {kubernetesDashboard: {enabled: 'true'}}\n  maintenance:\n"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A fixed file has no more findings than before, keeps its comments, and is not fixed again.
    #[test]
    fn fixed_shoot_has_fewer_findings(chosen in prop::sample::subsequence(MUTATIONS.to_vec(), 1..5)) {
        let mut broken = manifest().replace("  provider:", "  # the provider\n  provider: # of machines");
        for (right, wrong) in chosen {
            broken = broken.replacen(right, wrong, 1);
        }
        let folder = folder::folder(&[("web.yaml", &broken)]);
        let before = findings(&folder, &["web.yaml"]);
        let (_, _, err) = review(&folder, &["--fix=all", "web.yaml"]);
        let (fixed, after) = (text(&folder), findings(&folder, &["web.yaml"]));
        let is_decoded = |findings: &[Value]| !findings.iter().any(|it| it["rule"].as_str().is_some_and(|it| it.starts_with("object/")));
        let is_better = after.len() < before.len() || is_decoded(&after) && !is_decoded(&before);
        prop_assert_eq!(fixed != broken, err.contains("fixed: web.yaml"), "{}", err);
        prop_assert!(fixed == broken || is_better, "{:?}\n{:?}\n{}", before, after, err);
        for comment in ["# the provider", "# of machines", "# Passes:"] {
            prop_assert!(fixed.contains(comment));
        }
        review(&folder, &["--fix=all", "web.yaml"]);
        prop_assert_eq!(text(&folder), fixed);
    }
}

/// Items of one document share its text, so that fixes are confirmed together.
#[test]
fn all_items_of_a_large_list_are_fixed_at_once() {
    const COUNT: usize = 150;
    let shoot = manifest().replacen("    purpose: evaluation", "", 1);
    let mut list = "apiVersion: v1\nkind: List\nitems:\n".to_owned();
    for index in 0..COUNT {
        let name = format!("name: gateway-{index}");
        let shoot = shoot.replacen("name: gateway", &name, 1).replacen("  region:", "  Region:", 1);
        for (line, indent) in
            shoot.lines().zip(std::iter::once("- ").chain(std::iter::repeat("  ")))
        {
            list += &format!("{indent}{line}\n");
        }
    }
    let folder = folder::folder(&[("web.yaml", &list)]);
    let (code, out, err) = review(&folder, &["--fix", "web.yaml"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(text(&folder), list.replace("    Region:", "    region:"));
}
