// SPDX-License-Identifier: Apache-2.0
//! Tests of the released chart. `CHART_PACKAGE=FOLDER cargo test --test cluster chart::packaged` keeps the package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::cluster::helm::Helm;

/// The version, the same as that of every other artifact of a release.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn the_chart_is_of_the_version_of_the_gate_that_it_installs() {
    let chart = include_str!("../../../charts/garden-gate/Chart.yaml");
    let chart: Value = serde_saphyr::from_str(chart).unwrap();
    for field in ["version", "appVersion"] {
        assert_eq!(chart[field], VERSION, "{field}");
    }
}

fn files(package: &Path) -> Vec<String> {
    let output = Command::new("tar").arg("-tzf").arg(package).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let list = String::from_utf8(output.stdout).unwrap();
    list.lines().map(str::to_owned).collect()
}

#[test]
fn the_package_is_the_chart_without_what_is_for_its_tests() {
    let Some(helm) = Helm::find() else { return };
    let kept = env::var_os("CHART_PACKAGE").map(PathBuf::from);
    let folder = tempdir().unwrap();
    let package = helm.package(folder.path());
    let name = format!("garden-gate-{VERSION}.tgz");
    assert_eq!(package.file_name().unwrap(), name.as_str());
    let files = files(&package);
    for file in ["Chart.yaml", "README.md", "values.yaml", "values.schema.json"] {
        assert!(files.contains(&format!("garden-gate/{file}")), "{files:?}");
    }
    let for_tests = files.iter().find(|file| file.starts_with("garden-gate/ci/"));
    assert_eq!(for_tests, None);
    assert_eq!(helm.render(&package), helm.render(Path::new(".")));
    if let Some(kept) = kept {
        fs::copy(&package, kept.join(name)).unwrap();
    }
}
