// SPDX-License-Identifier: Apache-2.0
//! The program as a plugin of `kubectl`.
//!
//! As `kubectl-garden_gate`, it runs for `kubectl garden-gate`.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;

use super::outcome::PROGRAM;

/// The command that users type for the plugin.
const TYPED: &str = "kubectl garden-gate";

/// Reports whether this is the name by which `kubectl` finds the plugin.
pub(super) fn is_called(name: Option<&OsString>) -> bool {
    name.and_then(|path| Path::new(path).file_stem())
        .is_some_and(|name| name == "kubectl-garden_gate")
}

/// Returns the same command with the help of the plugin.
pub(super) fn named(command: Command) -> Command {
    with_examples(command).bin_name(TYPED)
}

fn with_examples(command: Command) -> Command {
    let help = command.get_after_help().map(|help| typed(&help.to_string()));
    let long = command.get_after_long_help().map(|help| typed(&help.to_string()));
    let command = command.mut_subcommands(with_examples);
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    match long {
        Some(help) => command.after_long_help(help),
        None => command,
    }
}

/// Replaces the program in examples by the plugin, at the beginning of a line and after a pipe.
fn typed(help: &str) -> String {
    ["  ", "| "].iter().fold(help.to_owned(), |help, before| {
        help.replace(&format!("{before}{PROGRAM} "), &format!("{before}{TYPED} "))
    })
}
