// SPDX-License-Identifier: Apache-2.0
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::cli::Outcome;
use crate::cli::versions::gardener_version;
use crate::policy_files::{line, lines, texts};
use garden_gate_core::policies::{check, policies_in};
use garden_gate_model::api::GardenerVersion;
use garden_gate_products::report::Lines;
use garden_gate_text::go::and_more;

/// The number of printed errors after which further ones are only counted.
const MOST_LINES: usize = 1_000;

/// Arguments of `garden-gate policies check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  garden-gate policies check policies/

Exit codes:
  0  all policies are valid
  1  there are errors; at most 100 of a policy are printed
  2  a file cannot be read
  3  there are no policies")]
pub(super) struct Check {
    /// Files and directories.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Version of Gardener whose fields exist [default: the newest known version].
    #[arg(long, value_name = "VERSION", value_parser = gardener_version)]
    gardener_version: Option<GardenerVersion>,
}

impl Check {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let version = self.gardener_version.unwrap_or_default();
        let mut out = Lines::plain(out);
        let (mut policies, mut errors) = (0, 0);
        let (mut printed, mut omitted) = (0, 0);
        for (path, text) in texts(&self.paths)? {
            let documents = match policies_in(&text) {
                Ok(documents) => documents,
                Err(error) => {
                    errors += 1;
                    out.line(format_args!("{}", line(&path, &error)))?;
                    continue;
                }
            };
            for policy in documents {
                policies += 1;
                let found = check(&policy, version);
                errors += found.len();
                if found.is_empty() {
                    let (position, title) = (policy.position(), policy.title());
                    out.line(format_args!("{}:{position}: {title}: ok", path.display()))?;
                }
                if printed >= MOST_LINES {
                    omitted += found.len();
                    continue;
                }
                let lines = lines(&path, &found);
                printed += lines.len();
                for line in lines {
                    out.line(format_args!("{line}"))?;
                }
            }
        }
        if omitted > 0 {
            out.line(format_args!("{} errors", and_more(omitted)))?;
        }
        if policies == 0 && errors == 0 {
            out.line(format_args!("there are no policies"))?;
        }
        Ok(match (policies, errors) {
            (_, 1..) => Outcome::Problems,
            (0, _) => Outcome::Nothing,
            _ => Outcome::Clean,
        })
    }
}
