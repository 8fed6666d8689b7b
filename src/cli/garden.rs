//! Selection of the garden for a command.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use crate::garden::live::Target;
use crate::review::cluster::Live;

/// The flags of every command that reads a garden.
#[derive(Args, Debug)]
pub(super) struct GardenArgs {
    /// A directory of manifests that stands for the garden. Without a garden, what depends on other objects cannot be judged.
    /// `review` takes several: every object is judged with each of them.
    #[arg(long = "garden", value_name = "DIR")]
    pub(super) directories: Vec<PathBuf>,

    /// The garden directory has all objects of the garden: what is not in it does not exist, even if it has no Seed, Project or
    /// CloudProfile.
    #[arg(long = "whole-garden", conflicts_with = "live")]
    pub(super) is_whole: bool,

    /// The garden is a living garden cluster: what is needed of it is listed, once. Nothing is changed there.
    #[arg(long, conflicts_with = "directories")]
    live: bool,

    /// The kubeconfig of the garden cluster; else what KUBECONFIG names, ~/.kube/config, or the account of the pod.
    #[arg(long, value_name = "FILE", requires = "live")]
    kubeconfig: Option<PathBuf>,

    /// The context in the kubeconfig; else the current one.
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

    /// Returns the live garden cluster, if `--live` is set.
    ///
    /// # Errors
    /// Fails if the kubeconfig selects no cluster, or no client can be created.
    pub(super) fn live(&self) -> anyhow::Result<Option<Live>> {
        let target = Target {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
        };
        self.live.then(|| Live::find(&target)).transpose()
    }
}
