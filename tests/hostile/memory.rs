// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The memory limit of the chart in MiB.
///
/// The server gets it as a flag, and is killed above it.
pub(crate) const LIMIT: u64 = 512;
/// Maximum memory during an attack, in MiB.
pub(crate) const PEAK: u64 = 400;
/// Maximum growth of memory in the second half of a repeated attack, in MiB.
const GROWTH: u64 = 64;

const INTERVAL: Duration = Duration::from_millis(5);

/// Watches the memory of a process, and kills it above [`LIMIT`], as a cgroup would.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    seen: Arc<Mutex<Seen>>,
    thread: Option<JoinHandle<()>>,
}

/// Measurements of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The peak memory in MiB.
    pub(crate) peak: u64,
    /// The memory with times.
    samples: Vec<(Instant, u64)>,
    /// Whether the process was killed at the limit.
    pub(crate) ended: bool,
}

impl Watch {
    pub(crate) fn start(process: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (stopped, shared) = (Arc::clone(&stop), Arc::clone(&seen));
        let thread = thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) && look(process, &shared) {
                thread::sleep(INTERVAL);
            }
        });
        Self { stop, seen, thread: Some(thread) }
    }

    pub(crate) fn stop(mut self) -> Seen {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        self.seen.lock().unwrap().clone()
    }
}

/// Reports whether the process is alive.
pub(crate) fn is_alive(process: u32) -> bool {
    held(process).is_some()
}

/// Returns current and peak memory of a process in MiB; `None` if it has ended.
fn held(process: u32) -> Option<[u64; 2]> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
        Some(kibibytes / 1024)
    };
    Some([of("VmRSS:")?, of("VmHWM:")?])
}

fn look(process: u32, seen: &Mutex<Seen>) -> bool {
    let Some([now, peak]) = held(process) else {
        return false;
    };
    let mut seen = seen.lock().unwrap();
    seen.peak = seen.peak.max(peak);
    seen.samples.push((Instant::now(), now));
    if now > LIMIT {
        seen.ended = true;
        // It fails only if the process has already ended.
        let _ = kill_process(Pid::from_raw(process.cast_signed()).unwrap(), Signal::KILL);
    }
    true
}

impl Seen {
    /// Returns a message if the median memory is larger in the second half of a period.
    pub(crate) fn grows(&self, begin: Instant, end: Instant) -> Option<String> {
        let middle = begin + (end - begin) / 2;
        let (before, after) = (self.median(begin, middle), self.median(middle, end));
        (after > before + GROWTH).then(|| {
            format!("memory grows: {before} MiB in the first half, {after} MiB in the second")
        })
    }

    fn median(&self, from: Instant, to: Instant) -> u64 {
        let samples = self.samples.iter();
        let held = samples.filter(|(when, _)| (from..to).contains(when));
        let mut held: Vec<u64> = held.map(|(_, held)| *held).collect();
        held.sort_unstable();
        held.get(held.len() / 2).copied().unwrap_or(0)
    }
}
