// SPDX-License-Identifier: Apache-2.0
//! Commands with their options, examples and exit codes, from clap.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::{Arg, Command, CommandFactory as _};
use garden_gate::cli::Arguments;

use crate::docs::{assert_current, assert_current_part, files_below, root};

/// Returns a command and all commands below it.
fn with_subcommands(command: &Command) -> Vec<Command> {
    let below = command.get_subcommands().flat_map(with_subcommands);
    std::iter::once(command.clone()).chain(below).collect()
}

/// Returns the commands, with the arguments that clap adds.
fn top_level() -> Vec<Command> {
    let mut root = Arguments::command().disable_help_subcommand(true);
    root.build();
    root.get_subcommands().cloned().collect()
}

/// Returns the subcommands at all levels.
fn commands() -> Vec<Command> {
    top_level().iter().flat_map(with_subcommands).collect()
}

/// Returns the name without that of the program, such as `config check`.
fn name(command: &Command) -> &str {
    let name = command.get_bin_name().unwrap();
    name.strip_prefix("garden-gate ").unwrap()
}

/// Returns the paragraphs below the options, each as its first line and the others.
fn notes(command: &Command) -> Vec<(String, String)> {
    let help = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    let parts = help
        .split("\n\n")
        .filter_map(|part| part.split_once('\n'))
        .map(|(first, rest)| (first.to_owned(), rest.to_owned()));
    parts.collect()
}

/// Returns the default in a help text, `[default: VALUE]`, and the text without it.
fn own_default(help: &str) -> (String, String) {
    let Some((text, rest)) = help.split_once(" [default") else {
        return (help.to_owned(), String::new());
    };
    let (default, rest) = rest.split_once(']').unwrap();
    let default = default.trim_start_matches([':', ' ']);
    (format!("{text}{rest}"), default.to_owned())
}

fn row(command: &str, arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).unwrap().to_string();
    let (mut text, mut default) =
        own_default(&help.split_whitespace().collect::<Vec<_>>().join(" "));
    if arg.get_action().takes_values() {
        let defaults = arg.get_default_values().iter();
        let defaults: Vec<String> = defaults.map(|it| format!("`{}`", it.display())).collect();
        default += &defaults.join(", ");
        let possible =
            if arg.is_hide_possible_values_set() { Vec::new() } else { arg.get_possible_values() };
        for value in possible.iter().filter(|it| !it.is_hide_set()) {
            let meaning = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            write!(text, "<br>`{}`{meaning}", value.get_name()).unwrap();
        }
    }
    let short = arg.get_short().map(|short| format!("`-{short}`, "));
    let anchor = arg.get_long().map(|long| {
        let command = command.replace(' ', "-");
        format!("<a id=\"{command}--{long}\"></a>")
    });
    let syntax = format!("{}{}`{arg}`", anchor.unwrap_or_default(), short.unwrap_or_default());
    let cells = [syntax, default, text].map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

/// Returns the tables of arguments, one for each heading of the help.
fn tables(command: &Command) -> String {
    let own =
        |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let arguments: Vec<&Arg> = command.get_arguments().filter(own).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for heading in arguments.iter().map(|arg| arg.get_help_heading()) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    let mut tables = String::new();
    for heading in headings {
        if let Some(heading) = heading {
            write!(tables, "**{heading}**\n\n").unwrap();
        }
        tables += "| argument | default | description |\n|---|---|---|\n";
        for arg in arguments.iter().filter(|arg| arg.get_help_heading() == heading) {
            tables += &row(name(command), arg);
        }
        tables += "\n";
    }
    tables
}

/// Returns the description, examples, arguments and exit codes of a command.
fn section(command: &Command) -> String {
    let about = command.get_long_about().or(command.get_about()).unwrap();
    let mut section = format!("{about}\n\n");
    for (first, rest) in notes(command) {
        if first.starts_with("Example") {
            let lines = rest.lines().map(|line| match line.strip_prefix("  ") {
                Some(command) => command.to_owned(),
                None => format!("# {line}"),
            });
            let lines: Vec<String> = lines.collect();
            write!(section, "```sh\n{}\n```\n\n", lines.join("\n")).unwrap();
        }
    }
    section += &tables(command);
    if let Some(meanings) = exit_codes(command) {
        section += "| exit code | meaning |\n|---|---|\n";
        for (code, meaning) in meanings.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            writeln!(section, "| {code} | {meaning} |").unwrap();
        }
        section += "\n";
    }
    section
}

/// Returns the page of a command and its subcommands.
fn page(command: &Command) -> String {
    let mut page = format!("# {}\n\n[All commands](../commands.md)\n\n", name(command));
    page += &section(command);
    for below in with_subcommands(command).iter().skip(1) {
        write!(page, "## {}\n\n{}", name(below), section(below)).unwrap();
    }
    page.trim_end().to_owned() + "\n"
}

/// Returns the meanings of exit codes 0 to 4.
fn exit_codes(command: &Command) -> Option<[String; 5]> {
    let mut notes = notes(command).into_iter();
    let (_, lines) = notes.find(|(first, _)| first == "Exit codes:")?;
    let mut meanings = <[String; 5]>::default();
    let mut code = 0;
    for line in lines.lines().map(str::trim) {
        let (first, rest) = line.split_once("  ").unwrap_or(("", line));
        code = first.parse().unwrap_or(code);
        let meaning: &mut String = &mut meanings[code];
        *meaning = format!("{meaning} {rest}").trim().to_owned();
    }
    Some(meanings)
}

#[test]
fn pages_of_commands_are_current() {
    let folder = root().join("docs/reference/commands");
    let mut expected = BTreeSet::new();
    for command in top_level() {
        let path = folder.join(format!("{}.md", name(&command)));
        assert_current(&path, &page(&command));
        expected.insert(path);
    }
    assert_eq!(files_below(&folder), expected, "the page of a removed command must be deleted");
}

#[test]
fn page_of_exit_codes_is_current() {
    let mut table = "| command | 0 | 1 | 2 | 3 | 4 |\n|---|---|---|---|---|---|\n".to_owned();
    for command in commands() {
        if let Some(meanings) = exit_codes(&command) {
            writeln!(table, "| `{}` | {} |", name(&command), meanings.join(" | ")).unwrap();
        }
    }
    assert_current_part("docs/reference/exit-codes.md", "exit codes", &table);
}
