// SPDX-License-Identifier: Apache-2.0
//! `garden-gate lsp`: the language server for editors.

use std::io::{Write, stdin};
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use jiff::Timestamp;

use super::Outcome;
use super::garden::GardenArgs;
use super::policies::PolicyFiles;
use super::profile::ProfileArgs;
use super::review::{Configuration, LevelArgs, RequestingUser};
use crate::lsp::{self, DirectorySource, End, GardenSource, Options};
use crate::review::repository::absolute;
use garden_gate_core::config::Config;

/// Arguments of `garden-gate lsp`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Input",
    after_help = "\
The editor starts the command, and sends requests on standard input.

Examples:
  garden-gate lsp --garden dump/
  garden-gate lsp --live --context landscape

Exit codes:
  0  the editor has shut down the server
  1  the editor has exited without a shutdown
  2  the command failed, or received a message that cannot be read"
)]
pub(super) struct Lsp {
    #[command(flatten)]
    garden: GardenArgs,

    /// Git revision with the old state of the manifests, as for `review --git` [default: HEAD, in a Git repository].
    #[arg(long, value_name = "REV", help_heading = "Input")]
    git: Option<String>,

    /// Time of verdicts, such as 2026-12-24T18:00:00Z, or a date (UTC) [default: now].
    #[arg(long, value_name = "TIME", value_parser = crate::cli::time::time, help_heading = "Input")]
    at: Option<Timestamp>,

    /// Namespace of manifests without one, as for kubectl [default with --live: the namespace of the context].
    #[arg(short, long, value_name = "NAME", help_heading = "Input")]
    namespace: Option<String>,

    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    policies: PolicyFiles,

    #[command(flatten)]
    profile: ProfileArgs,

    #[command(flatten, next_help_heading = "Rules")]
    levels: LevelArgs,

    #[command(flatten)]
    user: RequestingUser,
}

impl Lsp {
    /// Serves the editor until it exits.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let live = self.garden.live()?.map(Arc::new);
        let directory = self.garden.directory()?;
        let garden = match (&live, directory) {
            (Some(live), _) => Some(GardenSource::Live(Arc::clone(live))),
            (None, Some(directory)) => Some(GardenSource::Directory(DirectorySource {
                path: directory.clone(),
                is_whole: self.garden.is_whole,
                is_of_workspace: false,
            })),
            (None, None) => None,
        };
        let context = live.as_ref().map(|it| it.namespace().to_owned());
        let own_policies = self.policies.load(self.configuration.definitions(&[])?)?;
        let applier = self.user.applier(live.as_deref(), own_policies.into());
        let own_policies = &applier.own_policies;
        let known = self.policies.known_ids(own_policies);
        let adjust = |config: &mut Config| self.levels.apply(config, own_policies);
        let versions = self.configuration.versions.only()?;
        let load = |place: &Path| {
            let place = [place.to_owned()];
            let (mut checked, file) = self.configuration.load(&place, &known, &versions)?;
            if file.is_some_and(|it| it.is_found) && checked.review.tree.is_none() {
                // Without a repository, the files of the workspace are in the folder of the configuration.
                checked.review.tree = Some(absolute(&checked.review.folder)?);
            }
            self.profile.apply(&mut checked.config);
            adjust(&mut checked.config)?;
            Ok(checked)
        };
        let options = Options {
            load: &load,
            adjust: &adjust,
            garden,
            is_whole: self.garden.is_whole,
            applier: &applier,
            namespace: self.namespace.clone().or(context),
            revision: self.git.clone(),
            at: self.at,
        };
        match lsp::serve(&options, stdin(), out)? {
            End::Shutdown => Ok(Outcome::Clean),
            End::Vanished => Ok(Outcome::Problems),
        }
    }
}
