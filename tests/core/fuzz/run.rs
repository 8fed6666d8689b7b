// SPDX-License-Identifier: Apache-2.0
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Time limit of a case in a debug build.
const BOUND: Duration = Duration::from_secs(2);
/// Number of attempts that must exceed the limit, since one may have been interrupted.
const AGAIN: usize = 3;
/// Maximum growth of memory in the second half of a long run, in MiB.
const GROWTH: u64 = 16;

/// The amount of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    pub(crate) cases: u64,
    /// The time limit; none in the long run.
    pub(crate) time: Option<Duration>,
}

impl Amount {
    /// Returns the number of cases or seconds; in the long run, `share` of its number.
    pub(crate) fn of(cases: u64, seconds: u64, share: u64) -> Self {
        match env::var("GARDEN_GATE_FUZZ") {
            Ok(number) => Self { cases: number.parse::<u64>().unwrap() / share, time: None },
            Err(_) => Self { cases, time: Some(Duration::from_secs(seconds)) },
        }
    }
}

struct Slowest {
    case: u64,
    took: Duration,
}

/// Tries cases on all processors, and returns their number.
///
/// `make` creates a case from its number, and `attempt` must neither panic nor take long.
pub(crate) fn run(
    name: &str,
    amount: Amount,
    make: impl Fn(u64) -> Vec<u8> + Sync,
    attempt: impl Fn(u64, &[u8]) + Sync,
) -> u64 {
    let half = tried(name, (0, amount.cases / 2), amount, &make, &attempt);
    let held = memory();
    let rest = (amount.cases / 2, amount.cases);
    let whole = tried(name, rest, amount, &make, &attempt);
    let done = half.0 + whole.0;
    let slowest = [half.1, whole.1].into_iter().max_by_key(|it| it.took).unwrap();
    let grown = memory().saturating_sub(held);
    report(&format!(
        "{name}: {done} cases, 0 panics, the slowest is {} with {:.0?}; memory {held} MiB, {grown} MiB more in the second half",
        slowest.case, slowest.took
    ));
    assert!(done > 0, "{name}: nothing was tried");
    assert!(
        amount.time.is_some() || grown <= GROWTH,
        "{name}: the second half holds {grown} MiB more than the first"
    );
    done
}

/// Tries a range of cases, for at most half of the time; returns their number and the slowest.
fn tried(
    name: &str,
    (first, end): (u64, u64),
    amount: Amount,
    make: &(impl Fn(u64) -> Vec<u8> + Sync),
    attempt: &(impl Fn(u64, &[u8]) + Sync),
) -> (u64, Slowest) {
    let (next, done, failed) = (AtomicU64::new(first), AtomicU64::new(0), AtomicBool::new(false));
    let slowest = Mutex::new(Slowest { case: first, took: Duration::ZERO });
    let start = Instant::now();
    let in_time = || amount.time.is_none_or(|time| start.elapsed() < time / 2);
    let work = || {
        while in_time() && !failed.load(Ordering::Relaxed) {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= end {
                return;
            }
            let input = make(case);
            let Some(took) = time(case, &input, attempt) else {
                failed.store(true, Ordering::Relaxed);
                panic!("{name}: case {case} panics; it is in {}", keep(name, case, &input));
            };
            if took > BOUND {
                failed.store(true, Ordering::Relaxed);
                panic!("{name}: case {case} takes {took:?}; it is in {}", keep(name, case, &input));
            }
            done.fetch_add(1, Ordering::Relaxed);
            let mut slowest = slowest.lock().unwrap();
            if took > slowest.took {
                *slowest = Slowest { case, took };
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    (done.into_inner(), slowest.into_inner().unwrap())
}

/// Returns the duration of an attempt, the best of several if it is slow; `None` if it panics.
fn time(case: u64, input: &[u8], attempt: &impl Fn(u64, &[u8])) -> Option<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..=AGAIN {
        let start = Instant::now();
        catch_unwind(AssertUnwindSafe(|| attempt(case, input))).ok()?;
        best = best.min(start.elapsed());
        if best <= BOUND {
            break;
        }
    }
    Some(best)
}

/// Writes a case to a file for inspection.
fn keep(name: &str, case: u64, input: &[u8]) -> String {
    let path = format!("{}/fuzz-{name}-{case}", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, input).unwrap();
    path
}

/// Returns the memory of this process, in MiB.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.unwrap().trim().trim_end_matches(" kB");
    kibibytes.parse::<u64>().unwrap() / 1024
}

#[expect(clippy::print_stdout, reason = "it is what --nocapture is for")]
fn report(line: &str) {
    println!("{line}");
}
