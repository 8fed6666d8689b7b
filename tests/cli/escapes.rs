// SPDX-License-Identifier: Apache-2.0
//! Hostile strings from manifests, gardens, configurations and file names, in every format of every command.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

mod expect;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use expect::expect;
use garden_gate::cli::{self, Arguments};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Parts of hostile strings.
const PARTS: &[&str] = &[
    "a",
    " ",
    "\u{1b}[2K\u{1b}[1A",
    "\u{1b}[31m",
    "\u{1b}]8;;https://evil.example\u{7}",
    "\u{9b}2K",
    "\u{7f}",
    "\u{0}",
    "\n::error::x",
    "\r::add-mask::denied\r\n",
    "::stop-commands::x",
    "##[add-mask]denied",
    "\t",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{feff}",
    "\u{fffe}",
    "\u{e0041}",
    "`",
    "``",
    "\n```\n",
    "[Approve](https://evil.example)",
    "![x](https://evil.example/x.png)",
    "[x]: https://evil.example",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<!-- ",
    "</details>",
    "</summary>",
    "]]>",
    "&lt;",
    "https://evil.example/x",
    "www.evil.example",
    "alice@evil.example",
    "@alice",
    "#123",
    "owner/repo#1",
    "GH-12",
    "|",
    "\\|",
    "\\",
    "*",
    "_",
    "~~",
    "$`x`$",
    "\n# x",
    "\n- x",
    "\n> x",
    "\n---\n",
    "%0A::error::x",
    ",line=1::",
    "\n\n",
    "'",
    "\"",
    "👍🏽",
    "漢字",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

fn hostile() -> impl Strategy<Value = String> {
    let parts = prop::collection::vec(prop::sample::select(PARTS), 1..5);
    parts.prop_map(|parts| parts.concat())
}

/// As [`hostile`], for the name of a file.
fn file_name() -> impl Strategy<Value = String> {
    hostile().prop_map(|name| {
        let name = name.replace(['/', '\0'], "_");
        let end = name.floor_char_boundary(200);
        format!("{}.json", &name[..end])
    })
}

/// Every format of `review`, of an audit, and of a forecast.
const REVIEW: &[&str] =
    &["text", "concise", "json", "sarif", "junit", "github", "markdown", "status"];
const AUDIT: &[&str] =
    &["text", "concise", "json", "sarif", "junit", "github", "markdown", "status", "openreports"];
const FORECAST: &[&str] = &["text", "json", "markdown", "html", "ics"];

/// Returns the standard output of a command, in process.
fn run(words: &[&str]) -> String {
    let words = ["garden-gate"].iter().chain(words);
    let words: Vec<OsString> = words.map(OsString::from).collect();
    let mut out = Vec::new();
    let arguments = Arguments::read(&words).unwrap();
    cli::run(arguments, &mut out).map_err(|error| cli::complaint(&error)).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns a Shoot with hostile strings in many kinds of fields.
fn shoot(texts: &[String; 6]) -> Value {
    let [name, namespace, key, value, version, kind] = texts;
    let mut shoot: Value = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "annotations": {key: value, "shoot.gardener.cloud/operation": value},
            "labels": {key: value},
            "creationTimestamp": value,
        },
        "spec": {
            "cloudProfile": {"kind": kind, "name": value},
            "region": value,
            "purpose": value,
            "kubernetes": {"version": version, "kubeAPIServer": {"featureGates": {key: true}, "runtimeConfig": {key: true}}},
            "networking": {"type": value, "pods": value},
            "provider": {"type": value, "workers": [{
                "name": name, "minimum": 2, "maximum": 1, "machine": {"type": value, "image": {"name": value, "version": version}},
                "labels": {key: value}, "taints": [{"key": key, "value": value, "effect": value}],
                "sysctls": {key: value},
            }]},
            "maintenance": {"timeWindow": {"begin": value, "end": value}},
            "hibernation": {"schedules": [{"start": value, "location": value}]},
        },
    });
    shoot["spec"][key] = json!(value);
    shoot
}

/// Returns a garden with a profile whose names and versions are hostile, and Shoots of it.
fn garden(texts: &[String; 6]) -> TempDir {
    let garden = TempDir::new().unwrap();
    for file in fs::read_dir("examples/garden").unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), garden.path().join(file.file_name())).unwrap();
    }
    let [name, namespace, key, value, ..] = texts;
    let project = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project", "metadata": {"name": name},
        "spec": {"namespace": namespace, "owner": {"kind": "User", "name": value, "apiGroup": "rbac.authorization.k8s.io"}},
    });
    write(garden.path(), "a.json", &shoot(texts).to_string());
    write(garden.path(), "b.json", &project.to_string());
    // A Shoot with a valid forecast.
    let shoots = fs::read_to_string("examples/garden/shoots.yaml").unwrap();
    let first = shoots.split("\n---\n").next().unwrap();
    let mut first: Value = serde_saphyr::from_str(first).unwrap();
    first["metadata"]["name"] = json!(name);
    first["metadata"]["annotations"] = json!({key: value});
    first["spec"]["kubernetes"]["version"] = json!("1.32.1");
    first["spec"]["provider"]["workers"][0]["name"] = json!(value);
    write(garden.path(), "c.json", &first.to_string());
    for object in policy(texts) {
        write(
            garden.path(),
            &format!("{}.json", object["kind"]).replace('"', ""),
            &object.to_string(),
        );
    }
    // Events of more than ten Shoots are grouped.
    for number in 0..9 {
        first["metadata"]["name"] = json!(format!("{name}-{number}"));
        write(garden.path(), &format!("d{number}.json"), &first.to_string());
    }
    garden
}

/// Returns a policy with a hostile name and message that refuses all Shoots, and its binding.
fn policy([name, _, _, message, ..]: &[String; 6]) -> [Value; 2] {
    let (version, kind) = ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy");
    let shoots = json!({
        "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"], "operations": ["*"], "resources": ["shoots"],
    });
    let spec = json!({
        "matchConstraints": {"resourceRules": [shoots]},
        "validations": [{"expression": "false", "message": message}],
    });
    let binding = json!({"policyName": name, "validationActions": ["Deny"]});
    let of_kind = |kind: &str, spec: Value| json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec});
    [of_kind(kind, spec), of_kind(&format!("{kind}Binding"), binding)]
}

fn texts() -> impl Strategy<Value = [String; 6]> {
    [(); 6].map(|()| hostile())
}

fn few(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        max_shrink_iters: 20,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(few(24))]
    #[test]
    fn manifests_in_every_format_of_review(texts in texts(), name in file_name()) {
        let files = folder(&[(name.as_str(), &shoot(&texts).to_string())]);
        let file = files.path().join(&name);
        let review = ["review", "--garden", "examples/garden", file.to_str().unwrap()];
        for format in REVIEW {
            expect(format, &run(&[&review, &["--format", format][..]].concat()));
        }
        expect("coloured", &run(&[&review, &["--color", "always"][..]].concat()));
    }

    #[test]
    fn broken_manifests_in_every_format_of_review(text in hostile(), name in file_name()) {
        let text = format!("apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata:\n  name: \"{text}");
        let files = folder(&[(name.as_str(), &text)]);
        let file = files.path().join(&name);
        for format in REVIEW {
            expect(format, &run(&["review", "--garden", "examples/garden", "--format", format, file.to_str().unwrap()]));
        }
    }

}

proptest! {
    #![proptest_config(few(8))]
    #[test]
    fn gardens_in_every_format_of_audit_and_forecast(texts in texts()) {
        let garden = garden(&texts); let garden = garden.path().to_str().unwrap();
        for format in AUDIT {
            expect(format, &run(&["audit", "--garden", garden, "--format", format]));
        }
        expect("text", &run(&["audit", "--garden", garden, "--each"]));
        for each in [&[][..], &["--each"]] {
            let audit = ["audit", "--garden", garden, "--color", "always"];
            expect("coloured", &run(&[&audit, each].concat()));
        }
        for format in FORECAST {
            expect(format, &run(&["forecast", "--garden", garden, "--format", format]));
        }
        expect("coloured", &run(&["forecast", "--garden", garden, "--color", "always"]));
        for format in ["text", "markdown", "html"] {
            expect(format, &run(&["forecast", "--garden", garden, "--details", "--format", format]));
        }
        for format in ["text", "json"] {
            expect(format, &run(&["notify", "--garden", garden, "--format", format]));
        }
        let messages = run(&["notify", "--garden", garden, "--format", "markdown"]);
        for message in messages.split("\n### ").skip(1) {
            expect("markdown", &format!("### {message}"));
        }
        let site = TempDir::new().unwrap();
        expect("text", &run(&["site", "--garden", garden, site.path().to_str().unwrap()]));
        for file in walkdir::WalkDir::new(site.path()).into_iter().map(Result::unwrap) {
            let name = file.file_name().to_str().unwrap();
            let is_written_by_hand = ["site.js", "site.css", ".garden-gate-site"].contains(&name);
            if file.file_type().is_file() && !is_written_by_hand {
                let format = if name == "index.html" { "page" } else { "document" };
                expect(format, &fs::read_to_string(file.path()).unwrap());
            }
        }
        let ladder = ["--cloud-profile", "stratus"];
        let difference = ["--with", "examples/garden/cloudprofile.yaml"];
        for (format, named) in [("text", "headings"), ("json", "json"), ("markdown", "markdown")] {
            for asked in [ladder, difference] {
                let forecast = ["forecast", "--garden", garden, "--format", format];
                expect(named, &run(&[&forecast, &asked[..]].concat()));
            }
        }
    }

    #[test]
    fn configurations(text in hostile()) {
        let config = json!({"apiVersion": text, text.clone(): text, "rules": {text.clone(): text}});
        let files = folder(&[("config.yaml", &config.to_string())]);
        let file = files.path().join("config.yaml");
        expect("text", &run(&["config", "check", file.to_str().unwrap()]));
    }
}

/// Returns all output of the built program.
fn printed_by(arguments: &[&str], folder: &Path) -> (String, String) {
    let mut command = garden_gate(arguments);
    let (_, out, err) = printed(command.current_dir(folder).output().unwrap());
    (out, err)
}

#[test]
fn file_names_and_errors_of_the_built_program() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let examples = examples.to_str().unwrap();
    let denied = fs::read_to_string("examples/manifests/shoot-denied.yaml").unwrap();
    for name in [
        "::error::x",
        "a\n::add-mask::denied",
        "\u{1b}[2K\u{1b}[1Aa",
        "\u{202e}a##[error]x",
        "`[x](https:⁄⁄evil.example)`",
    ] {
        let files = folder(&[
            (&format!("shoots/{name}.yaml"), &denied),
            (&format!("{name}/broken.yaml"), "kind: ["),
        ]);
        let garden = format!("{examples}/garden");
        for format in REVIEW {
            let (out, err) = printed_by(
                &["review", "--garden", &garden, "--format", format, "shoots"],
                files.path(),
            );
            assert!(!out.is_empty());
            expect(format, &out);
            expect("error", &err);
        }
        for arguments in [
            &["review", "--garden", name, "shoots"][..],
            &["review", "--garden", "gone", name],
            &["review", name],
            &["audit", "--garden", name],
            &["forecast", "--garden", name],
            &["forecast", "--garden", &garden, "--cloud-profile", name],
            &["config", "check", name],
            &["rules", name],
            &["rules", "--kind", name],
            &["schema", name],
            &["webhooks", "--url", name],
            &["webhooks", "--url", "https://a", "--config", name],
            &["probe", "--url", "https://a", "--ca", name],
            &["serve", "--garden", &garden, "--config", name],
            &[name],
        ] {
            let (out, err) = printed_by(arguments, files.path());
            expect("text", &out);
            assert!(!out.is_empty() || !err.is_empty(), "{arguments:?}");
            expect("error", &err);
        }
    }
}
