use std::io::Write;

use anyhow::bail;

use super::Outcome;
use crate::config::did_you_mean;
use crate::fields::{KINDS, described, json_schema};
use crate::report::json_document;

/// Arguments of `garden-gate schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: completion and checks in any editor with a YAML language server
  garden-gate schema Shoot > shoot.schema.json
and as the first line of a manifest
  # yaml-language-server: $schema=shoot.schema.json

Exit codes:
  0  printed
  2  there is no schema of that kind")]
pub(super) struct Schema {
    /// The kind: Shoot, Project, CloudProfile, NamespacedCloudProfile, Seed, ExposureClass, SecretBinding,
    /// CredentialsBinding or Quota.
    kind: String,
}

impl Schema {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let known: Vec<&str> = KINDS.iter().map(|known| known.kind).collect();
        let exact = known.iter().find(|it| it.eq_ignore_ascii_case(&self.kind));
        let Some(kind) = exact.and_then(|it| described(it)) else {
            let hint = did_you_mean(&self.kind, &known)
                .unwrap_or_else(|| format!("there are {}", known.join(", ")));
            bail!("there is no schema of a kind `{}`; {hint}", self.kind);
        };
        out.write_all(json_document(&json_schema(kind))?.as_bytes())?;
        Ok(Outcome::Clean)
    }
}
