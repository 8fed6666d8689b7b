// SPDX-License-Identifier: Apache-2.0
//! The script that compares garden-gate with a release of Gardener, and the workflow that runs it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::command::printed;
use crate::pipelines::recipes::yaml;
use crate::repository::{Printed, Repository};

/// Prints the arguments and the variables that the script sets.
const PRINTER: &str = r#"#!/bin/sh
echo "$(basename "$0") $*" sources="${GARDENER_SOURCES##*/}" server="${GARDENER_APISERVER##*/}" version="$PARITY_VERSION"
"#;

/// A clone of Gardener, and programs that print how the script calls them.
struct Release {
    gardener: Repository,
    programs: TempDir,
}

impl Release {
    fn new() -> Self {
        let gardener = Repository::new(&[]);
        gardener.git(&["init", "-q"]);
        for tag in ["v1.9.1", "v1.148.0", "v1.148.2", "v1.149.9", "v1.149.10", "v1.150.0-rc.1"] {
            gardener.write("VERSION", &format!("{tag}\n"));
            gardener.commit();
            gardener.git(&["tag", tag]);
        }
        let programs = TempDir::new().unwrap();
        for name in ["go", "cargo"] {
            let path = programs.path().join(name);
            fs::write(&path, PRINTER).unwrap();
            fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        Self { gardener, programs }
    }

    fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Printed {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/gardener-release");
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(script);
        command
            .args(arguments)
            .env("PATH", format!("{}:{path}", self.programs.path().display()))
            .env_remove("GARDENER_REPOSITORY")
            .env_remove("GARDENER_APISERVER")
            .env_remove("PARITY_VERSION")
            .envs(variables.iter().copied())
            .current_dir(self.gardener.path());
        printed(command.output().unwrap())
    }
}

#[test]
fn newest_tags_of_two_minor_versions_are_compared() {
    let (code, out, err) = Release::new().run(&[], &[("GARDENER_REPOSITORY", ".")]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("compared with v1.149.10\n"), "{out}");
    assert!(out.contains(" sources=new server= version=\n"), "{out}");
    assert!(!out.contains("Random requests"), "{out}");
}

#[test]
fn server_of_the_newer_version_is_built_and_compared() {
    let variables = [("GARDENER_REPOSITORY", "."), ("GARDENER_APISERVER", "build")];
    let (code, out, err) = Release::new().run(&["v1.9.1", "v1.148.2"], &variables);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("./cmd/gardener-apiserver"), "{out}");
    let last = out.lines().last().unwrap();
    assert!(
        last.ends_with("live_server sources= server=gardener-apiserver version=v1.148.2"),
        "{out}"
    );
}

#[test]
fn difference_is_exit_code_1() {
    let release = Release::new();
    let cargo = release.programs.path().join("cargo");
    fs::write(cargo, "#!/bin/sh\necho differs\nexit 101\n").unwrap();
    let (code, out, _) = release.run(&[".", "."], &[]);
    assert_eq!(code, Some(1));
    assert!(out.ends_with("differs\n"), "{out}");
}

#[test]
fn missing_sources_are_explained() {
    let release = Release::new();
    let usage =
        "usage: .ci/gardener-release OLD NEW, or GARDENER_REPOSITORY=CLONE .ci/gardener-release\n";
    assert_eq!(release.run(&[], &[]), (Some(1), String::new(), usage.to_owned()));
    let (code, _, err) = release.run(&["v1.148.2", "v1.149.9"], &[]);
    assert_eq!(code, Some(1));
    assert!(err.starts_with("`v1.148.2` is not a folder; "), "{err}");
    let (code, _, err) = release.run(&["v1.148.2", "v9"], &[("GARDENER_REPOSITORY", ".")]);
    assert_eq!(code, Some(1));
    assert!(err.contains("`v9` cannot be exported from "), "{err}");
}

/// Schedules run in every fork, so that a maintainer has to enable them.
#[test]
fn scheduled_comparison_has_to_be_enabled() {
    let workflow = yaml(".github/workflows/gardener-release.yml");
    assert!(workflow["on"]["schedule"][0]["cron"].is_string());
    let job = &workflow["jobs"]["compare"];
    assert_eq!(
        job["if"],
        "github.event_name == 'workflow_dispatch' || vars.GARDENER_RELEASES == 'true'"
    );
    let steps = job["steps"].as_array().unwrap();
    let step = steps.iter().find(|it| it["env"].is_object()).unwrap();
    assert!(step["run"].as_str().unwrap().starts_with(".ci/gardener-release $OLD $NEW "));
    for (variable, input) in [("OLD", "old"), ("NEW", "new")] {
        assert!(workflow["on"]["workflow_dispatch"]["inputs"][input].is_object());
        assert_eq!(step["env"][variable], format!("${{{{ inputs.{input} }}}}"));
    }
    let script = fs::read_to_string(".ci/gardener-release").unwrap();
    for variable in ["GARDENER_REPOSITORY", "GARDENER_APISERVER", "PARITY_CASES"] {
        assert!(step["env"][variable].is_string(), "{variable}");
        assert!(script.contains(variable), "{variable}");
    }
}
