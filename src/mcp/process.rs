// SPDX-License-Identifier: Apache-2.0
//! A command of this program in a separate process.

use std::env;
use std::ffi::OsString;
use std::path::{PathBuf, absolute};
use std::process::Stdio;

use anyhow::Context as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, copy, sink};
use tokio::process::{Child, Command};

use super::roots::Roots;

/// The variable with the paths that a process may read, separated as in `PATH`.
pub(crate) const READABLE: &str = "GARDEN_GATE_READABLE";

/// Maximum size of the output of a command, which is kept in memory.
const MOST_OUTPUT: u64 = 64 << 20;
/// Maximum size of its messages; the rest is dropped.
const MOST_MESSAGES: u64 = 1 << 20;
const KUBECONFIG: &str = "KUBECONFIG";
/// Variables that change the output.
const REMOVED: [&str; 5] = ["CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "RUST_LOG", "TERM"];

/// The program with the paths that its processes may read.
#[derive(Debug)]
pub(super) struct Program {
    executable: PathBuf,
    directory: PathBuf,
    readable: OsString,
    /// The variable `KUBECONFIG` with absolute paths, since the working directory is another one.
    kubeconfig: Option<OsString>,
}

/// A command line.
#[derive(Debug)]
pub(super) struct CommandLine {
    pub(super) words: Vec<OsString>,
    /// The standard input; empty if there is none.
    pub(super) input: String,
}

/// The result of a command that has exited.
#[derive(Debug)]
pub(super) struct Exited {
    /// The exit code; `None` if a signal ended the process.
    pub(super) code: Option<i32>,
    pub(super) output: Vec<u8>,
    pub(super) messages: String,
}

impl Program {
    /// Returns this program for the roots and other readable files.
    ///
    /// # Errors
    /// Fails if its file is unknown, or a path contains the separator of lists.
    pub(super) fn new(roots: &Roots, others: &[PathBuf]) -> anyhow::Result<Self> {
        let readable = env::join_paths(roots.paths().iter().chain(others));
        Ok(Self {
            executable: env::current_exe().context("cannot find this program")?,
            directory: roots.first().to_owned(),
            readable: readable.context("a root or a file is not usable")?,
            kubeconfig: absolute_paths(KUBECONFIG)?,
        })
    }

    /// Runs a command to its end; the process ends early if the future is dropped.
    ///
    /// # Errors
    /// Returns why there is no result: the process cannot be started, or prints too much.
    pub(super) async fn run(&self, line: CommandLine) -> Result<Exited, String> {
        let mut child = self.start(&line).map_err(|error| format!("cannot start: {error}"))?;
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut input) = input {
                // A command that ends early does not read everything.
                let _ = input.write_all(line.input.as_bytes()).await;
            }
        };
        let ((), output, messages) =
            tokio::join!(write, read(output, MOST_OUTPUT), read(errors, MOST_MESSAGES));
        let status = child.wait().await.map_err(|error| format!("cannot wait: {error}"))?;
        if output.len() as u64 > MOST_OUTPUT {
            return Err(format!(
                "the output is larger than {} MiB; name fewer objects",
                MOST_OUTPUT >> 20
            ));
        }
        let messages = String::from_utf8_lossy(&messages).into_owned();
        Ok(Exited { code: status.code(), output, messages })
    }

    fn start(&self, line: &CommandLine) -> std::io::Result<Child> {
        let mut command = Command::new(&self.executable);
        command.args(&line.words).current_dir(&self.directory).env(READABLE, &self.readable);
        if let Some(kubeconfig) = &self.kubeconfig {
            command.env(KUBECONFIG, kubeconfig);
        }
        for name in REMOVED {
            command.env_remove(name);
        }
        let input = if line.input.is_empty() { Stdio::null() } else { Stdio::piped() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.kill_on_drop(true).spawn()
    }
}

/// Returns the paths in a variable as absolute ones; `None` if it is not set.
fn absolute_paths(name: &str) -> anyhow::Result<Option<OsString>> {
    let Some(paths) = env::var_os(name).filter(|it| !it.is_empty()) else { return Ok(None) };
    let paths = env::split_paths(&paths)
        .filter(|it| !it.as_os_str().is_empty())
        .map(absolute)
        .collect::<std::io::Result<Vec<PathBuf>>>()
        .with_context(|| format!("{name} has a path that is not valid"))?;
    Ok(Some(env::join_paths(paths)?))
}

/// Reads at most one byte more than `most`, and drops the rest, so that the process does not block.
async fn read(stream: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // An error is the end of the stream; the exit code is the outcome.
        let _ = (&mut stream).take(most + 1).read_to_end(&mut bytes).await;
        let _ = copy(&mut stream, &mut sink()).await;
    }
    bytes
}
