// SPDX-License-Identifier: Apache-2.0
//! Costs of gardens with many Shoots.
//!
//! The parts are: a directory with one file per Shoot, as for `serve --garden`; an API server with changes; and an even
//! larger garden in memory.
//!
//! `cargo bench --bench scale`. After `--`, a number is the count of request rounds, and words select parts:
//! `directory`, `live`, `memory`.
//! `GARDEN_GATE_BINARY=PATH` measures another binary.
//! All parts take some minutes, 3 GiB of memory and 2 GiB in the temporary folder.
//! `cargo test --bench scale` runs everything once, with few Shoots.
#![expect(clippy::disallowed_methods, reason = "benchmarks use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

mod api_server;
#[path = "../load/client.rs"]
mod client;
mod directory;
mod gate;
mod live;
mod process;
#[path = "../load/requests.rs"]
#[expect(dead_code, reason = "another benchmark sends more requests")]
mod requests;
#[path = "../load/rounds.rs"]
mod rounds;
#[path = "../load/server.rs"]
#[expect(dead_code, reason = "another benchmark has servers of other sorts")]
mod server;
mod shoots;
mod simulation;

use std::env;
use std::time::Duration;

use mimalloc::MiMalloc;

use crate::rounds::Plan;
use crate::server::Place;

/// The allocator of garden-gate.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The numbers of Shoots, and the duration of measurements.
struct Sizes {
    directories: &'static [usize],
    live: usize,
    memory: usize,
    time: Duration,
}

fn main() {
    rustls::crypto::ring::default_provider().install_default().unwrap();
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [api_server::FLAG, port, shoots] =
        arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        return api_server::serve(port.parse().unwrap(), shoots.parse().unwrap());
    }
    let is_bench = arguments.iter().any(|it| it == "--bench");
    let arguments = arguments.into_iter().filter(|it| !it.starts_with("--"));
    let (numbers, words): (Vec<_>, Vec<_>) = arguments.partition(|it| it.parse::<usize>().is_ok());
    let (sizes, mut plan) = if is_bench { (FULL, Plan::FULL) } else { (SMALL, Plan::SMALL) };
    if let Some(number) = numbers.first() {
        plan.rounds = number.parse::<usize>().unwrap().max(1);
    }
    let is_wanted = |part: &str| words.is_empty() || words.iter().any(|word| word == part);
    // One thread: the servers should have the cores.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let place = Place::new();
    if is_wanted("directory") {
        runtime.block_on(directory::measure(sizes.directories, &plan, &place));
    }
    if is_wanted("live") {
        runtime.block_on(live::measure(sizes.live, &plan, &place));
    }
    if is_wanted("memory") {
        simulation::measure(sizes.memory, sizes.time);
    }
}

const FULL: Sizes = Sizes {
    directories: &[100, 10_000, 100_000],
    live: 10_000,
    memory: 1_000_000,
    time: Duration::from_secs(3),
};

const SMALL: Sizes = Sizes { directories: &[10, 50], live: 50, memory: 100, time: Duration::ZERO };
