// SPDX-License-Identifier: Apache-2.0
//! The command line: one file per command.
//!
//! Each command is a `struct` of arguments with a `run` that writes to the given output and returns an [`Outcome`]. An
//! error that prevents the work of a command is returned; `main` prints it once.

mod audit;
mod completions;
mod config;
mod coverage;
mod demo;
mod dump;
mod forecast;
mod garden;
mod hints;
mod horizon;
mod init;
mod judging;
mod landscape;
mod log;
mod lsp;
mod man;
mod mcp;
mod notify;
mod object_name;
mod outcome;
mod output;
mod plan;
mod plugin;
mod policies;
mod probe;
mod profile;
mod project_filter;
mod replay;
mod review;
mod rules;
mod schema;
mod serve;
mod site;
mod time;
mod versions;
mod webhooks;
mod words;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use garden_gate_text::escape;

pub use outcome::{Outcome, complaint};
pub use output::StandardStream;

use crate::files::confine;
use crate::mcp::READABLE;
use outcome::PROGRAM;

/// Maximum number of columns of help; longer lines are hard to read.
const WIDEST_HELP: usize = 100;

/// Admission control for Gardener landscapes.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    max_term_width = WIDEST_HELP,
    after_help = "\
Examples:
  garden-gate demo
  garden-gate review --garden dump/ shoots/
  garden-gate review --help

Exit codes:
  0  no problems
  1  problems were reported
  2  the command failed
  3  the input is empty
  4  a check is undetermined"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Report the state of all objects in a garden.
    ///
    /// Lists objects that would be refused if they were written again or re-created today, objects that have expired,
    /// are pending or cannot be maintained, and unused objects. Tables count them by rule, Project, owner and version.
    Audit(Box<audit::Audit>),
    /// Print a shell completion script.
    Completions(completions::Completions),
    /// Check a configuration file, or print its JSON Schema.
    Config(config::Config),
    /// Print which extensions a garden has, and what is judged of their decisions.
    ///
    /// Also lists webhooks of the API server, and policies that cannot be evaluated.
    Coverage(Box<coverage::Coverage>),
    /// Serve an example landscape: a forecast, an audit and the webhook, without a cluster.
    Demo(demo::Demo),
    /// Write the objects of a garden cluster into a garden directory.
    ///
    /// Writes the objects that rules read, for --garden. Of Secrets, InternalSecrets, ShootStates and Namespaces only
    /// the metadata is requested, and only the metadata that rules read is written. The cluster is not changed.
    Dump(dump::Dump),
    /// Predict the maintenance of Shoots.
    ///
    /// Reports which versions maintenance updates, when and why: automatically or by force. Also reports required updates
    /// that are impossible, and updates that a rule refuses. The forecast assumes that the garden does not change, except
    /// that versions pass through their lifecycle stages.
    Forecast(Box<forecast::Forecast>),
    /// Create a configuration file with comments.
    Init(init::Init),
    /// Run the language server for editors, on standard input and output.
    ///
    /// Reports the findings of `review` about open documents, and completes and documents fields and values.
    Lsp(Box<lsp::Lsp>),
    /// Write a man page for each command.
    Man(man::Man),
    /// Run a server of the Model Context Protocol for agents, on standard input and output.
    ///
    /// Offers the tools review, explain, fix, forecast, audit and schema. They read files below the directories of --root,
    /// and write nothing.
    Mcp(Box<mcp::Mcp>),
    /// Notify the owners of Projects of news of a landscape, before maintenance windows.
    ///
    /// Sends at most one message per Project and run to each destination: webhooks, Slack, Teams, e-mail, Markdown files and Events.
    /// A state remembers each fact, so that it is sent once, and again when it changes. Without destinations, the messages are
    /// printed.
    Notify(Box<notify::Notify>),
    /// Predict what a change does to the machines of Shoots.
    ///
    /// Counts the machines that are replaced, created, deleted or updated in place. It also prints waves, durations, additional
    /// machines and the lowest number of available machines, as machine-controller-manager updates each pool and zone.
    Plan(Box<plan::PlanCommand>),
    /// Check and test policies in files.
    Policies(policies::Policies),
    /// Send a test AdmissionReview to a server.
    Probe(probe::Probe),
    /// Judge recorded requests again: which get another verdict from a new configuration, version or policy.
    ///
    /// Reads the records of `serve --record`, and compares with the recorded verdicts. Each request is judged at its recorded
    /// time, with the garden of --garden.
    Replay(Box<replay::Replay>),
    /// Review manifests and AdmissionReviews, offline or against a live garden cluster.
    ///
    /// Judges each object separately, and all objects together as one change. Manifests are applied to the objects of
    /// the same names in the garden.
    #[command(aliases = ["check", "lint", "validate"])]
    Review(Box<review::Review>),
    /// List all rules, or explain one.
    #[command(alias = "explain")]
    Rules(rules::Rules),
    /// Print the JSON Schema of a kind, for editors, or of a JSON output.
    Schema(schema::Schema),
    /// Run the admission webhook server, over HTTPS.
    Serve(Box<serve::Serve>),
    /// Write the site of a landscape: what happens to each cluster, when, and what its owner must do.
    ///
    /// One page with the forecast and the audit of all Shoots: by Project, cluster, version, finding and rule. The folder can be
    /// opened from a disk, published by any web server, and kept as an artifact of CI.
    Site(Box<site::Site>),
    /// Print the webhook configurations that register a server.
    Webhooks(webhooks::Webhooks),
}

fn command() -> clap::Command {
    Arguments::command().name(PROGRAM)
}

impl Arguments {
    /// Parses a command line, whose first argument is the name of the program.
    ///
    /// As a plugin of `kubectl`, the help refers to `kubectl garden-gate`.
    ///
    /// # Errors
    /// Returns a usage error, or the requested help.
    pub fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let command =
            if plugin::is_called(words.first()) { plugin::named(command()) } else { command() };
        let mut command = command.term_width(output::width(&io::stdout()).min(WIDEST_HELP));
        let matches = match command.try_get_matches_from_mut(words) {
            Ok(matches) => matches,
            Err(error) => return Err(hints::explained(error, &command, words)),
        };
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// Runs the command.
///
/// # Errors
/// Returns the error that prevents the work of the command; exit code 2.
pub fn run(arguments: Arguments, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if let Some(paths) = env::var_os(READABLE) {
        confine(env::split_paths(&paths));
    }
    let outcome = match arguments.command {
        Command::Audit(command) => command.run(out),
        Command::Completions(command_line) => command_line.run(command(), out),
        Command::Config(command) => command.run(out),
        Command::Coverage(command) => command.run(out),
        Command::Demo(command) => command.run(out),
        Command::Dump(command) => command.run(out),
        Command::Forecast(command) => command.run(out),
        Command::Init(command) => command.run(out),
        Command::Lsp(command) => command.run(out),
        Command::Man(man) => man.run(command()),
        // Servers do not wait for standard output, which another thread may have locked.
        Command::Mcp(command) => return command.run(),
        Command::Notify(command) => command.run(out),
        Command::Plan(command) => command.run(out),
        Command::Replay(command) => command.run(out),
        Command::Policies(command) => command.run(out),
        Command::Probe(command) => command.run(out),
        Command::Review(command) => command.run(out),
        Command::Rules(command) => command.run(out),
        Command::Schema(command) => command.run(out),
        Command::Serve(command) => return command.run(),
        Command::Site(command) => command.run(out),
        Command::Webhooks(command) => command.run(out),
    }?;
    // The standard library flushes at the end of the process, and ignores errors.
    out.flush()?;
    Ok(outcome)
}

/// Returns a usage error in one line; clap prints several.
///
/// Returns `None` if help is printed instead.
pub fn usage_error(error: &clap::Error) -> Option<String> {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return None;
    }
    let text = error.render().to_string();
    let complaint = text.strip_prefix("error: ").unwrap_or(&text);
    let lines: Vec<&str> = complaint
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty() && !line.starts_with("tip: to pass"))
        .collect();
    let complaint = lines.join(" ").replace(" tip: ", "; ");
    Some(format!("{} (try `--help`)", escape::value(&complaint)))
}

/// Prints the requested help, or the help of a command that lacks a subcommand.
///
/// # Errors
/// Fails if it cannot be printed.
pub fn print_help(error: &clap::Error) -> anyhow::Result<ExitCode> {
    let stream = if error.use_stderr() { "standard error" } else { "standard output" };
    match error.print().and_then(|()| io::stdout().flush()) {
        // The reader has exited, as in `garden-gate --help | head -1`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        printed => printed.map_err(|error| output::cannot_write_to(stream, &error))?,
    }
    Ok(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)))
}
