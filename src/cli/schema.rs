// SPDX-License-Identifier: Apache-2.0
use std::io::Write;

use anyhow::bail;
use serde_json::Value;

use super::versions::gardener_version;
use super::{Outcome, rules};
use crate::notify::{DESTINATIONS, destinations_schema};
use crate::review::notes::note;
use garden_gate_model::api::{Described, GardenerVersion, KINDS, described, json_schema};
use garden_gate_products::report::{OUTPUTS, json_document, output_schema};
use garden_gate_text::nearest::did_you_mean;

/// Arguments of `garden-gate schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: completion and checks in any editor with a YAML language server
  garden-gate schema Shoot > shoot.schema.json
and as the first line of a manifest
  # yaml-language-server: $schema=shoot.schema.json
The schema of an earlier version of Gardener
  garden-gate schema Shoot --gardener-version 1.145 > shoot.schema.json
JSON output of a command
  garden-gate schema review > review.schema.json

Exit codes:
  0  printed
  2  the kind or output is unknown")]
pub(super) struct Schema {
    /// Kind: Shoot, Project, CloudProfile, NamespacedCloudProfile, Seed, ExposureClass, SecretBinding,
    /// CredentialsBinding, Quota, Garden or Extension; or output: `review`, `audit`, `coverage`, `forecast`, `notify`, `plan`,
    /// `replay` or `rules` with `--format json`. Files: the `baseline` of `review`, the `destinations` of `notify`, and the data of a
    /// `site`.
    #[arg(value_name = "KIND|OUTPUT")]
    name: String,

    /// Version of Gardener whose fields and values the schema of a kind contains, such as 1.145 [default: the newest known
    /// version].
    #[arg(long, value_name = "VERSION", value_parser = gardener_version)]
    gardener_version: Option<GardenerVersion>,
}

impl Schema {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let kinds = KINDS.iter().map(|known| known.kind);
        let known: Vec<&str> = kinds.chain(OUTPUTS).chain([rules::OUTPUT, DESTINATIONS]).collect();
        let exact = known.iter().find(|it| it.eq_ignore_ascii_case(&self.name));
        let schema = exact.and_then(|it| match *it {
            rules::OUTPUT => Some(rules::output_schema()),
            DESTINATIONS => Some(destinations_schema()),
            it => output_schema(it).or_else(|| described(it).map(|kind| self.of_kind(kind))),
        });
        let Some(schema) = schema else {
            let hint = did_you_mean(&self.name, &known)
                .unwrap_or_else(|| format!("known are {}", known.join(", ")));
            bail!("no schema is known for `{}`; {hint}", self.name);
        };
        out.write_all(json_document(&schema)?.as_bytes())?;
        Ok(Outcome::Clean)
    }

    fn of_kind(&self, kind: &Described) -> Value {
        let version = self.gardener_version.unwrap_or_default();
        let known = version.known();
        if version != known {
            note(format_args!(
                "note: Gardener {version} is not known; this is the schema of Gardener {known}"
            ));
        }
        json_schema(kind, known)
    }
}
