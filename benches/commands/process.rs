// SPDX-License-Identifier: Apache-2.0
//! Time and memory of a process.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Polling interval for the memory of the process.
const INTERVAL: Duration = Duration::from_millis(2);
/// Clock ticks in a second, the unit of times in `/proc`.
const TICKS: f64 = 100.0;

/// The cost of one run.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    /// Wall time.
    pub(crate) wall: Duration,
    /// CPU time of all threads, in seconds.
    pub(crate) cpu_seconds: f64,
    /// Largest resident set, in MiB.
    pub(crate) peak_mib: f64,
}

/// Runs a command without output, which must end with exit code 0 or 1.
pub(crate) fn run(command: &mut Command) -> Cost {
    let begin = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut peak_mib = 0.0;
    // A zombie process still has CPU times, but no memory.
    while let Some(kib) = peak_kib(&child) {
        peak_mib = kib / 1024.0;
        sleep(INTERVAL);
    }
    let wall = begin.elapsed();
    let cpu_seconds = cpu_seconds(&child);
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(0 | 1)), "{command:?} ended with {code:?}");
    Cost { wall, cpu_seconds, peak_mib }
}

fn peak_kib(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn cpu_seconds(child: &Child) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let ticks = after_name.split_ascii_whitespace().skip(11).take(2);
    ticks.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / TICKS
}
