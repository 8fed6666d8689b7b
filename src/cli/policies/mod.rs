// SPDX-License-Identifier: Apache-2.0
//! `garden-gate policies`: checks and tests policies in files.

mod check;
mod files;
mod test;

use std::io::Write;

use clap::{Args, Subcommand};

use super::Outcome;
use check::Check;
use test::Test;

pub(super) use files::PolicyFiles;

/// Arguments of `garden-gate policies`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  garden-gate policies check policies/
  garden-gate policies test examples/policies")]
pub(super) struct Policies {
    #[command(subcommand)]
    command: PoliciesCommand,
}

#[derive(Debug, Subcommand)]
enum PoliciesCommand {
    /// Check policies, and report errors and fields that do not exist.
    ///
    /// Checks GardenPolicies, ValidatingAdmissionPolicies, MutatingAdmissionPolicies and their bindings, as an API server does. Other documents are skipped.
    Check(Check),
    /// Run the tests of policies.
    ///
    /// Each directory with a PolicyTest is a garden, with the policies in it. The cases are judged by policies only, not by rules.
    Test(Test),
}

impl Policies {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        match self.command {
            PoliciesCommand::Check(check) => check.run(out),
            PoliciesCommand::Test(test) => test.run(out),
        }
    }
}
