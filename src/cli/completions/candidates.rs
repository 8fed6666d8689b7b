// SPDX-License-Identifier: Apache-2.0
//! Candidates for the word at the cursor.

use std::path::Path;

use clap::{Arg, Command, ValueHint};
use clap_complete::ArgValueCandidates;
use clap_complete::engine::{CompletionCandidate, complete};

use super::typed::TypedWords;
use crate::cli::rules;
use crate::garden::live::Target;
use crate::notify::DESTINATIONS;
use crate::review::git;
use garden_gate_core::config::Profile;
use garden_gate_core::rules::ALL;
use garden_gate_model::api::extensions::Extension;
use garden_gate_model::api::{GardenerVersion, KINDS, Kind};
use garden_gate_products::report::OUTPUTS;

/// Maximum number of candidates, and of names that are read for them.
const MOST: usize = 1_000;

/// Where the values of an argument come from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Values {
    /// Ids of rules and findings.
    Ids,
    Kinds,
    /// Kinds and outputs that have a schema.
    Schemas,
    Profiles,
    GardenerVersions,
    Extensions,
    /// Contexts of the kubeconfig.
    Contexts,
    /// Branches of the Git repository.
    Branches,
}

/// The values of arguments that neither clap nor the shell knows, by command and argument.
const VALUES: &[(&str, &str, Values)] = &[
    ("audit", "context", Values::Contexts),
    ("audit", "deny", Values::Ids),
    ("audit", "extensions", Values::Extensions),
    ("audit", "ignore", Values::Ids),
    ("audit", "profile", Values::Profiles),
    ("audit", "select", Values::Ids),
    ("audit", "versions", Values::GardenerVersions),
    ("audit", "warn", Values::Ids),
    ("check", "gardener_version", Values::GardenerVersions),
    ("coverage", "context", Values::Contexts),
    ("coverage", "extensions", Values::Extensions),
    ("coverage", "versions", Values::GardenerVersions),
    ("dump", "context", Values::Contexts),
    ("forecast", "context", Values::Contexts),
    ("forecast", "extensions", Values::Extensions),
    ("forecast", "versions", Values::GardenerVersions),
    ("lsp", "context", Values::Contexts),
    ("lsp", "deny", Values::Ids),
    ("lsp", "extensions", Values::Extensions),
    ("lsp", "git", Values::Branches),
    ("lsp", "ignore", Values::Ids),
    ("lsp", "profile", Values::Profiles),
    ("lsp", "select", Values::Ids),
    ("lsp", "versions", Values::GardenerVersions),
    ("lsp", "warn", Values::Ids),
    ("mcp", "context", Values::Contexts),
    ("mcp", "deny", Values::Ids),
    ("mcp", "extensions", Values::Extensions),
    ("mcp", "ignore", Values::Ids),
    ("mcp", "profile", Values::Profiles),
    ("mcp", "select", Values::Ids),
    ("mcp", "versions", Values::GardenerVersions),
    ("mcp", "warn", Values::Ids),
    ("review", "context", Values::Contexts),
    ("review", "deny", Values::Ids),
    ("review", "extensions", Values::Extensions),
    ("review", "git", Values::Branches),
    ("review", "ignore", Values::Ids),
    ("review", "profile", Values::Profiles),
    ("review", "select", Values::Ids),
    ("review", "versions", Values::GardenerVersions),
    ("review", "warn", Values::Ids),
    ("rules", "id", Values::Ids),
    ("rules", "kind", Values::Kinds),
    ("schema", "gardener_version", Values::GardenerVersions),
    ("schema", "name", Values::Schemas),
    ("serve", "gardener_version", Values::GardenerVersions),
];

/// Returns the lines by which the shell learns about the candidates.
///
/// The shell completes names of files, which it quotes. Values with characters that a shell interprets are left out.
///
/// # Errors
/// Fails if the words cannot be completed.
pub(super) fn lines(command: Command, typed: &TypedWords) -> anyhow::Result<String> {
    let kubeconfig = typed.path("--kubeconfig");
    let mut command = with_values(command, kubeconfig.as_deref());
    let words = typed.arguments();
    let last = words.len().saturating_sub(1);
    let found = complete(&mut command, words, last, None)?;
    let is_flag = typed.current().starts_with('-');
    let mut lines = String::new();
    let usable = found.iter().filter_map(|candidate| {
        let value = candidate.get_value().to_str().filter(|it| is_plain(it))?;
        // Flags are offered on request only, so that they do not hide names of files.
        (is_flag || !value.starts_with('-')).then_some((candidate, value))
    });
    for (candidate, value) in usable.take(MOST) {
        let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        lines.push_str(&typed.line(value, &help));
        lines.push('\n');
    }
    Ok(lines)
}

/// Reports whether no shell interprets a character of the value.
fn is_plain(value: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./@+,=:".contains(it);
    !value.is_empty() && value.chars().all(is_plain)
}

/// Returns the command with the sources of its values.
fn with_values(command: Command, kubeconfig: Option<&Path>) -> Command {
    let name = command.get_name().to_owned();
    command
        .mut_args(|arg| {
            if !arg.get_action().takes_values() {
                return arg;
            }
            let arg = arg.value_hint(ValueHint::Other);
            let id = arg.get_id().as_str();
            let known = VALUES.iter().find(|(of, argument, _)| *of == name && *argument == id);
            match known {
                Some((_, _, values)) => with_candidates(arg, *values, kubeconfig),
                None => arg,
            }
        })
        .mut_subcommands(|below| with_values(below, kubeconfig))
}

fn with_candidates(arg: Arg, values: Values, kubeconfig: Option<&Path>) -> Arg {
    let kubeconfig = kubeconfig.map(Path::to_owned);
    arg.add(ArgValueCandidates::new(move || match values {
        Values::Ids => ids(),
        Values::Kinds => named(Kind::judged().map(|kind| kind.as_str())),
        Values::Schemas => {
            let kinds = KINDS.iter().map(|known| known.kind);
            named(kinds.chain(OUTPUTS).chain([rules::OUTPUT, DESTINATIONS]))
        }
        Values::Profiles => named(Profile::NAMES),
        Values::GardenerVersions => {
            let known = |it: &GardenerVersion| it.known() == *it;
            let versions = (0..MOST)
                .filter_map(|minor| u16::try_from(minor).ok())
                .map(GardenerVersion::of_minor)
                .filter(known);
            named(versions.map(|it| it.to_string()).collect::<Vec<_>>().into_iter().rev())
        }
        Values::Extensions => named(Extension::all().map(|it| format!("{}=", it.name))),
        Values::Contexts => {
            let target = Target { kubeconfig: kubeconfig.clone(), context: None };
            // Completion has no place for an error.
            named(target.contexts().unwrap_or_default())
        }
        Values::Branches => named(git::branches(Path::new("."), MOST).unwrap_or_default()),
    }))
}

fn named(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<CompletionCandidate> {
    names.into_iter().map(Into::<String>::into).map(CompletionCandidate::new).collect()
}

/// Returns the ids of rules and findings with their summaries, each once.
fn ids() -> Vec<CompletionCandidate> {
    let rules = ALL.iter().map(|rule| (rule.id, rule.summary));
    let findings = ALL.iter().flat_map(|rule| rule.findings);
    let mut ids: Vec<_> = rules.chain(findings.map(|it| (it.id, it.summary))).collect();
    ids.sort_by_key(|(id, _)| *id);
    ids.dedup_by_key(|(id, _)| *id);
    let candidates = ids.into_iter();
    candidates
        .map(|(id, summary)| CompletionCandidate::new(id).help(Some(summary.into())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{VALUES, is_plain};
    use crate::cli::command;

    #[test]
    fn every_source_belongs_to_an_argument() {
        let mut root = command();
        root.build();
        let commands = || {
            let top = root.get_subcommands();
            top.flat_map(|it| std::iter::once(it).chain(it.get_subcommands()))
        };
        for (name, id, values) in VALUES {
            let mut of_name = commands().filter(|it| it.get_name() == *name);
            let has = of_name.any(|it| it.get_arguments().any(|arg| arg.get_id() == id));
            assert!(has, "{name} has no argument {id} for {values:?}");
        }
    }

    #[test]
    fn values_that_a_shell_interprets_are_left_out() {
        for value in
            ["shoot/worker-surge", "origin/main", "arn:aws:eks:eu:1:cluster/x", "user@host"]
        {
            assert!(is_plain(value), "{value}");
        }
        for value in ["", "$(id)", "`id`", "a;b", "a b", "a'b", "a\nb", "*", "~", "a|b", "!!", "é"]
        {
            assert!(!is_plain(value), "{value}");
        }
    }
}
