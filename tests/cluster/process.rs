use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How much of a log a failure shows.
const LOG_LINES_SHOWN: usize = 15;

/// A child process that never outlives its owner; its output goes to a log file.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts `program` in `folder`; the log there is `<name>.log`, continued by a second process of that name.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        folder: &Path,
        name: &str,
    ) -> Process {
        let log = folder.join(name).with_extension("log");
        let output = File::options()
            .create(true)
            .append(true)
            .open(&log)
            .unwrap();
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

    /// CPU time that the process has taken so far.
    pub(super) fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // Behind the name, which may contain spaces: utime and stime are fields 14 and 15, in hundredths of a second.
        let (_, rest) = stat.rsplit_once(')').unwrap();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks = [11, 12].map(|at| fields[at].parse::<u64>().unwrap());
        Duration::from_millis(ticks.iter().sum::<u64>() * 10)
    }

    /// Panics with the end of the log if the process has ended.
    pub(super) fn assert_running(&mut self) {
        if let Some(status) = self.child.try_wait().unwrap() {
            panic!(
                "{} ended early, {status}: {}",
                self.log.display(),
                self.log_end()
            );
        }
    }

    /// The last lines of the log.
    pub(super) fn log_end(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LOG_LINES_SHOWN)..].join("\n")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
