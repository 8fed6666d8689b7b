// SPDX-License-Identifier: Apache-2.0
//! Resource usage of a process.

use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The resources that a process has used so far.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    /// CPU time of all threads, including those that have ended.
    pub(crate) cpu: Duration,
    /// The current memory in MiB.
    pub(crate) memory: u64,
    /// The peak memory in MiB.
    pub(crate) peak: u64,
}

/// The frequency of the counters in `/proc`, on every Linux.
const TICKS_PER_SECOND: u64 = 100;

impl Taken {
    pub(crate) fn by(process: u32) -> Self {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        // The program name, in parentheses, may contain spaces.
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        let ticks: u64 = fields[11..13].iter().map(|it| it.parse::<u64>().unwrap()).sum();
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let mebibytes = |field: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
            let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
            kibibytes / 1024
        };
        Self {
            cpu: Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND),
            memory: mebibytes("VmRSS:"),
            peak: mebibytes("VmHWM:"),
        }
    }
}

/// Returns the CPU time of this process with nanosecond precision.
pub(crate) fn our_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}
