// SPDX-License-Identifier: Apache-2.0
//! A large landscape in memory: memory per Shoot, a stream of changes, and concurrent reviews.
//!
//! Runs in one process, without network.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use garden_gate::garden::directory;
use garden_gate_core::admission::{EntryPoint, Judgement, Request, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{GardenObject, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;

use crate::process::Taken;
use crate::requests;
use crate::shoots::Template;

/// Changes per second: typical rates of such landscapes, and the maximum.
const RATES: [Option<u32>; 3] = [Some(0), Some(5_000), None];
/// Seeds between which Shoots move.
const SEEDS: [&str; 2] = ["stratus-eu", "stratus-us"];
/// Interval between two checks for due changes.
const PAUSE: Duration = Duration::from_millis(1);
/// Number of rounds in which the rates alternate.
const ROUNDS: u32 = 6;

/// Measures a garden with `shoots` Shoots: reviews each request for `time` at each rate of changes.
pub(crate) fn measure(shoots: usize, time: Duration) {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");
    let mut garden = directory::load(example.as_ref()).unwrap().snapshot;
    let template = Template::json();
    let before = Taken::by(std::process::id());
    for number in 0..shoots {
        garden.apply(shoot(&template, number, SEEDS[0]));
    }
    let after = Taken::by(std::process::id());
    println!("\n| Shoots | taken in, CPU s | memory, MiB | of each, bytes |");
    println!("|---|---|---|---|");
    println!(
        "| {shoots} | {:.1} | {} | {} |",
        after.cpu.saturating_sub(before.cpu).as_secs_f64(),
        after.memory,
        ((after.memory - before.memory) << 20) / shoots as u64,
    );
    println!("\n| request | changes a second | reviews | p50 µs | p99 µs | longest, µs |");
    println!("|---|---|---|---|---|---|");
    let published = Arc::new(ArcSwap::from_pointee(garden));
    for request in requests::looked_up() {
        let mut all = RATES.map(|rate| (rate, Vec::new(), 0));
        for _ in 0..ROUNDS {
            for (rate, latencies, changes) in &mut all {
                let beside =
                    Changes { rate: *rate, published: &published, template: &template, shoots };
                let (took, done) = review(&request.body, &beside, time / ROUNDS);
                latencies.extend(took);
                *changes += done;
            }
        }
        for (_, latencies, changes) in &mut all {
            latencies.sort_unstable();
            let all_of_it: Duration = latencies.iter().sum();
            let last = latencies.len() - 1;
            let at = |percent: usize| latencies[last * percent / 100].as_secs_f64() * 1e6;
            println!(
                "| {} | {:.0} | {} | {:.0} | {:.0} | {:.0} |",
                request.name,
                *changes as f64 / all_of_it.as_secs_f64(),
                latencies.len(),
                at(50),
                at(99),
                at(100),
            );
        }
    }
    let end = Taken::by(std::process::id());
    println!("\nafter that it holds {} MiB, {} at most", end.memory, end.peak);
}

fn shoot(template: &Template, number: usize, seed: &str) -> GardenObject {
    let text = template.shoot(number, seed);
    GardenObject::read(Kind::Shoot, text.as_str()).unwrap().unwrap()
}

/// Changes that another thread applies and publishes.
struct Changes<'a> {
    /// The rate per second; `None` for the maximum.
    rate: Option<u32>,
    published: &'a ArcSwap<Snapshot>,
    template: &'a Template,
    shoots: usize,
}

/// Returns the durations of reviews during changes, and the number of changes.
fn review(body: &[u8], beside: &Changes<'_>, time: Duration) -> (Vec<Duration>, usize) {
    let (config, is_over) = (Config::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let changes = scope.spawn(|| beside.make(&is_over));
        let (mut latencies, begin) = (Vec::new(), Instant::now());
        loop {
            let start = Instant::now();
            let request = Request::from_review(body).unwrap();
            let world = World {
                rules: rules::ALL.into(),
                garden: &beside.published.load(),
                config: &config,
                now: jiff::Timestamp::now(),
            };
            let judged = judge(EntryPoint::Validate, &request, &world);
            assert!(matches!(judged, Judgement::Review(_)));
            latencies.push(start.elapsed());
            if begin.elapsed() >= time {
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        (latencies, changes.join().unwrap())
    })
}

impl Changes<'_> {
    /// Moves one Shoot after another to the other seed, and publishes each change, until `is_over`.
    /// Returns the number of changes.
    fn make(&self, is_over: &AtomicBool) -> usize {
        let (begin, mut done) = (Instant::now(), 0);
        let mut garden = Snapshot::clone(&self.published.load());
        let due = |time: Duration| {
            let due = |rate| time.as_millis() * u128::from(rate) / 1000;
            self.rate.map_or(usize::MAX, |rate| usize::try_from(due(rate)).unwrap())
        };
        while !is_over.load(Ordering::Relaxed) {
            if done >= due(begin.elapsed()) {
                thread::sleep(PAUSE);
                continue;
            }
            let seed = SEEDS[(done / self.shoots + 1) % SEEDS.len()];
            garden.apply(shoot(self.template, done % self.shoots, seed));
            self.published.store(Arc::new(garden.clone()));
            done += 1;
        }
        done
    }
}
