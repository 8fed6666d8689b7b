use std::io::Write;

use clap::Subcommand;

use super::Outcome;

/// Arguments of `garden-gate config`.
#[derive(Debug, clap::Args)]
pub(super) struct Config {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print the JSON Schema of the configuration file.
    Schema,
}

impl Config {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        match self.command {
            ConfigCommand::Schema => writeln!(out, "{{}}")?,
        }
        Ok(Outcome::Clean)
    }
}
