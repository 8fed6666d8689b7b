// SPDX-License-Identifier: Apache-2.0
//! `garden-gate completions`: completion scripts, and the candidates that they ask for.

mod candidates;
mod typed;

use std::ffi::OsString;
use std::io::Write;

use clap::Command;
use clap_complete::{Shell, generate};

use self::typed::TypedWords;
use super::outcome::{Outcome, PROGRAM};

/// Arguments of `garden-gate completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  garden-gate completions bash > ~/.local/share/bash-completion/completions/garden-gate
  garden-gate completions zsh > ~/.zfunc/_garden-gate  # a directory in $fpath
  garden-gate completions fish > ~/.config/fish/completions/garden-gate.fish
  garden-gate completions elvish >> ~/.config/elvish/rc.elv
  garden-gate completions powershell >> $PROFILE

Exit codes:
  0  printed
  2  the shell is not supported")]
pub(super) struct Completions {
    /// Shell that completes commands, flags and their values.
    ///
    /// In bash, fish and zsh, also ids of rules, kinds, formats, versions, contexts of the kubeconfig and Git branches.
    #[arg(value_enum)]
    shell: Shell,

    /// The words before the cursor, from scripts; the last one is completed.
    #[arg(last = true, hide = true)]
    words: Vec<OsString>,
}

impl Completions {
    pub(super) fn run(self, command: Command, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let text = match TypedWords::new(self.shell, self.words) {
            Some(typed) => candidates::lines(command, &typed)?,
            None => script(self.shell, command)?,
        };
        out.write_all(text.as_bytes())?;
        Ok(Outcome::Clean)
    }
}

/// Returns the script of a shell; those of bash, fish and zsh ask this program for candidates.
fn script(shell: Shell, mut command: Command) -> anyhow::Result<String> {
    Ok(match shell {
        Shell::Bash => include_str!("script.bash").to_owned(),
        Shell::Fish => include_str!("script.fish").to_owned(),
        Shell::Zsh => include_str!("script.zsh").to_owned(),
        _ => {
            // The generator panics if it cannot write, for example into a closed pipe.
            let mut script = Vec::new();
            generate(shell, &mut command, PROGRAM, &mut script);
            String::from_utf8(script)?
        }
    })
}
