// SPDX-License-Identifier: Apache-2.0
//! Hints for commands and flags that other programs have.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::outcome::PROGRAM;
use garden_gate_text::nearest::meant;

/// Commands of other programs, with the arguments that have their effect.
const COMMANDS: &[(&str, &str)] = &[
    ("diff", "review --diff"),
    ("fix", "review --fix"),
    ("run", "serve"),
    ("start", "serve"),
    ("test", "policies test"),
    ("version", "--version"),
];

/// Adds a hint to a usage error, or replaces those of clap.
///
/// `root` is the whole program, and `words` its command line.
pub(super) fn explained(error: Error, root: &Command, words: &[OsString]) -> Error {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let command = called(root, words);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let Some(word) = context(ContextKind::InvalidSubcommand) else {
                return error;
            };
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let meant: Vec<String> = meant(&word, &names).into_iter().map(str::to_owned).collect();
            let known = COMMANDS.iter().find(|(name, _)| *name == word);
            let hint = match known {
                Some((_, arguments)) => {
                    let program = root.get_bin_name().unwrap_or(PROGRAM);
                    let hint = format!("use `{program} {arguments}`");
                    (ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]))
                }
                None if !meant.is_empty() => {
                    (ContextKind::SuggestedSubcommand, ContextValue::Strings(meant))
                }
                None => return error,
            };
            replaced(&error, command, (ContextKind::InvalidSubcommand, word), hint)
        }
        ErrorKind::UnknownArgument => {
            let flag = context(ContextKind::InvalidArg);
            let hint = flag.as_deref().and_then(|flag| hint_for_flag(flag, command));
            let (Some(flag), Some(hint)) = (flag, hint) else {
                return error;
            };
            let hint = (ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
            replaced(&error, command, (ContextKind::InvalidArg, flag), hint)
        }
        _ => error,
    }
}

/// Returns the command that a command line calls, at the lowest level.
fn called<'c>(root: &'c Command, words: &[OsString]) -> &'c Command {
    words
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .fold(root, |command, word| command.find_subcommand(word).unwrap_or(command))
}

/// Returns the same error with other hints.
fn replaced(
    error: &Error,
    command: &Command,
    (kind, wrong): (ContextKind, String),
    (hint_kind, hint): (ContextKind, ContextValue),
) -> Error {
    let mut replaced = Error::new(error.kind()).with_cmd(command);
    replaced.insert(kind, ContextValue::String(wrong));
    replaced.insert(hint_kind, hint);
    replaced
}

fn hint_for_flag(flag: &str, command: &Command) -> Option<String> {
    let has = |long| command.get_arguments().any(|it| it.get_long() == Some(long));
    match flag.split_once('=').map_or(flag, |(flag, _)| flag) {
        "-o" | "--output" | "--output-format" if has("format") => Some("use `--format`".to_owned()),
        "-f" | "--file" | "--filename" => {
            let path = command.get_positionals().find_map(|it| {
                let names = it.get_value_names()?.iter().map(|name| name.as_str());
                names.into_iter().find(|name| ["DIR", "FILE", "PATH"].contains(name))
            })?;
            let name = command.get_bin_name().unwrap_or(command.get_name());
            Some(format!("paths need no flag: `{name} {path}`"))
        }
        "-v" | "--verbose" => Some(match command.get_name() {
            "serve" => "RUST_LOG=debug makes the log verbose".to_owned(),
            _ if has("wide") => "use `--wide`".to_owned(),
            _ => "this command has no verbose output".to_owned(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use rstest::rstest;

    use crate::cli::{Arguments, usage_error};

    #[rstest]
    #[case::misspelt_command("reveiw", "a similar subcommand exists: 'review'")]
    #[case::misspelt_command_below("config chekc", "a similar subcommand exists: 'check'")]
    #[case::version("version", "use `garden-gate --version`")]
    #[case::fix("fix", "use `garden-gate review --fix`")]
    #[case::output("review -o json", "use `--format`")]
    #[case::long_output("forecast --output=json", "use `--format`")]
    #[case::output_of_alias("check -o json", "use `--format`")]
    #[case::file("review -f shoot.yaml", "paths need no flag: `garden-gate review PATH`")]
    #[case::file_of_configuration(
        "config check --file c.yaml",
        "paths need no flag: `garden-gate config check FILE`"
    )]
    #[case::verbose_server("serve -v", "RUST_LOG=debug makes the log verbose")]
    #[case::verbose("dump -v", "this command has no verbose output")]
    fn usage_error_has_hint(#[case] typed: &str, #[case] hint: &str) {
        let words = format!("garden-gate {typed}");
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let error = usage_error(&Arguments::read(&words).unwrap_err()).unwrap();
        assert!(error.contains(hint), "{error}");
        assert_eq!(error.matches("; ").count(), 1, "one hint: {error}");
    }
}
