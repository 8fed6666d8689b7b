// SPDX-License-Identifier: Apache-2.0
//! `garden-gate coverage`: what is judged of a landscape.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};

use super::Outcome;
use super::garden::GardenArgs;
use super::review::Configuration;
use super::review::garden::{load_garden, note_missing_policies};
use crate::garden::directory::Reading;
use crate::garden::live::Needs;
use crate::review::notes::note;
use garden_gate_core::config::ReviewDefaults;
use garden_gate_core::garden::{ADMISSION_POLICIES, Snapshot, WEBHOOK_CONFIGURATIONS};
use garden_gate_core::rules::known_ids;
use garden_gate_model::api::Kind;
use garden_gate_products::coverage::landscape::{ExtensionCoverage, LandscapeCoverage, landscape};
use garden_gate_products::report::{Lines, json_document};

/// Arguments of `garden-gate coverage`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Output",
    after_help = "\
Examples:
  garden-gate coverage --garden dump/
  garden-gate coverage --live --format json

Exit codes:
  0  printed
  2  the command failed
  3  the garden has no extensions"
)]
pub(super) struct Coverage {
    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    configuration: Configuration,

    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A block of lines per extension.
    Text,
    /// A JSON document.
    Json,
}

impl Coverage {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let versions = self.configuration.versions.only()?;
        let (checked, _) = self.configuration.load(&[], &known_ids(), &versions)?;
        let garden = self.snapshot(&checked.review)?;
        note_missing_policies("", &garden, &checked.config);
        let coverage = landscape(&garden, &checked.config)
            .map_err(|why| anyhow!("the extensions of the garden are unknown: {why}"))?;
        match self.format {
            Format::Text => Lines::plain(out).block(&text(&coverage))?,
            Format::Json => out.write_all(json_document(&coverage)?.as_bytes())?,
        }
        if coverage.extensions.is_empty() {
            note(format_args!(
                "note: the garden has no extensions, as there is no ControllerRegistration"
            ));
            return Ok(Outcome::Nothing);
        }
        Ok(Outcome::Clean)
    }

    fn snapshot(&self, defaults: &ReviewDefaults) -> anyhow::Result<Snapshot> {
        if let Some(live) = self.garden.live()? {
            let mut kinds =
                BTreeSet::from([Kind::ControllerRegistration, Kind::ControllerDeployment]);
            kinds.extend(WEBHOOK_CONFIGURATIONS);
            kinds.extend(ADMISSION_POLICIES);
            let needs = Needs { kinds, ..Needs::default() };
            return Ok(live.list(&needs)?.snapshot);
        }
        let Some(directory) = self.garden.directory_or(defaults)? else {
            bail!("no garden is set; use --garden DIR or --live");
        };
        let reading = Reading { is_whole: self.garden.is_whole, ..Reading::default() };
        let loaded = load_garden(directory, reading)?;
        Ok(loaded.snapshot)
    }
}

fn text(coverage: &LandscapeCoverage) -> String {
    let mut text = String::new();
    for extension in &coverage.extensions {
        text.push_str(&title(extension));
        text.push('\n');
        if !extension.rules.is_empty() {
            line(&mut text, "judged by", &extension.rules.join(", "));
        }
        for limit in &extension.limits {
            line(&mut text, "limit", limit);
        }
    }
    if !coverage.policies.is_empty() {
        text.push_str("\nNot judged: policies and other webhooks of the API server\n");
    }
    for policy in &coverage.policies {
        let kinds = policy.kinds.join(", ");
        let why: String = policy.why.iter().map(|why| format!(": {why}")).collect();
        let _infallible = writeln!(text, "  {} for {kinds}{why}", policy.title);
    }
    text
}

/// Describes an extension in one line, such as `provider-aws: aws 1.74, findings refuse`.
fn title(extension: &ExtensionCoverage) -> String {
    let registration = match extension.registration.as_str() {
        "" => "(no ControllerRegistration)",
        name => name,
    };
    match (extension.extension, &extension.version) {
        (Some(name), Some(version)) => {
            let effect = if extension.refuses { "findings refuse" } else { "findings warn" };
            format!("{registration}: {name} {version}, {effect}")
        }
        _ => format!("{registration}: not judged, {}", extension.resources.join(", ")),
    }
}

fn line(text: &mut String, name: &str, value: &str) {
    let _infallible = writeln!(text, "  {name:9}  {value}");
}
