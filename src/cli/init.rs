//! `garden-gate init`: creates a configuration file.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;

use super::Outcome;
use crate::files::cannot_write;
use crate::report::{Lines, json_document};

/// The file name under which `review` and `forecast` find a configuration.
const FILE: &str = ".garden-gate.yaml";

/// Arguments of `garden-gate init`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  garden-gate init
  garden-gate init --garden dump

Exit codes:
  0  written
  2  the file exists, or could not be written")]
pub(super) struct Init {
    /// Directory for `.garden-gate.yaml`: the root of a repository of manifests.
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,

    /// Garden directory of reviews, relative to DIR.
    #[arg(long, value_name = "DIR")]
    garden: Option<String>,
}

impl Init {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let path = self.directory.join(FILE);
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
                "`{}` exists; edit it, and check it with `garden-gate config check {}`",
                path.display(),
                path.display()
            ),
            file => file.with_context(|| cannot_write(&path))?,
        };
        let written = self.text().and_then(|text| {
            file.write_all(text.as_bytes())
                .with_context(|| cannot_write(&path))
        });
        if let Err(error) = written {
            // Remove the partly written configuration.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Lines::plain(out).line(format_args!("wrote {}", path.display()))?;
        let garden = self.garden.as_deref().unwrap_or("dump");
        if !self.directory.join(garden).exists() {
            writeln!(
                out,
                "\nnext, write the objects of your garden into a directory:"
            )?;
            Lines::plain(out).line(format_args!("  garden-gate dump {garden}"))?;
        }
        writeln!(out, "\nthen review the manifests:")?;
        match self.garden {
            Some(_) => writeln!(out, "  garden-gate review")?,
            None => writeln!(out, "  garden-gate review --garden dump")?,
        }
        Ok(Outcome::Clean)
    }

    fn text(&self) -> anyhow::Result<String> {
        let garden = match &self.garden {
            // JSON strings are YAML, with any characters in the name of the directory.
            Some(garden) => format!("  garden: {}", json_document(garden)?.trim_end()),
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
profile: documented

# Levels of rules and findings: deny, warn or off. `garden-gate rules` lists the ids.
rules: {{}}
  # advice/version-expiring: off

# Paths are relative to this file.
review:
{garden}
  failOn: deny            # or warn: warnings fail a review, too
  # exclude: [vendor/]    # patterns as in a .gitignore
"
        ))
    }
}
