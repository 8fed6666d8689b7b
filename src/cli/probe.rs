use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use http::Uri;
use tokio::runtime::Runtime;

use super::Outcome;
use super::webhooks::certificates;
use crate::report::Lines;
use crate::server::probe;

/// Arguments of `garden-gate probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  garden-gate probe --url https://garden-gate.garden-gate.svc --ca ca.crt

Exit codes:
  0  it gave a verdict
  2  it gave none, or could not judge")]
pub(super) struct Probe {
    /// Where the gate is, for example `https://gate.example.com:9443`.
    #[arg(long, value_name = "URL")]
    url: Uri,
    /// What its certificate is signed by, as PEM.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// The gate is in a Shoot cluster, where it judges workload.
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
                "the gate answers, but cannot judge: {message}"
            ))?;
            return Ok(Outcome::Undetermined);
        }
        match probed.allowed {
            true => out.line(format_args!(
                "ok: the server judged the test request (allowed)"
            ))?,
            false => out.line(format_args!(
                "ok: the server judged the test request (denied, which is expected)"
            ))?,
        }
        Ok(Outcome::Clean)
    }
}
