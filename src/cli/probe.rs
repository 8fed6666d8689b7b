// SPDX-License-Identifier: Apache-2.0
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use http::Uri;
use tokio::runtime::Runtime;

use super::Outcome;
use super::webhooks::certificates;
use crate::server::probe;
use garden_gate_products::report::Lines;

/// Arguments of `garden-gate probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  garden-gate probe --url https://garden-gate.garden-gate.svc --ca ca.crt

Exit codes:
  0  the server returned a verdict
  2  it returned none
  4  the verdict is undetermined")]
pub(super) struct Probe {
    /// URL of the server, for example `https://gate.example.com:9443`.
    #[arg(long, value_name = "URL")]
    url: Uri,
    /// CA bundle of the serving certificate, as PEM.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// Send a workload object instead of a Shoot, for a server in a Shoot cluster.
    #[arg(long)]
    shoot_cluster: bool,
}

impl Probe {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let (_, ca) = certificates(&self.ca, "--ca")?;
        if self.url.scheme_str() != Some("https") {
            bail!("`{}` does not begin with `https://`", self.url);
        }
        let runtime = Runtime::new().context("failed to start threads")?;
        let probed = runtime.block_on(probe(&self.url, ca, self.shoot_cluster))?;
        let message = probed.message;
        let mut out = Lines::plain(out);
        if !probed.is_judged {
            out.line(format_args!(
                "the server answers, but its verdict is undetermined: {message}"
            ))?;
            return Ok(Outcome::Undetermined);
        }
        if probed.allowed {
            out.line(format_args!("ok: the server judged the test request (allowed)"))?;
        } else {
            out.line(format_args!(
                "ok: the server judged the test request (denied, which is expected)"
            ))?;
        }
        Ok(Outcome::Clean)
    }
}
