use std::io::Write;

use anyhow::bail;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::Outcome;
use crate::config::did_you_mean;
use crate::engine::Rule;
use crate::rules::{self, catalogue};

/// Arguments of `garden-gate rules`.
#[derive(Debug, clap::Args)]
pub(super) struct Rules {
    /// Explain the rule with this id, or the rules that report the finding with this id.
    id: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A table, or a page in Markdown.
    Text,
    /// A JSON list of rules; with their pages if an id is given.
    Json,
}

impl Rules {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        match (&self.id, self.format) {
            (None, Format::Text) => table(out)?,
            (None, Format::Json) => print_json(out, rules::ALL.iter().map(|rule| describe(rule)))?,
            (Some(id), Format::Text) => {
                let pages: Vec<String> = explain(id)?.into_iter().map(catalogue::page).collect();
                out.write_all(pages.join("\n").as_bytes())?;
            }
            (Some(id), Format::Json) => {
                print_json(out, explain(id)?.into_iter().map(describe_fully))?
            }
        }
        Ok(Outcome::Clean)
    }
}

fn explain(id: &str) -> anyhow::Result<Vec<&'static Rule>> {
    let explained = catalogue::explain(id);
    if explained.is_empty() {
        let hint = did_you_mean(id, &catalogue::known_ids().all())
            .unwrap_or_else(|| "`garden-gate rules` lists all".to_owned());
        bail!("no rule or finding has the id `{id}`; {hint}");
    }
    Ok(explained)
}

fn table(out: &mut dyn Write) -> std::io::Result<()> {
    let header = [
        "RULE",
        "DOCUMENTED",
        "GARDENER",
        "PHASE",
        "KINDS",
        "SUMMARY",
    ]
    .map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(header)
        .chain(rules::ALL.iter().map(|rule| row(rule)))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    for row in &rows {
        for (cell, width) in row.iter().zip(widths) {
            write!(out, "{cell:width$}  ")?;
        }
        writeln!(out, "{}", row[5])?;
    }
    Ok(())
}

fn row(rule: &Rule) -> [String; 6] {
    let kinds: Vec<&str> = catalogue::kinds(rule)
        .iter()
        .map(|kind| kind.as_str())
        .collect();
    [
        rule.id.to_owned(),
        rule.levels.documented.to_string(),
        rule.levels.gardener.to_string(),
        format!("{:?}", rule.phase).to_lowercase(),
        kinds.join(","),
        rule.summary.to_owned(),
    ]
}

fn describe(rule: &Rule) -> Value {
    let scopes = rule.scopes.iter().map(|scope| {
        let subresources: Vec<_> = scope.subresources.iter().map(|it| it.as_str()).collect();
        json!({"kind": scope.kind, "operations": scope.operations, "subresources": subresources})
    });
    let findings = rule
        .findings
        .iter()
        .map(|finding| json!({"id": finding.id, "summary": finding.summary}));
    json!({
        "id": rule.id,
        "summary": rule.summary,
        "phase": rule.phase,
        "code": rule.phase.code(),
        "mutates": rule.check.mutates(),
        "levels": {"documented": rule.levels.documented, "gardener": rule.levels.gardener},
        "scopes": scopes.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}

fn describe_fully(rule: &'static Rule) -> Value {
    let mut description = describe(rule);
    description["documentation"] = catalogue::documentation(rule).into();
    description
}

fn print_json(out: &mut dyn Write, rules: impl Iterator<Item = Value>) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&rules.collect::<Vec<_>>())?;
    writeln!(out, "{text}")?;
    Ok(())
}
