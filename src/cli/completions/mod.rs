use std::io::Write;

use clap::Command;
use clap_complete::{Shell, generate};

use super::outcome::{Outcome, PROGRAM};

/// Arguments of `garden-gate completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  garden-gate completions bash > ~/.local/share/bash-completion/completions/garden-gate
  garden-gate completions zsh > ~/.zfunc/_garden-gate      # a directory in $fpath
  garden-gate completions fish > ~/.config/fish/completions/garden-gate.fish
  garden-gate completions elvish >> ~/.config/elvish/rc.elv
  garden-gate completions powershell >> $PROFILE

Exit codes:
  0  printed
  2  the shell is not supported")]
pub(super) struct Completions {
    /// Shell that completes commands, flags and their values.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut command: Command, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        // The generator panics if it cannot write, for example into a closed pipe.
        let mut script = Vec::new();
        generate(self.shell, &mut command, PROGRAM, &mut script);
        // For bash, clap_complete writes a name with a hyphen in two ways, so that subcommands are not completed.
        let script = String::from_utf8(script)?.replace("garden__subcmd__gate", "garden__gate");
        out.write_all(script.as_bytes())?;
        Ok(Outcome::Clean)
    }
}
