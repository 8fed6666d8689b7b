// SPDX-License-Identifier: Apache-2.0
//! The rule catalogue for users: `garden-gate rules` and `docs/rules/` show the same text.

use std::fmt::Write;

use crate::admission::{
    Applicability, EntryPoints, Phase, Rule, SILENCE_PREFIX, Scope, Stage, Subresource,
};
use crate::config::Level;
use crate::policies::defined_rules;
use crate::rules::ALL;
use garden_gate_model::api::Versions;

/// Returns all rules, and the shipped definitions of extensions.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().copied().chain(defined_rules())
}

/// Returns the rule with this id, else every rule that reports a finding with this id.
pub fn explain(id: &str) -> Vec<&'static Rule> {
    match all().find(|rule| rule.id == id) {
        Some(rule) => vec![rule],
        None => all().filter(|rule| rule.reports(id)).collect(),
    }
}

/// Returns the rules whose ids have this prefix, else those that report a finding whose id has it.
///
/// Returns none for an empty prefix.
pub fn beginning_with(prefix: &str) -> Vec<&'static Rule> {
    let all = || self::all().filter(|_| !prefix.is_empty());
    let rules: Vec<&Rule> = all().filter(|rule| rule.id.starts_with(prefix)).collect();
    if !rules.is_empty() {
        return rules;
    }
    let reports = |rule: &Rule| {
        let mut findings = rule.findings.iter();
        findings.any(|finding| finding.id.starts_with(prefix))
    };
    all().filter(|rule| reports(rule)).collect()
}

/// Returns a rule's whole page as Markdown.
pub fn page(rule: &Rule) -> String {
    let mut page = format!("# `{}`\n\n{}\n\n", rule.id, sentence(rule.summary));
    let levels = rule.levels;
    let scopes: Vec<String> = rule.scopes.iter().map(scope).collect();
    let mut cells = vec![
        ("level in profile `documented`", at(rule, levels.documented)),
        ("level in profile `gardener`", at(rule, levels.gardener)),
        ("decided", decided(rule)),
        ("requests", scopes.join("; ")),
        ("fix", fix(rule).to_owned()),
    ];
    // The profile usually has the levels of `documented`.
    if levels.hardened != levels.documented {
        let level = at(rule, levels.hardened);
        cells.insert(2, ("level in profile `hardened`", level));
    }
    let (names, values): (Vec<&str>, Vec<String>) = cells.into_iter().unzip();
    let _infallible = writeln!(
        page,
        "| {} |\n|{}\n| {} |\n",
        names.join(" | "),
        "---|".repeat(names.len()),
        values.join(" | ")
    );
    page += rule.documentation;
    page += "\n## Findings\n\n| id | meaning |\n|---|---|\n";
    for finding in rule.findings {
        let versions = in_parentheses(finding.versions);
        let _infallible = writeln!(page, "| `{}` | {}{versions} |", finding.id, finding.summary);
    }
    page + &levels_of_change(rule) + &silencing(rule)
}

/// Returns the fix that `review --fix` or `--fix=all` has for some findings of a rule.
pub fn fix(rule: &Rule) -> &'static str {
    rule.fixes.map_or("none", Applicability::as_str)
}

/// Formats a level of a rule; for a rule that refuses nothing, the level only enables or disables it.
fn at(rule: &Rule, level: Level) -> String {
    match rule.effect {
        Some(_) if level != Level::Off => format!("{level} (refuses nothing)"),
        _ => level.to_string(),
    }
}

/// Returns the meaning of the levels for a mutating rule.
fn levels_of_change(rule: &Rule) -> String {
    if !matches!(rule.stage, Stage::Mutate | Stage::Fill) {
        return String::new();
    }
    let (deny, warn) = match rule.effect {
        Some(_) => ("objects are changed; nothing is refused", "the same: objects are changed"),
        None => (
            "objects are changed; one that cannot be is refused with a finding",
            "objects are changed just the same; one that cannot be passes as it is, with a warning",
        ),
    };
    format!(
        "\n## Levels\n\n| level | what it means |\n|---|---|\n| `deny` | {deny} |\n| `warn` | {warn} |\n\
         | `off` | objects stay as they are |\n"
    )
}

/// Explains how to silence the rule's warnings; refusals in every profile cannot be silenced.
fn silencing(rule: &Rule) -> String {
    let levels = rule.levels;
    let warns = [levels.documented, levels.gardener, levels.hardened].contains(&Level::Warn);
    let is_silenced = warns && rule.entry_points != EntryPoints::Plan;
    let Some(finding) = rule.findings.first().filter(|_| is_silenced) else {
        return String::new();
    };
    format!(
        "\nAn object silences a warning about itself with an annotation, such as\n\
         `{SILENCE_PREFIX}{}: \"the reason until 2027-01-31\"`: see\n\
         [silencing](../../how-to/silence-warnings.md).\n",
        finding.id.replacen('/', ".", 1)
    )
}

/// Returns the page that lists all rules by subject as Markdown, with links to their pages.
pub fn index() -> String {
    let mut rules: Vec<&Rule> = all().collect();
    rules.sort_unstable_by_key(|rule| rule.id);
    let mut page = String::from(INDEX_INTRODUCTION);
    let (mut subjects, mut tables) = (String::new(), String::new());
    for group in rules.chunk_by(|one, next| subject(one) == subject(next)) {
        let (name, count) = (subject(group[0]), group.len());
        let _infallible = writeln!(subjects, "| [`{name}`](#{name}) | {count} |");
        let _infallible = writeln!(
            tables,
            "\n## {name}\n\n| rule | level | decided | summary |\n|---|---|---|---|"
        );
        for rule in group {
            let (id, summary) = (rule.id, rule.summary);
            let (level, decided) = (levels(rule), decided(rule));
            let _infallible =
                writeln!(tables, "| [`{id}`]({id}.md) | {level} | {decided} | {summary} |");
        }
    }
    page += &subjects;
    page + &tables
}

const INDEX_INTRODUCTION: &str = "\
# Rules

This page lists all rules by the first part of their ids, which is a kind or another subject. `garden-gate rules ID` prints the page of a rule.

```sh
garden-gate rules shoot/tolerations-invalid
```

| column | meaning |
|---|---|
| level | `deny`, `warn` or `off` in the default profile `documented`, and in other [profiles](../explanation/parity.md#profiles) if it differs there |
| decided | the [phase](../explanation/verdicts.md#phases) with its HTTP status, and where the rule runs |

The [configuration](../reference/configuration.md#levels) sets levels by the id of a rule, by the id of one of its findings, or by a pattern such as `shoot/*`.
An annotation of an object [silences](../how-to/silence-warnings.md) a warning about it.

| subject | rules |
|---|---|
";

/// Returns the first part of a rule's id.
fn subject(rule: &Rule) -> &'static str {
    rule.id.split_once('/').map_or(rule.id, |(subject, _)| subject)
}

/// Formats the level in the default profile, and those of the other profiles that differ from it.
fn levels(rule: &Rule) -> String {
    let levels = rule.levels;
    let others = [("gardener", levels.gardener), ("hardened", levels.hardened)]
        .into_iter()
        .filter(|(_, level)| *level != levels.documented);
    others.fold(levels.documented.to_string(), |text, (profile, level)| {
        format!("{text}; {level} in `{profile}`")
    })
}

/// Formats the versions of Gardener that have something, if they are not all.
fn in_parentheses(versions: Versions) -> String {
    match versions {
        Versions::ALL => String::new(),
        versions => format!(" ({versions})"),
    }
}

fn decided(rule: &Rule) -> String {
    let phase = phase(rule.phase) + &in_parentheses(rule.versions);
    match rule.entry_points {
        EntryPoints::Review => format!("{phase}; only `review` judges it"),
        EntryPoints::Plugin => {
            format!("{phase}; `serve` judges it with `admission: complete`")
        }
        EntryPoints::Audit => "by `audit` alone".to_owned(),
        EntryPoints::Plan => "by `plan --workload` alone".to_owned(),
        EntryPoints::Offline => "by the extension's admission component (403)".to_owned(),
        EntryPoints::All => phase,
    }
}

fn phase(phase: Phase) -> String {
    let name = match phase {
        Phase::Decoding => "while decoding",
        Phase::Mutating => "while mutating",
        Phase::Static => "by static validation",
        Phase::Admission => "by admission",
    };
    format!("{name} ({})", phase.code())
}

fn scope(scope: &Scope) -> String {
    let operations: Vec<&str> = scope.operations.iter().map(|op| op.as_str()).collect();
    let parts = scope.subresources.iter().filter(|part| **part != Subresource::Itself);
    let subresources: String = parts.map(|it| format!(", `{}`", it.as_str())).collect();
    let itself =
        if scope.subresources.contains(&Subresource::Itself) { "" } else { " (subresource only)" };
    format!("{} {}{itself}{subresources}", scope.kind, operations.join(", "))
}

/// Formats a summary as a separate sentence; ids and code at its beginning keep their case.
fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    let first: String =
        letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
