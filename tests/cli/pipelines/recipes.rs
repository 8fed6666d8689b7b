// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::printed;
use crate::repository::{Printed, Repository};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn yaml(file: &str) -> Value {
    let text = fs::read_to_string(root().join(file)).unwrap();
    serde_saphyr::from_str(&text).unwrap()
}

/// A typical landscape in Git, on a branch that changes a Shoot compared with `origin/main`.
///
/// It also has the programs of a pipeline.
pub(crate) struct Landscape {
    pub(crate) repository: Repository,
    programs: TempDir,
}

impl Landscape {
    pub(crate) fn new() -> Self {
        let repository = Repository::new(&[]);
        copy(&root().join("tests/cli/pipelines/repository"), repository.path());
        copy(&root().join("examples/garden"), &repository.path().join("dump"));
        repository.git(&["init", "-q"]);
        repository.commit();
        repository.git(&["clone", "-q", "--bare", ".", ".git/origin"]);
        repository.git(&["remote", "add", "origin", ".git/origin"]);
        repository.git(&["fetch", "-q", "origin"]);
        repository.git(&["checkout", "-qb", "feature"]);
        repository.git(&["config", "user.name", "n"]);
        repository.git(&["config", "user.email", "e@example.com"]);
        let landscape = Self { repository, programs: TempDir::new().unwrap() };
        landscape.change("maximum: 3", "maximum: 5");
        landscape.repository.commit();
        let program = landscape.programs.path().join("garden-gate");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_garden-gate"), program).unwrap();
        landscape
    }

    /// Changes the Shoot in the plain manifest.
    pub(crate) fn change(&self, from: &str, to: &str) {
        let path = self.repository.path().join("shoots/gateway.yaml");
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(from));
        self.repository.write("shoots/gateway.yaml", &text.replace(from, to));
    }

    /// Adds an executable that precedes others in `PATH`.
    pub(crate) fn program(&self, name: &str, text: &str) {
        let path = self.programs.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Runs a script as CI systems do.
    pub(crate) fn run(&self, script: &str, environment: &[(&str, &str)]) -> Printed {
        let path = std::env::var("PATH").unwrap();
        let here = self.programs.path().display();
        let others = root().join("tests/cli/pipelines/programs");
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-euo", "pipefail", "-c", script])
            .current_dir(self.repository.path())
            .env("PATH", format!("{here}:{}:{path}", others.display()))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("TMPDIR", self.programs.path())
            .envs(environment.iter().copied());
        let output: Output = command.output().unwrap();
        printed(output)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Returns the blocks of the page in a language.
fn blocks(language: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/how-to/review-in-ci.md")).unwrap();
    let start = format!("\n```{language}\n");
    let blocks = page.split(&start).skip(1);
    let blocks: Vec<String> =
        blocks.map(|block| block.split_once("\n```").unwrap().0.to_owned()).collect();
    assert!(!blocks.is_empty(), "{language}");
    blocks
}

#[test]
fn every_command_of_the_page_runs() {
    for script in blocks("sh") {
        let landscape = Landscape::new();
        let (code, out, err) = landscape.run(&script, &[]);
        assert_eq!(code, Some(0), "{script}\n{out}{err}");
        assert!(out.contains(" allowed; "), "{script}\n{out}{err}");
    }
}

#[test]
fn what_is_to_be_left_out_is_left_out() {
    let landscape = Landscape::new();
    let ignored = blocks("text").join("\n");
    landscape.repository.write(".garden-gate-ignore", &ignored);
    let (code, out, _) =
        landscape.run("garden-gate review --garden dump --format json --strict-files", &[]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let of = |folder: &str| {
        let reviews = json["reviews"].as_array().unwrap().iter();
        let files = reviews.map(|it| it["file"].as_str().unwrap());
        files.filter(|it| it.starts_with(folder)).count()
    };
    assert_eq!((code, of("shoots/")), (Some(0), 1), "{out}");
    assert_eq!(of("dump/") + of("overlays/") + of("charts/"), 0, "{out}");
}

/// Collects the scripts of a job of GitHub Actions or GitLab CI.
fn scripts(job: &Value, found: &mut Vec<String>) {
    match job {
        Value::Array(items) => items.iter().for_each(|it| scripts(it, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::Array(lines) if name == "script" => {
                        found.extend(lines.iter().map(|it| it.as_str().unwrap().to_owned()));
                    }
                    value => scripts(value, found),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_pipeline_of_the_page_runs() {
    let mut ran = 0;
    for block in blocks("yaml") {
        let block: Value = serde_saphyr::from_str(&block).unwrap();
        let mut found = Vec::new();
        scripts(&block, &mut found);
        for script in found {
            let landscape = Landscape::new();
            let base = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", "origin/main")];
            let (code, out, err) = landscape.run(&script, &base);
            assert_eq!(code, Some(0), "{script}\n{out}{err}");
            assert!(out.contains("0 denied, 0 undetermined, 1 allowed"), "{out}");
            ran += 1;
        }
    }
    assert_eq!(ran, 1);
}

#[test]
fn page_uses_existing_inputs_and_hooks() {
    let (action, hooks) = (yaml("action.yml"), yaml(".pre-commit-hooks.yaml"));
    let mut used = 0;
    for block in blocks("yaml") {
        let block: Value = serde_saphyr::from_str(&block).unwrap();
        let steps = block.pointer("/jobs/review/steps").and_then(Value::as_array);
        let ours = |step: &&Value| step["uses"].as_str().unwrap().contains("/garden-gate@");
        for step in steps.into_iter().flatten().filter(ours) {
            for input in step["with"].as_object().unwrap().keys() {
                assert!(action["inputs"].get(input).is_some(), "{input}");
                used += 1;
            }
        }
        if let Some(hook) = block.pointer("/repos/0/hooks/0/id") {
            assert_eq!(*hook, hooks[0]["id"]);
            used += 1;
        }
    }
    assert_eq!(used, 3);
}

#[test]
fn the_configuration_of_the_page_is_one() {
    let is_ours = |it: &String| it.starts_with("rules:");
    let config = blocks("yaml").into_iter().find(is_ours).unwrap();
    let landscape = Landscape::new();
    landscape.repository.write(".garden-gate.yaml", &config);
    let write = "garden-gate review --write-baseline .garden-gate-baseline.json";
    let (code, out, err) =
        landscape.run(&format!("{write} && garden-gate review --git origin/main shoots"), &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("; configuration: .garden-gate.yaml\n"), "{out}");
}

/// The fixture has the usual structure of Flux or Argo CD repositories.
#[test]
fn a_repository_of_flux_and_argo_cd_is_reviewed_as_it_is() {
    let landscape = Landscape::new();
    let review = "garden-gate review --garden dump --format json clusters argocd shoots";
    let (code, out, _) = landscape.run(review, &[]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let reviews = json["reviews"].as_array().unwrap();
    assert_eq!((code, reviews.len()), (Some(0), 1), "{out}");
    assert_eq!(json["leftOut"]["others"], 5, "{out}");
    assert_eq!(json["leftOut"]["files"], Value::Array(Vec::new()));
    let (code, out, _) = landscape.run("garden-gate review clusters argocd", &[]);
    assert_eq!(code, Some(3), "{out}");
}

/// The replacement of `kustomize` returns its output for the fixture: the Shoot with the patch applied.
#[test]
fn what_is_built_is_the_shoot_with_its_patch() {
    let landscape = Landscape::new();
    let review = "kustomize build overlays/live | garden-gate review --garden dump --format json --old shoots/gateway.yaml -";
    let (_, out, err) = landscape.run(review, &[]);
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{err}"));
    assert_eq!(json["reviews"][0]["operation"], "UPDATE", "{out}");
    let patched: PathBuf = root().join("tests/cli/pipelines/programs/kustomize.yaml");
    assert!(fs::read_to_string(patched).unwrap().contains("purpose: production"));
}
