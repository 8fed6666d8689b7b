// SPDX-License-Identifier: Apache-2.0
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Subcommand;

use super::Outcome;
use super::policies::PolicyFiles;
use super::review::configuration;
use crate::config_files;
use garden_gate_core::config::{self, ConfigError, ConfigFiles, ConfigProblem};
use garden_gate_core::rules::known_ids;
use garden_gate_products::report::{Lines, json_document};

/// Arguments of `garden-gate config`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  garden-gate config check
  garden-gate config schema > config.schema.json")]
pub(super) struct Config {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print the JSON Schema of the configuration file.
    #[command(after_help = "\
Example: completion and checks in any editor with a YAML language server
  garden-gate config schema > config.schema.json
and as the first line of the configuration
  # yaml-language-server: $schema=config.schema.json")]
    Schema,
    /// Check a configuration file, and report all errors in it.
    Check(Check),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  garden-gate config check
  garden-gate config check config.yaml --policies policies/

Exit codes:
  0  the file is valid; there may be warnings
  1  the file is invalid; all errors are reported
  2  a file cannot be read, or a policy is invalid")]
struct Check {
    /// Configuration file [default: the first `.garden-gate.yaml` in the working directory or above, up to the root of the
    /// Git repository].
    file: Option<PathBuf>,
    /// Gardener's AdmissionConfiguration file that is used with it.
    #[arg(long, value_name = "FILE")]
    admission_config: Option<PathBuf>,
    #[command(flatten)]
    policies: PolicyFiles,
}

impl Config {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        match self.command {
            ConfigCommand::Schema => {
                let schema = json_document(&config::schema(&known_ids()))?;
                out.write_all(schema.as_bytes())?;
                Ok(Outcome::Clean)
            }
            ConfigCommand::Check(check) => check.run(out),
        }
    }
}

impl Check {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let is_found = self.file.is_none();
        let file = match self.file {
            Some(file) => file,
            None => configuration::find(Path::new("."))?.with_context(|| {
                format!(
                    "no `{}` in the working directory or above; name a FILE, or create one with `garden-gate init`",
                    configuration::NAME
                )
            })?,
        };
        let title = if is_found { format!("{}: ", file.display()) } else { String::new() };
        let files = ConfigFiles { config: Some(file), admission_config: self.admission_config };
        let policies = self.policies.load_for_server()?;
        match config_files::load(&files, &self.policies.known_ids(&policies)) {
            Ok(checked) => {
                report(out, &checked.warnings)?;
                Lines::plain(out).line(format_args!("{title}ok"))?;
                Ok(Outcome::Clean)
            }
            Err(ConfigError::Mistakes(problems)) => {
                report(out, &problems)?;
                Ok(Outcome::Problems)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn report(out: &mut dyn Write, problems: &[ConfigProblem]) -> std::io::Result<()> {
    let mut out = Lines::plain(out);
    problems.iter().try_for_each(|problem| out.block(&format!("{problem}\n")))
}
