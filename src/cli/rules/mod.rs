// SPDX-License-Identifier: Apache-2.0
//! `garden-gate rules`: the catalogue of rules.

mod table;

use std::io::{IsTerminal as _, Write, stdout};

use anyhow::bail;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Outcome;
use super::output::width;
use garden_gate_core::admission::{Applicability, Kind, Operation, Phase, Rule};
use garden_gate_core::catalogue;
use garden_gate_core::config::Level;
use garden_gate_core::rules;
use garden_gate_products::report::{json_document, schema};
use garden_gate_text::nearest::did_you_mean;

/// Arguments of `garden-gate rules`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
On a terminal, the list fits its width, and has the level in profile
`documented`, the default. Otherwise, and with --wide, each rule is one line
with all properties.

Examples:
  garden-gate rules --kind Shoot
  garden-gate rules shoot/worker-
  garden-gate rules shoot/toleration-not-whitelisted

Exit codes:
  0  printed
  2  no rule has this id or prefix")]
pub(super) struct Rules {
    /// Id of a rule or finding to explain, or prefix of the ids of rules to list.
    #[arg(value_name = "ID|PREFIX")]
    id: Option<String>,
    /// List only rules that apply to this kind.
    #[arg(long, value_parser = kind)]
    kind: Option<Kind>,
    /// Print one line per rule, with all profiles, phase and kinds, also on a terminal.
    #[arg(long)]
    wide: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A table, or pages in Markdown.
    Text,
    /// A JSON list of rules, with their pages if an id is given.
    Json,
}

/// The selected rules.
enum Chosen {
    /// With their pages.
    Explained(Vec<&'static Rule>),
    /// One line each.
    Listed(Vec<&'static Rule>),
}

impl Rules {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        match (self.chosen()?, self.format) {
            (Chosen::Listed(rules), Format::Text) => match self.width() {
                Some(width) => table::narrow(out, &rules, width)?,
                None => table::wide(out, &rules)?,
            },
            (Chosen::Listed(rules), Format::Json) => {
                print_json(out, rules.into_iter().map(describe))?;
            }
            (Chosen::Explained(rules), Format::Text) => {
                let pages: Vec<String> = rules.into_iter().map(catalogue::page).collect();
                out.write_all(pages.join("\n").as_bytes())?;
            }
            (Chosen::Explained(rules), Format::Json) => {
                print_json(out, rules.into_iter().map(describe_fully))?;
            }
        }
        Ok(Outcome::Clean)
    }

    fn chosen(&self) -> anyhow::Result<Chosen> {
        let chosen = match &self.id {
            None => Chosen::Listed(catalogue::all().collect()),
            Some(id) => find(id)?,
        };
        let (Chosen::Explained(rules) | Chosen::Listed(rules)) = &chosen;
        let Some(kind) = self.kind else {
            return Ok(chosen);
        };
        let mut of_kind = rules.clone();
        of_kind.retain(|rule| rule.kinds().contains(&kind));
        if of_kind.is_empty() {
            let which = self.id.as_ref().map(|id| format!(" of `{id}`"));
            bail!("no rule{} applies to {kind}", which.unwrap_or_default());
        }
        Ok(match chosen {
            Chosen::Explained(_) => Chosen::Explained(of_kind),
            Chosen::Listed(_) => Chosen::Listed(of_kind),
        })
    }

    /// Returns the number of columns of the terminal, if standard output is one and lines are to fit.
    fn width(&self) -> Option<usize> {
        let fits = stdout().is_terminal() && !self.wide;
        fits.then(|| width(&stdout()))
    }
}

fn find(id: &str) -> anyhow::Result<Chosen> {
    let explained = catalogue::explain(id);
    if !explained.is_empty() {
        return Ok(Chosen::Explained(explained));
    }
    let listed = catalogue::beginning_with(id);
    if listed.is_empty() {
        let hint = did_you_mean(id, &rules::known_ids().all())
            .unwrap_or_else(|| "`garden-gate rules` lists all".to_owned());
        bail!("no rule or finding has the id `{id}`, and none has this prefix; {hint}");
    }
    Ok(Chosen::Listed(listed))
}

/// Parses the name of a judged kind, in any case.
fn kind(name: &str) -> Result<Kind, String> {
    let judged: Vec<Kind> = Kind::judged().collect();
    let known = judged.iter().find(|kind| kind.as_str().eq_ignore_ascii_case(name));
    known.copied().ok_or_else(|| {
        let names: Vec<&str> = judged.iter().map(|kind| kind.as_str()).collect();
        let hint = did_you_mean(name, &names);
        hint.unwrap_or_else(|| format!("rules apply to {}", names.join(", ")))
    })
}

/// A rule.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Rule")]
struct Described {
    /// The id.
    id: &'static str,
    /// The violation or effect in one line.
    summary: &'static str,
    /// The phase of the request.
    phase: Phase,
    /// HTTP status code of a refusal.
    code: u16,
    /// True if the rule changes objects.
    mutates: bool,
    /// The best fix that findings of the rule can have.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Applicability>,
    /// The levels by profile.
    levels: LevelsOf,
    /// The requests that the rule applies to.
    scopes: Vec<ScopeOf>,
    /// The findings that the rule reports.
    findings: Vec<FindingOf>,
    /// Documentation page in Markdown, if an id is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<&'static str>,
}

/// Levels by profile.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Levels")]
struct LevelsOf {
    /// The level in the profile `documented`.
    documented: Level,
    /// The level in the profile `gardener`.
    gardener: Level,
    /// The level in the profile `hardened`.
    hardened: Level,
}

/// Requests that the rule applies to.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Scope")]
struct ScopeOf {
    /// The kind of object.
    kind: &'static str,
    /// The operations.
    operations: &'static [Operation],
    /// The subresources; empty for the object itself.
    subresources: Vec<&'static str>,
}

/// A finding that the rule reports.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Finding")]
struct FindingOf {
    /// The id.
    id: &'static str,
    /// The violation in one line.
    summary: &'static str,
}

/// The name of the schema of `rules --format json`.
pub(super) const OUTPUT: &str = "rules";

/// Returns the JSON Schema of `rules --format json`.
pub(super) fn output_schema() -> Value {
    schema::<Vec<Described>>()
}

fn describe(rule: &'static Rule) -> Described {
    let scopes = rule.scopes.iter().map(|scope| ScopeOf {
        kind: scope.kind.as_str(),
        operations: scope.operations,
        subresources: scope.subresources.iter().map(|it| it.as_str()).collect(),
    });
    let findings =
        rule.findings.iter().map(|finding| FindingOf { id: finding.id, summary: finding.summary });
    Described {
        id: rule.id,
        summary: rule.summary,
        phase: rule.phase,
        code: rule.phase.code(),
        mutates: rule.mutates(),
        fix: rule.fixes,
        levels: LevelsOf {
            documented: rule.levels.documented,
            gardener: rule.levels.gardener,
            hardened: rule.levels.hardened,
        },
        scopes: scopes.collect(),
        findings: findings.collect(),
        documentation: None,
    }
}

fn describe_fully(rule: &'static Rule) -> Described {
    Described { documentation: Some(rule.documentation), ..describe(rule) }
}

fn print_json(out: &mut dyn Write, rules: impl Iterator<Item = Described>) -> anyhow::Result<()> {
    out.write_all(json_document(&rules.collect::<Vec<_>>())?.as_bytes())?;
    Ok(())
}
