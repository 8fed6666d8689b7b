// SPDX-License-Identifier: Apache-2.0
//! The manifests of package managers and the component descriptor, for a release of fake archives.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const ADDRESS: &str = "https://example.com/OWNER/garden-gate/releases/download/v0";
const LINUX: [&str; 2] = ["linux-amd64.tar.gz", "linux-arm64.tar.gz"];
const OTHERS: [&str; 2] = ["darwin-arm64.tar.gz", "windows-amd64.zip"];

fn script(name: &str, argument: &Path, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
    command.arg(argument).envs(environment.iter().copied());
    command.output().unwrap()
}

/// Creates archives for these platforms, and their manifests.
fn released(archives: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for archive in archives {
        let file = folder.path().join(format!("garden-gate-{VERSION}-{archive}"));
        fs::write(file, archive).unwrap();
    }
    let address = [("RELEASE_URL", ADDRESS)];
    let output = script(".ci/manifests", folder.path(), &address);
    assert!(output.status.success(), "{output:?}");
    folder
}

fn read(folder: &TempDir, file: &str) -> String {
    fs::read_to_string(folder.path().join(file)).unwrap()
}

fn yaml(folder: &TempDir, file: &str) -> Value {
    serde_saphyr::from_str(&read(folder, file)).unwrap()
}

/// Returns the address and the checksum of an archive.
fn expected(folder: &TempDir, archive: &str) -> (String, String) {
    let name = format!("garden-gate-{VERSION}-{archive}");
    let output = Command::new("sha256sum").arg(folder.path().join(&name)).output();
    let sum =
        String::from_utf8(output.unwrap().stdout).unwrap().split(' ').next().unwrap().to_owned();
    (format!("{ADDRESS}/{name}"), sum)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn krew_manifest_lists_every_archive_with_its_checksum() {
    let archives = [LINUX, OTHERS].concat();
    let folder = released(&archives);
    let manifest = yaml(&folder, "garden-gate.yaml");
    assert_eq!(manifest["spec"]["version"], format!("v{VERSION}"));
    let platforms = manifest["spec"]["platforms"].as_array().unwrap();
    let found: BTreeSet<_> =
        platforms.iter().map(|it| (text(&it["uri"]), text(&it["sha256"]))).collect();
    let archives = archives.iter().map(|it| expected(&folder, it));
    assert_eq!(found, archives.collect());
    for platform in platforms {
        let is_windows = platform["selector"]["matchLabels"]["os"] == "windows";
        let program = if is_windows { "garden-gate.exe" } else { "garden-gate" };
        assert_eq!(platform["bin"], program);
    }
}

#[test]
fn homebrew_formula_has_the_checksums_of_linux_and_macos() {
    let folder = released(&[LINUX, OTHERS].concat());
    let formula = read(&folder, "garden-gate.rb");
    for archive in [LINUX[0], LINUX[1], OTHERS[0]] {
        let (address, sum) = expected(&folder, archive);
        let lines = format!("url \"{address}\"\n      sha256 \"{sum}\"\n");
        assert!(formula.contains(&lines), "{formula}");
    }
    assert!(!formula.contains("windows"), "{formula}");
    assert!(formula.contains("  homepage \"https://example.com/OWNER/garden-gate\"\n"));
    let opened = formula.lines().filter(|it| it.ends_with(" do"));
    let others = ["class ", "  def "];
    let others = formula.lines().filter(|line| others.iter().any(|it| line.starts_with(it)));
    let closed = formula.lines().filter(|it| it.trim() == "end");
    assert_eq!(opened.count() + others.count(), closed.count(), "{formula}");
    // Only machines with Ruby check the syntax.
    let file = folder.path().join("garden-gate.rb");
    if let Ok(output) = Command::new("ruby").arg("-c").arg(file).output() {
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn scoop_and_winget_manifests_have_the_checksum_of_windows() {
    let folder = released(&[LINUX, OTHERS].concat());
    let (address, sum) = expected(&folder, OTHERS[1]);
    let scoop: Value = serde_json::from_str(&read(&folder, "garden-gate.json")).unwrap();
    let archive = &scoop["architecture"]["64bit"];
    assert_eq!(archive["url"], address);
    assert_eq!(archive["hash"], sum);
    let prefix = "garden-gate.garden-gate";
    let installer = yaml(&folder, &format!("{prefix}.installer.yaml"));
    let installer = &installer["Installers"][0];
    assert_eq!(installer["InstallerUrl"], address);
    assert_eq!(installer["InstallerSha256"], sum.to_uppercase());
    for file in ["", ".installer", ".locale.en-US"] {
        let manifest = yaml(&folder, &format!("{prefix}{file}.yaml"));
        assert_eq!(manifest["PackageIdentifier"], prefix);
        assert_eq!(manifest["PackageVersion"], VERSION);
    }
}

#[test]
fn platforms_without_an_archive_are_left_out() {
    let folder = released(&LINUX);
    let platforms = &yaml(&folder, "garden-gate.yaml")["spec"]["platforms"];
    assert_eq!(platforms.as_array().unwrap().len(), 2);
    assert!(!read(&folder, "garden-gate.rb").contains("on_macos"));
    for file in ["garden-gate.json", "garden-gate.garden-gate.yaml"] {
        assert!(!folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn component_descriptor_names_image_and_chart_by_digest() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("component-descriptor.yaml");
    let digest = "0123456789abcdef".repeat(4);
    let reference = |name: &str| format!("example.com/{name}:{VERSION}@sha256:{digest}");
    let (image, chart) = (reference("garden-gate"), reference("charts/garden-gate"));
    let mut environment = [
        ("IMAGE", image.as_str()),
        ("CHART", &chart),
        ("COMPONENT", "example.com/OWNER/garden-gate"),
        ("SOURCE", "https://example.com/OWNER/garden-gate"),
    ];
    let output = script(".ci/component", &file, &environment);
    assert!(output.status.success(), "{output:?}");
    let descriptor = yaml(&folder, "component-descriptor.yaml");
    assert_eq!(descriptor["meta"]["schemaVersion"], "v2");
    let component = &descriptor["component"];
    assert_eq!(component["version"], VERSION);
    let resources = component["resources"].as_array().unwrap();
    for (resource, reference) in resources.iter().zip([&image, &chart]) {
        assert_eq!(resource["access"]["imageReference"], *reference);
        assert_eq!(resource["digest"]["value"], digest);
    }
    environment[0].1 = "example.com/garden-gate:latest";
    let output = script(".ci/component", &file, &environment);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
