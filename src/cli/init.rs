// SPDX-License-Identifier: Apache-2.0
//! `garden-gate init`: creates a configuration and other files of a repository.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use super::Outcome;
use crate::files::{Trees, cannot_write, create_directory};
use garden_gate_products::report::{Lines, json_document};

/// The file name under which `review` and `forecast` find a configuration.
const FILE: &str = ".garden-gate.yaml";
const IGNORE_FILE: &str = ".garden-gate-ignore";
const WORKFLOW: &str = ".github/workflows/garden-gate.yaml";
const PRE_COMMIT: &str = ".pre-commit-config.yaml";
/// The garden directory if none is named.
const GARDEN: &str = "dump";

const HOOK: &str = "\
repos:
- repo: local
  hooks:
  - id: garden-gate
    name: garden-gate review
    entry: garden-gate review {options}
    language: system
    files: \\.(ya?ml|json)$
    pass_filenames: false
";

/// Arguments of `garden-gate init`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  garden-gate init
  garden-gate init --garden dump
  garden-gate init --garden dump --github OWNER/garden-gate@main --pre-commit
  garden-gate init --gardenadm --pre-commit self-hosted/

Existing files are never changed.

Exit codes:
  0  written
  2  the file exists, or could not be written")]
pub(super) struct Init {
    /// Directory for `.garden-gate.yaml` and `.garden-gate-ignore`: the root of a repository of manifests.
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,

    /// Garden directory of reviews, relative to DIR.
    #[arg(long, value_name = "DIR")]
    garden: Option<String>,

    /// DIR is the directory of `gardenadm init`, which `review --gardenadm` reviews without another garden.
    #[arg(long, conflicts_with_all = ["garden", "github"])]
    gardenadm: bool,

    /// Also write a workflow of GitHub Actions that runs this action for pull requests.
    #[arg(long, value_name = "OWNER/REPOSITORY@REVISION", value_parser = action)]
    github: Option<String>,

    /// Also write `.pre-commit-config.yaml` with a hook.
    #[arg(long)]
    pre_commit: bool,
}

/// Parses the reference of an action.
fn action(value: &str) -> Result<String, &'static str> {
    match value.split_once('@') {
        Some((repository, revision)) if repository.contains('/') && !revision.is_empty() => {
            Ok(value.to_owned())
        }
        _ => Err("expected OWNER/REPOSITORY@REVISION"),
    }
}

/// Creates a file; returns `false` if it exists.
fn create(path: &Path, text: &str) -> anyhow::Result<bool> {
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        file => file.with_context(|| cannot_write(path))?,
    };
    if let Err(error) = file.write_all(text.as_bytes()) {
        // Remove the partly written file.
        let _ = fs::remove_file(path);
        return Err(error).with_context(|| cannot_write(path));
    }
    Ok(true)
}

/// Returns the pattern of `.gitignore` for a directory; `None` if it is not below the file.
fn pattern(directory: &str) -> Option<String> {
    let mut pattern = String::new();
    for component in Path::new(directory).components() {
        match component {
            Component::Normal(name) => {
                pattern.push('/');
                for character in name.to_str()?.chars() {
                    if "\\*?[]!# ".contains(character) {
                        pattern.push('\\');
                    }
                    pattern.push(character);
                }
            }
            Component::CurDir => {}
            _ => return None,
        }
    }
    let is_line = !pattern.is_empty() && !pattern.contains(['\n', '\r']);
    is_line.then(|| format!("{pattern}/\n"))
}

impl Init {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let garden = self.garden.as_deref().unwrap_or(GARDEN);
        let mut files = vec![(FILE, self.configuration()?)];
        if let Some(pattern) = pattern(garden).filter(|_| !self.gardenadm) {
            files.push((IGNORE_FILE, pattern));
        }
        if let Some(action) = &self.github {
            files.push((WORKFLOW, self.workflow(action)?));
        }
        if self.pre_commit {
            let options = if self.gardenadm { "--gardenadm" } else { "--git HEAD" };
            files.push((PRE_COMMIT, HOOK.replace("{options}", options)));
        }
        let is_extended = self.github.is_some() || self.pre_commit;
        for (name, text) in files {
            let path = self.directory.join(name);
            if name == WORKFLOW
                && let Some(parent) = path.parent()
            {
                create_directory(parent).with_context(|| cannot_write(&path))?;
            }
            let folder = path.parent().unwrap_or(&self.directory);
            let resolved = Trees::new([&self.directory]).resolve(folder);
            resolved.with_context(|| cannot_write(&path))?;
            let mut lines = Lines::plain(out);
            if create(&path, &text)? {
                lines.line(format_args!("wrote {}", path.display()))?;
            } else if name == FILE && !is_extended {
                bail!(
                    "`{}` exists; edit it, and check it with `garden-gate config check {}`",
                    path.display(),
                    path.display()
                );
            } else if name == PRE_COMMIT {
                lines.line(format_args!("kept {}; add this hook:", path.display()))?;
                lines.block(&text)?;
            } else {
                lines.line(format_args!("kept {}", path.display()))?;
            }
        }
        if !self.gardenadm && !self.directory.join(garden).exists() {
            writeln!(out, "\nnext, write the objects of your garden into a directory:")?;
            Lines::plain(out).line(format_args!("  garden-gate dump {garden}"))?;
        }
        writeln!(out, "\nthen review the manifests:")?;
        match self.garden {
            _ if self.gardenadm => {
                let directory = self.directory.display();
                Lines::plain(out)
                    .line(format_args!("  garden-gate review --gardenadm {directory}"))?;
            }
            Some(_) => writeln!(out, "  garden-gate review")?,
            None => writeln!(out, "  garden-gate review --garden dump")?,
        }
        Ok(Outcome::Clean)
    }

    fn workflow(&self, action: &str) -> anyhow::Result<String> {
        let action = json_document(&action)?;
        // The configuration names the garden directory, unless there is none.
        let garden = match self.garden {
            Some(_) => String::new(),
            None => format!("      with:\n        garden: {GARDEN}\n"),
        };
        Ok(format!(
            "\
name: garden-gate
on: pull_request
permissions:
  contents: read
jobs:
  review:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
      with:
        fetch-depth: 0 # the history up to the common ancestor
    - uses: {}
{garden}",
            action.trim_end()
        ))
    }

    fn configuration(&self) -> anyhow::Result<String> {
        let garden = match &self.garden {
            // JSON strings are YAML, with any characters in the name of the directory.
            Some(garden) => format!("  garden: {}", json_document(garden)?.trim_end()),
            None if self.gardenadm => {
                "  # no garden: `review --gardenadm` takes the manifests as the whole garden"
                    .to_owned()
            }
            None => {
                "  # garden: dump        # the garden directory, as `garden-gate dump` writes it"
                    .to_owned()
            }
        };
        Ok(format!(
            "\
# The configuration of garden-gate. `garden-gate config schema` prints the JSON Schema of this file.
apiVersion: garden-gate.dev/v1alpha1
kind: GateConfiguration

# `documented` also refuses what Gardener only documents; `gardener` refuses exactly what Gardener refuses.
# `hardened` also warns about Shoots that violate the Security Hardened Shoot Cluster guide.
profile: documented

# Levels of rules and findings: deny, warn or off. `garden-gate rules` lists the ids.
rules: {{}}
  # advice/version-expiring: off

# Paths are relative to this file.
review:
{garden}
  failOn: undetermined    # or never, deny (refusals only), warn (warnings, too)
  # exclude: [vendor/]    # patterns as in a .gitignore
"
        ))
    }
}
