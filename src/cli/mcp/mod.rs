// SPDX-License-Identifier: Apache-2.0
//! `garden-gate mcp`: a server of the Model Context Protocol for agents.

use std::io::{stdin, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::Outcome;
use super::garden::GardenArgs;
use super::judging::{Judging, JudgingArgs};
use super::review::configuration::NAME;
use super::versions::Variant;
use crate::mcp::{self, Commands, Limits, Options, Roots};
use crate::review::repository::absolute;

/// The least size of an answer, which has a summary at least.
const SMALLEST_OUTPUT: u64 = 16 << 10;
/// The largest one, which a model could still read.
const LARGEST_OUTPUT: u64 = 16 << 20;
/// The longest call, in seconds.
const LONGEST_CALL: u64 = 3600;

/// Arguments of `garden-gate mcp`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Server",
    after_help = "\
The client starts the command, and sends requests on standard input.

Examples:
  garden-gate mcp
  garden-gate mcp --root shoots/ --garden dump/
  garden-gate mcp --live --context landscape

Exit codes:
  0  the client has closed the connection
  2  the command failed, or the first message is not valid"
)]
pub(super) struct Mcp {
    /// Directory whose files tools may read; may be given several times. Relative paths are those of the first.
    #[arg(
        long = "root",
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true,
        help_heading = "Server"
    )]
    roots: Vec<PathBuf>,

    /// Maximum size of an answer in bytes; longer ones are shortened.
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 10, value_parser = RangedU64ValueParser::<usize>::new().range(SMALLEST_OUTPUT..=LARGEST_OUTPUT), help_heading = "Server")]
    max_output: usize,

    /// Maximum duration of a call in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=LONGEST_CALL), help_heading = "Server")]
    timeout: u64,

    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    judging: JudgingArgs,
}

impl Mcp {
    /// Serves the client until it closes the connection.
    pub(super) fn run(&self) -> anyhow::Result<Outcome> {
        self.judging.versions().only()?;
        let roots = Roots::open(&self.roots)?;
        self.garden.directory()?;
        let options = Options {
            others: self.others()?,
            commands: Commands {
                garden: self.garden.words(),
                configuration: self.judging.configuration_words(),
                judging: self.judging.words(),
                finds_configuration: self.judging.finds_configuration(),
                configuration_name: NAME,
            },
            limits: Limits { output: self.max_output, duration: Duration::from_secs(self.timeout) },
            roots,
        };
        mcp::serve(options, stdin(), stdout())?;
        Ok(Outcome::Clean)
    }

    /// Returns the paths that the operator names, also in a named configuration, which is checked.
    fn others(&self) -> anyhow::Result<Vec<PathBuf>> {
        let named = self.garden.directories.iter().chain(self.judging.paths());
        let mut others = named.cloned().collect::<Vec<_>>();
        if !self.judging.finds_configuration() {
            let Judging { checked, .. } = self.judging.load(&Variant::default())?;
            others.extend(checked.review.garden);
            others.extend(checked.review.baseline);
        }
        others.iter().map(|it| absolute(it)).collect()
    }
}
