// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Number of log lines in the message of a failure.
const LOG_LINES_SHOWN: usize = 15;

/// A child process that never outlives its owner; its output goes to a log file.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts `program` in `folder` with the log `<name>.log`, to which a second process of that name appends.
    pub(crate) fn start(
        program: &Path,
        arguments: &[String],
        folder: &Path,
        name: &str,
    ) -> Process {
        let log = folder.join(name).with_extension("log");
        let output = File::options().create(true).append(true).open(&log).unwrap();
        let child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap();
        Process { child, log }
    }

    /// Returns the CPU time of the process so far.
    pub(super) fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // The name may contain spaces. After it, utime and stime are fields 14 and 15, in hundredths of a second.
        let (_, rest) = stat.rsplit_once(')').unwrap();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks = [11, 12].map(|at| fields[at].parse::<u64>().unwrap());
        Duration::from_millis(ticks.iter().sum::<u64>() * 10)
    }

    /// Panics with the end of the log if the process has ended.
    pub(crate) fn assert_running(&mut self) {
        if let Some(status) = self.child.try_wait().unwrap() {
            panic!("{} ended early, {status}: {}", self.log.display(), self.log_end());
        }
    }

    /// Returns the last lines of the log.
    pub(crate) fn log_end(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LOG_LINES_SHOWN)..].join("\n")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
