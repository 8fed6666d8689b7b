// SPDX-License-Identifier: Apache-2.0
//! Deterministic simulation of everything live: replicas, their API server, the network and all clocks, in one thread and in simulated time.
//!
//! A seed determines a run. `docs/development/simulation.md` describes the invariants and the commands.

mod api_server;
mod calls;
mod certificates;
mod faults;
mod garden_of_month;
mod lookups;
mod month;
mod oracle;
mod plan;
#[path = "../support/random.rs"]
mod random;
mod record;
mod recovery;
mod replica;
mod results;
mod reviews;
mod run;
mod settings;
mod store;
mod trace;
mod watches;
mod world;
mod writes;

use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

use jiff::SignedDuration;
use results::{Failure, Summary};
use run::run;

/// The number of seeds of a test run, which takes about 10 seconds on two cores without optimization.
const SEEDS: u64 = 500;
/// The number of seeds with certificates: each takes as long as many others.
const CERTIFICATE_SEEDS: u64 = 4;

type Run = fn(u64) -> Result<Summary, Box<Failure>>;

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// Runs the seed in `SIMULATION_SEED`, and prints its results.
fn run_one(run: Run) {
    let seed = number("SIMULATION_SEED").unwrap_or(1);
    match run(seed) {
        Ok(summary) if number("SIMULATION_LINES").is_some() => eprintln!("{}", summary.trace),
        Ok(summary) => eprintln!("seed {seed}: {summary:?}"),
        Err(failure) => panic!("{failure}"),
    }
}

/// Runs as many seeds as `SIMULATION_SEEDS`, or `count`, on all cores, from `SIMULATION_SEED` on.
fn run_many(run: Run, count: u64) -> Summary {
    let (seeds, first) = (number("SIMULATION_SEEDS"), number("SIMULATION_SEED"));
    let (first, count) = (first.unwrap_or_default(), seeds.unwrap_or(count));
    let (next, start) = (AtomicU64::new(first), Instant::now());
    let (failed, total) = (Mutex::<Option<Box<Failure>>>::default(), Mutex::<Summary>::default());
    scope(|threads| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            threads.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count || failed.lock().unwrap().is_some() {
                        return;
                    }
                    match run(seed) {
                        Ok(summary) => total.lock().unwrap().add(&summary),
                        Err(failure) => *failed.lock().unwrap() = Some(failure),
                    }
                }
            });
        }
    });
    let tried = next.into_inner().min(first + count) - first;
    let total = total.into_inner().unwrap();
    eprintln!("{tried} seeds in {:?}: {total:?}", start.elapsed());
    if let Some(failure) = failed.into_inner().unwrap() {
        panic!("after {tried} seeds: {failure}");
    }
    total
}

#[test]
fn one() {
    run_one(run);
}

#[test]
fn many() {
    let total = run_many(run, SEEDS);
    assert!(total.allowed > 0 && total.denied > 0, "{total:?}");
    assert!(total.unchecked * 1_000 < total.allowed, "{total:?}");
}

#[test]
fn one_with_certificates() {
    run_one(certificates::run);
}

#[test]
fn many_with_certificates() {
    let total = run_many(certificates::run, CERTIFICATE_SEEDS);
    assert!(total.rotations > 0, "{total:?}");
}

#[test]
fn month_of_few_days() {
    let length = month::Length { days: 5, events: 1_000, certificates: None };
    let summary = month::run(1, length);
    assert!(summary.maintained > 10 && summary.denied > 0, "{summary:?}");
}

/// Takes minutes: `.ci/simulate month`.
#[test]
#[ignore = "takes minutes"]
fn month_of_many_events() {
    let length = month::Length {
        days: 30,
        events: number("SIMULATION_EVENTS").unwrap_or(100_000),
        certificates: Some(SignedDuration::from_hours(72)),
    };
    let summary = month::run(1, length);
    eprintln!("{summary:?}");
    assert!(summary.rotations > 10, "{summary:?}");
}

#[test]
fn same_seed_gives_the_same_trace() {
    for seed in 0..10 {
        let hash = || run(seed).unwrap_or_else(|failure| panic!("{failure}")).hash;
        assert_eq!(hash(), hash(), "seed {seed}");
    }
}
