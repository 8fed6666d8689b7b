// SPDX-License-Identifier: Apache-2.0
//! Test processes, which end at the first failure.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// The end of a process.
#[derive(PartialEq)]
pub(crate) enum End {
    Passed,
    /// A test failed, named if the process printed it.
    Failed(String),
    TimedOut,
}

/// The wall-clock time for each second of CPU time that tests may take: a mutant may wait for ever, and the machine may be busy.
const WAITING: u32 = 10;

/// Runs tests of a binary one after another, in the copy of the repository, until one fails. The limit is one of CPU time, so that other
/// programs on the machine do not change the outcome.
pub(crate) fn run(
    binary: &Path,
    tests: &[&str],
    (variable, value): (&str, &str),
    limit: Duration,
) -> End {
    let tree = Path::new(crate::TREE).canonicalize().unwrap();
    let mut child = Command::new("prlimit")
        .arg(format!("--cpu={}", limit.as_secs()))
        .arg(binary)
        .args(["--exact", "--test-threads=1"])
        .args(tests)
        .current_dir(&tree)
        .env(variable, value)
        // Failed snapshots are not written, and cargo is not asked for the folder.
        .env("INSTA_UPDATE", "no")
        .env("INSTA_WORKSPACE_ROOT", &tree)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let group = Pid::from_child(&child);
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = channel();
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|it| sender.send(it)));
    let end = Instant::now() + limit * WAITING;
    let mut running = String::new();
    let stopped = loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                let Some(test) = line.strip_prefix("test ") else {
                    continue;
                };
                match test.split_once(" ... ") {
                    Some((name, "FAILED")) => break Some(End::Failed(name.to_owned())),
                    Some((name, _)) => running = format!("after {name}"),
                    None => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => break Some(End::TimedOut),
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    if stopped.is_some() {
        // Tests start the command, too.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait().unwrap();
    let over_limit = [Signal::KILL, Signal::XCPU].map(|it| Some(it.as_raw()));
    stopped.unwrap_or_else(|| match status.success() {
        true => End::Passed,
        false if over_limit.contains(&status.signal()) => End::TimedOut,
        false => End::Failed(running),
    })
}

/// Returns the names of the tests of a binary.
pub(crate) fn tests(binary: &Path) -> Vec<String> {
    let output = Command::new(binary).args(["--list", "--format=terse"]).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let tests = output.lines().filter_map(|it| it.strip_suffix(": test"));
    tests.map(str::to_owned).collect()
}
