// SPDX-License-Identifier: Apache-2.0
//! Selection of the garden for a command.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::words::named;
use crate::config_files;
use crate::garden::live::Target;
use crate::review::cluster::Live;
use garden_gate_core::config::ReviewDefaults;

/// The flags of every command that reads a garden.
#[derive(Args, Debug)]
#[command(next_help_heading = "Garden")]
pub(super) struct GardenArgs {
    /// Directory with the manifests of the garden.
    ///
    /// Without a garden, checks that depend on other objects are undetermined. `review` accepts several directories, and
    /// judges every object with each of them.
    #[arg(long = "garden", value_name = "DIR")]
    pub(super) directories: Vec<PathBuf>,

    /// Treat objects missing from the garden directory as nonexistent, even if it has no Seed, Project or CloudProfile.
    #[arg(long = "whole-garden", conflicts_with = "live")]
    pub(super) is_whole: bool,

    /// Read the garden from a live garden cluster: required objects are listed once, and nothing is changed.
    #[arg(long, conflicts_with = "directories")]
    live: bool,

    /// Kubeconfig of the garden cluster [default: the files in KUBECONFIG, ~/.kube/config, or the service account of the
    /// pod].
    #[arg(long, value_name = "FILE", requires = "live")]
    kubeconfig: Option<PathBuf>,

    /// Context in the kubeconfig [default: the current context].
    #[arg(long, value_name = "NAME", requires = "live")]
    context: Option<String>,
}

impl GardenArgs {
    /// Returns the garden directory of a command that accepts at most one.
    ///
    /// # Errors
    /// Fails if there are several.
    pub(super) fn directory(&self) -> anyhow::Result<Option<&PathBuf>> {
        match &self.directories[..] {
            [] => Ok(None),
            [directory] => Ok(Some(directory)),
            _ => bail!("--garden may be given once here; only `review` takes several"),
        }
    }

    /// Returns the garden directory like [`Self::directory`], or else the configured one; `None` with `--live`.
    ///
    /// # Errors
    /// Fails if there are several, or a configuration that was found names one outside of its tree.
    pub(super) fn directory_or<'a>(
        &'a self,
        defaults: &'a ReviewDefaults,
    ) -> anyhow::Result<Option<&'a PathBuf>> {
        match self.directory()? {
            None if !self.live => Ok(config_files::garden(defaults)?),
            directory => Ok(directory),
        }
    }

    /// Returns the files that the command reads for the garden.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.kubeconfig.iter()
    }

    /// Returns the arguments that select the live garden cluster again.
    pub(super) fn live_words(&self) -> Vec<String> {
        let kubeconfig = self
            .kubeconfig
            .iter()
            .map(|it| it.display().to_string())
            .flat_map(|it| ["--kubeconfig".to_owned(), it]);
        let context = self.context.iter().flat_map(|it| ["--context".to_owned(), it.clone()]);
        ["--live".to_owned()].into_iter().chain(kubeconfig).chain(context).collect()
    }

    /// Returns the arguments that select the same garden again.
    pub(super) fn words(&self) -> Vec<OsString> {
        let directories = self.directories.iter().map(|it| named("--garden", it));
        let is_whole = self.is_whole.then(|| "--whole-garden".into());
        let live = self.live.then(|| "--live".into());
        let kubeconfig = self.kubeconfig.iter().map(|it| named("--kubeconfig", it));
        let context = self.context.iter().map(|it| format!("--context={it}").into());
        directories.chain(is_whole).chain(live).chain(kubeconfig).chain(context).collect()
    }

    /// Returns the flags that select a garden.
    pub(super) fn selected(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("--garden", !self.directories.is_empty()),
            ("--whole-garden", self.is_whole),
            ("--live", self.live),
        ];
        flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag))
    }

    /// Returns the live garden cluster, if `--live` is set.
    ///
    /// # Errors
    /// Fails if the kubeconfig selects no cluster, or no client can be created.
    pub(super) fn live(&self) -> anyhow::Result<Option<Live>> {
        let target = Target { kubeconfig: self.kubeconfig.clone(), context: self.context.clone() };
        self.live.then(|| Live::find(&target)).transpose()
    }
}
