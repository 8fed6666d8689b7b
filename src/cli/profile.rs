// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;

use clap::Args;

use garden_gate_core::config::{Config, Profile};

/// The profile on the command line, which takes precedence over the configuration.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub(super) struct ProfileArgs {
    /// Default levels of all rules: documented, gardener or hardened [default: `profile` of the configuration].
    #[arg(long, value_name = "PROFILE")]
    profile: Option<Profile>,
}

impl ProfileArgs {
    /// Returns the arguments that select the same profile again.
    pub(super) fn words(&self) -> Vec<OsString> {
        let profile = self.profile.iter();
        profile.map(|it| format!("--profile={}", it.as_str()).into()).collect()
    }

    /// Sets the profile in a configuration.
    pub(super) fn apply(&self, config: &mut Config) {
        if let Some(profile) = self.profile {
            config.profile = profile;
        }
    }
}
