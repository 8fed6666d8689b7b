// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::policies::PolicyFiles;
use super::profile::ProfileArgs;
use super::review::{Configuration, LevelArgs};
use super::versions::{Variant, VersionArgs};
use garden_gate_core::config::Checked;
use garden_gate_core::policies::OwnPolicy;
use garden_gate_products::report::ConfigFile;

/// The flags by which stored objects are judged: configuration, policies, profile and levels.
#[derive(Args, Debug)]
pub(super) struct JudgingArgs {
    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    policies: PolicyFiles,

    #[command(flatten)]
    profile: ProfileArgs,

    #[command(flatten)]
    levels: LevelArgs,
}

/// The configuration and the policies of a command.
pub(super) struct Judging {
    pub(super) checked: Checked,
    pub(super) file: Option<ConfigFile>,
    pub(super) own_policies: Vec<OwnPolicy>,
}

impl JudgingArgs {
    /// Returns the arguments that select the same configuration again.
    pub(super) fn configuration_words(&self) -> Vec<OsString> {
        self.configuration.words()
    }

    /// Returns the arguments that select the same configuration, policies, profile and levels again.
    pub(super) fn words(&self) -> Vec<OsString> {
        let Self { configuration, policies, profile, levels } = self;
        let parts = [configuration.words(), policies.words(), profile.words(), levels.words()];
        parts.concat()
    }

    /// Returns the files and directories that these arguments name.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.configuration.paths().chain(self.policies.paths())
    }

    /// Returns Gardener's configuration file.
    pub(super) fn admission_config(&self) -> Option<&PathBuf> {
        self.configuration.admission_config()
    }

    /// Reports whether a configuration is searched for.
    pub(super) fn finds_configuration(&self) -> bool {
        self.configuration.is_found()
    }

    /// Returns the versions by which objects are judged.
    pub(super) fn versions(&self) -> &VersionArgs {
        &self.configuration.versions
    }

    /// Loads the configuration and the policies, with a variant of the versions.
    ///
    /// # Errors
    /// Fails if one cannot be read or is not valid.
    pub(super) fn load(&self, variant: &Variant) -> anyhow::Result<Judging> {
        let own_policies = self.policies.load(self.configuration.definitions(&[])?)?;
        let known = self.policies.known_ids(&own_policies);
        let (mut checked, file) = self.configuration.load(&[], &known, variant)?;
        self.profile.apply(&mut checked.config);
        self.levels.apply(&mut checked.config, &own_policies)?;
        Ok(Judging { checked, file, own_policies })
    }
}
