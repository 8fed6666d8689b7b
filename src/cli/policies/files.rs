// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::cli::words::named;
use crate::policy_files;
use crate::review::notes::note;
use garden_gate_core::config::KnownIds;
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules::known_ids;

const WITHOUT: &str = "there is no GardenPolicy and no ExtensionDefinition in the files of --policies, so that they have no effect; \
    policies of an API server and their bindings are read from the garden and from reviewed files";

/// The policies of operators for a command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub(crate) struct PolicyFiles {
    /// File or directory with GardenPolicies that are evaluated; may be given several times.
    #[arg(long, value_name = "PATH")]
    policies: Vec<PathBuf>,
}

impl PolicyFiles {
    /// Returns the compiled policies, and those of files with definitions of extensions, each file once.
    ///
    /// # Errors
    /// Fails with all errors in the files, or if a path cannot be read.
    pub(crate) fn load(&self, mut definitions: Vec<PathBuf>) -> anyhow::Result<Vec<OwnPolicy>> {
        let named: Vec<PathBuf> =
            self.policies.iter().filter_map(|it| fs::canonicalize(it).ok()).collect();
        definitions.retain(|it| {
            let path = fs::canonicalize(it);
            !path.is_ok_and(|it| named.iter().any(|named| it.starts_with(named)))
        });
        let has_others = !definitions.is_empty();
        definitions.extend(self.policies.iter().cloned());
        let loaded = policy_files::load(&definitions)?;
        let is_without = match &self.policies[..] {
            [] => false,
            named if has_others => policy_files::load(named)?.is_empty(),
            _ => loaded.is_empty(),
        };
        if is_without {
            note(format_args!("note: {WITHOUT}"));
        }
        Ok(loaded)
    }

    /// Returns the compiled policies, if a server can evaluate them.
    ///
    /// # Errors
    /// Fails as [`Self::load`], and for policies that cost too much.
    pub(crate) fn load_for_server(&self) -> anyhow::Result<Vec<OwnPolicy>> {
        Ok(policy_files::load_for_server(&self.policies, true)?)
    }

    /// Returns the arguments that select the same policies again.
    pub(crate) fn words(&self) -> Vec<OsString> {
        self.policies.iter().map(|it| named("--policies", it)).collect()
    }

    /// Returns the paths, which are not read yet.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.policies.iter()
    }

    /// Returns the paths.
    pub(crate) fn into_paths(self) -> Vec<PathBuf> {
        self.policies
    }

    /// Returns the ids that a configuration may contain; those of policies are only known if policies are named.
    pub(crate) fn known_ids(&self, policies: &[OwnPolicy]) -> KnownIds {
        let ids = policies.iter().map(OwnPolicy::id);
        KnownIds {
            policies: (!self.policies.is_empty()).then(|| ids.collect()),
            extensions: policies.iter().filter_map(OwnPolicy::known_extension).collect(),
            ..known_ids()
        }
    }
}
