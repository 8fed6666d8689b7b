// SPDX-License-Identifier: Apache-2.0
//! The built program and its output.

use std::process::{Command, Output};

/// Returns a command for the built program with these arguments.
pub(crate) fn garden_gate(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
    command.args(arguments);
    for name in ["CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "NO_COLOR"] {
        command.env_remove(name);
    }
    command
}

/// Returns the exit code, standard output and standard error.
pub(crate) fn printed(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}
