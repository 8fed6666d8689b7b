// SPDX-License-Identifier: Apache-2.0
//! Kubernetes versions that the judging version of Gardener does not support, as `audit` reports them first.

use std::fmt::Write as _;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

const LANDSCAPE: &str = r#"
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: neb}
spec:
  type: neb
  kubernetes:
    versions:
    - {version: 1.30.14, classification: deprecated, expirationDate: "2026-02-01T00:00:00Z"}
    - {version: 1.31.14, classification: deprecated, expirationDate: "2026-12-24T00:00:00Z"}
    - {version: 1.32.9, classification: supported}
    - {version: 1.37.0, classification: preview}
  machineImages: []
  machineTypes: []
  regions: [{name: neb1}]
---
apiVersion: core.gardener.cloud/v1beta1
kind: NamespacedCloudProfile
metadata: {name: longer, namespace: garden-data}
spec:
  parent: {kind: CloudProfile, name: neb}
  kubernetes:
    versions:
    - {version: 1.30.14, expirationDate: "2027-02-01T00:00:00Z"}
---
apiVersion: core.gardener.cloud/v1beta1
kind: Seed
metadata: {name: north}
spec: {provider: {type: neb, region: neb1}}
status: {kubernetesVersion: v1.31.4}
---
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: shop}
spec: {namespace: garden-shop, owner: {kind: User, name: anna@example.com}}
---
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: data}
spec: {namespace: garden-data, owner: {kind: User, name: ben@example.com}}
"#;

/// Returns a Shoot with a Kubernetes version, and optionally one of its pool.
fn shoot(namespace: &str, name: &str, version: &str, pool: &str) -> String {
    let pool = match pool {
        "" => String::new(),
        pool => format!(", kubernetes: {{version: {pool}}}"),
    };
    format!(
        "---
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  cloudProfile: {{kind: CloudProfile, name: neb}}
  kubernetes: {{version: {version}}}
  provider: {{type: neb, workers: [{{name: w{pool}}}]}}
"
    )
}

fn landscape() -> TempDir {
    let shoots = [
        shoot("garden-shop", "old", "1.30.14", ""),
        shoot("garden-shop", "web", "1.31.14", ""),
        shoot("garden-data", "lag", "1.32.9", "1.31.14"),
        shoot("garden-data", "new", "1.32.9", ""),
        shoot("garden-lost", "lost", "1.31.14", ""),
    ];
    folder::folder(&[("garden/all.yaml", &(LANDSCAPE.to_owned() + &shoots.concat()))])
}

fn audit(folder: &TempDir, arguments: &[&str]) -> String {
    let audit = ["audit", "--no-config", "--garden", "garden", "--at", "2026-11-28T03:00:00Z"];
    let mut command = garden_gate(&[&audit, arguments].concat());
    let (code, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    assert_ne!(code, Some(2), "{err}");
    out
}

fn unsupported(folder: &TempDir, arguments: &[&str]) -> Value {
    let out = audit(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str::<Value>(&out).unwrap()["audit"]["unsupported"].take()
}

/// Returns `version holder reason` of each version.
fn brief(unsupported: &Value) -> Vec<String> {
    let all = unsupported.as_array().unwrap().iter();
    let part = |it: &Value, name: &str| it[name].as_str().unwrap_or("-").to_owned();
    all.map(|it| ["version", "holder", "reason", "gardener"].map(|name| part(it, name)).join(" "))
        .collect()
}

#[rstest]
#[case("text")]
#[case("markdown")]
fn versions_that_the_next_gardener_drops_come_first(#[case] format: &str) {
    let versions = ["--gardener-version", "1.140,1.142", "--format", format];
    let out = audit(&landscape(), &[&versions[..], &["--by", "support"]].concat());
    insta::assert_snapshot!(format!("unsupported_{format}"), out);
}

#[test]
fn section_precedes_the_findings_in_text_and_page() {
    let folder = landscape();
    let title = "Kubernetes versions that Gardener 1.142 does not support";
    for (format, findings) in
        [("text", "\nWarnings ("), ("markdown", "**Findings**"), ("html", ">Findings<")]
    {
        let out = audit(&folder, &["--gardener-version", "1.142", "--format", format]);
        let [section, findings] = [title, findings].map(|it| out.find(it));
        assert!(section.is_some() && section < findings, "{format}: {out}");
    }
}

#[test]
fn json_has_every_shoot_with_owner_and_dates() {
    let all = unsupported(&landscape(), &["--gardener-version", "1.142"]);
    let expected = [
        "1.30.14 CloudProfile neb dropped 1.141",
        "1.30.14 NamespacedCloudProfile garden-data/longer dropped 1.141",
        "1.31.14 CloudProfile neb dropped 1.142",
        "v1.31.4 Seed north dropped 1.142",
        "1.37.0 CloudProfile neb not-yet -",
    ];
    assert_eq!(brief(&all), expected);
    let expected = json!({
        "version": "1.31.14", "holder": "CloudProfile neb", "reason": "dropped", "gardener": "1.142",
        "promisedUntil": "2025-12-21", "stage": "deprecated", "since": null,
        "expires": "2026-12-24T00:00:00Z",
        "projects": [
            {"project": "data", "owner": "ben@example.com", "shoots": ["garden-data/lag"]},
            {"project": "", "owner": "", "shoots": ["garden-lost/lost"]},
            {"project": "shop", "owner": "anna@example.com", "shoots": ["garden-shop/web"]},
        ],
    });
    assert_eq!(all[2], expected);
    assert_eq!(all[0]["stage"], "expired");
}

#[rstest]
#[case::same_as_now("1.140", &["1.37.0 CloudProfile neb not-yet -"])]
#[case::next("1.141", &[
    "1.30.14 CloudProfile neb dropped 1.141",
    "1.30.14 NamespacedCloudProfile garden-data/longer dropped 1.141",
    "1.37.0 CloudProfile neb not-yet -",
])]
#[case::newer_than_known("1.155", &[
    "1.30.14 CloudProfile neb dropped 1.141",
    "1.30.14 NamespacedCloudProfile garden-data/longer dropped 1.141",
    "1.31.14 CloudProfile neb dropped 1.142",
    "v1.31.4 Seed north dropped 1.142",
    "1.32.9 CloudProfile neb promise-ended -",
])]
fn support_is_that_of_the_version(#[case] gardener: &str, #[case] expected: &[&str]) {
    let all = unsupported(&landscape(), &["--gardener-version", gardener]);
    assert_eq!(brief(&all), expected);
}

#[rstest]
#[case::project(&["--project", "shop"], &[
    "1.30.14 CloudProfile neb dropped 1.141", "1.31.14 CloudProfile neb dropped 1.142",
])]
#[case::owner(&["--owner", "ben@example.com"], &[
    "1.30.14 NamespacedCloudProfile garden-data/longer dropped 1.141", "1.31.14 CloudProfile neb dropped 1.142",
])]
fn only_selected_projects_are_listed(#[case] selection: &[&str], #[case] expected: &[&str]) {
    let all = unsupported(&landscape(), &[selection, &["--gardener-version", "1.142"]].concat());
    assert_eq!(brief(&all), expected);
    let projects = all[1]["projects"].as_array().unwrap();
    assert_eq!(projects.len(), 1, "{projects:?}");
}

#[test]
fn nothing_is_listed_without_unsupported_versions() {
    let shoot = shoot("garden-p", "s", "1.33.1", "");
    let folder = folder::folder(&[("garden/s.yaml", &shoot)]);
    let out = audit(&folder, &["--gardener-version", "1.145"]);
    assert!(!out.contains("does not support"), "{out}");
    assert_eq!(unsupported(&folder, &[]), json!([]));
}

#[test]
fn unknown_shoots_and_profiles_are_reported() {
    let broken = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: [}\n";
    let folder = landscape();
    folder::write(folder.path(), "garden/broken.yaml", broken);
    let out = audit(&folder, &["--gardener-version", "1.142"]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "note: it is unknown which Shoots have Kubernetes versions without support:";
    assert!(out.contains(expected), "{out}");
    assert!(out.contains("1.31.14, CloudProfile neb: dropped by Gardener 1.142"), "{out}");
}

#[test]
fn long_lists_are_counted() {
    let mut shoots = LANDSCAPE.to_owned();
    for project in 0..30 {
        let _ = write!(
            shoots,
            "---\napiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {{name: p{project}}}\nspec: {{namespace: garden-p{project}}}\n"
        );
        for index in 0..5 {
            shoots += &shoot(&format!("garden-p{project}"), &format!("s{index}"), "1.31.1", "");
        }
    }
    let folder = folder::folder(&[("garden/all.yaml", &shoots)]);
    let arguments = ["--gardener-version", "1.142", "--by", "support"];
    let out = audit(&folder, &arguments);
    let expected = [
        "      Project p0: 5 Shoots: garden-p0/s0, garden-p0/s1, garden-p0/s2 and 2 more\n",
        "      50 Shoots of 10 other Projects, which `--format json` has\n",
    ];
    assert!(expected.iter().all(|it| out.contains(it)), "{out}");
    let all = unsupported(&folder, &arguments);
    let listed = all.as_array().unwrap().iter().find(|it| it["version"] == "1.31.1").unwrap();
    assert_eq!(listed["projects"].as_array().unwrap().len(), 30);
}

#[test]
fn names_of_owners_are_escaped() {
    let landscape = LANDSCAPE.replace("anna@example.com", "\"\\e[31manna\"");
    let shoots = shoot("garden-shop", "web", "1.31.14", "");
    let folder = folder::folder(&[("garden/all.yaml", &(landscape + &shoots))]);
    for format in ["text", "markdown", "html"] {
        let out = audit(&folder, &["--gardener-version", "1.142", "--format", format]);
        assert!(out.contains("31manna") && !out.contains('\u{1b}'), "{out}");
    }
}
