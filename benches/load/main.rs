// SPDX-License-Identifier: Apache-2.0
//! The server's cost per request: CPU time of all threads, and latency over TLS keep-alive.
//!
//! The first table compares it with a floor, a server with the same components and allocator that only parses the body
//! and allows it. It also has a server that only reads, and peers with a single rule: allowed Kubernetes versions.
//! garden-gate evaluates all of its rules.
//! Two other tables have more seeds and more Shoots. The last one has a live garden, and a client that reads a published
//! page in every second round.
//! Servers alternate in each round, so that a changing machine speed affects all of them. Ratios are medians over the
//! rounds.
//!
//! `cargo bench --bench load`. After `--`, a number is the count of rounds, and other words select tables, or rows by
//! their request names: `-- 3 CREATE`, `-- seeds`, `-- Shoots`, `-- pages`, `-- peers`.
//! `GARDEN_GATE_BINARY=PATH` measures another binary, such as the static one of the image.
//! Peers are built from their Go modules, or skipped with a message if Go is missing.
//! `cargo test --bench load` sends each request a few times, without peers and with small gardens.
#![expect(clippy::disallowed_methods, reason = "benchmarks use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

#[path = "../scale/api_server.rs"]
#[expect(dead_code, reason = "another benchmark changes Shoots")]
mod api_server;
mod client;
mod floor;
mod garden;
mod pages;
mod peers;
mod requests;
mod rounds;
mod server;
#[path = "../scale/shoots.rs"]
#[expect(dead_code, reason = "another benchmark writes Shoots to files")]
mod shoots;

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use mimalloc::MiMalloc;

use crate::floor::Does;
use crate::requests::Request;
use crate::rounds::Plan;
use crate::server::{Place, Server};

/// The allocator of garden-gate, since this program is also the floor.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Environment variable with the path of another binary to measure, such as the static one of the image.
const BINARY: &str = "GARDEN_GATE_BINARY";
/// The flag that runs this program as the floor …
const FLOOR: &str = "--floor";
/// … or as a server that only reads.
const READER: &str = "--reader";

/// The selected benchmarks.
struct Task {
    plan: Plan,
    words: Vec<String>,
    is_bench: bool,
}

fn main() {
    rustls::crypto::ring::default_provider().install_default().unwrap();
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [FLOOR, port, folder] => {
            return floor::serve(Does::Parse, port.parse().unwrap(), Path::new(folder));
        }
        [READER, port, folder] => {
            return floor::serve(Does::Read, port.parse().unwrap(), Path::new(folder));
        }
        [api_server::FLAG, port, shoots] => {
            return api_server::serve(port.parse().unwrap(), shoots.parse().unwrap());
        }
        _ => {}
    }
    let is_bench = arguments.iter().any(|it| it == "--bench");
    let arguments = arguments.into_iter().filter(|it| !it.starts_with("--"));
    let (numbers, words): (Vec<_>, Vec<_>) = arguments.partition(|it| it.parse::<usize>().is_ok());
    let mut plan = if is_bench { Plan::FULL } else { Plan::SMALL };
    if let Some(number) = numbers.first() {
        plan.rounds = number.parse::<usize>().unwrap().max(1);
    }
    let task = Task { plan, words, is_bench };
    // One thread: the servers should have the cores.
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(task.run());
}

impl Task {
    async fn run(&self) {
        let place = Place::new();
        let (seeds, shoots): (&[usize], &[usize]) =
            if self.is_bench { (&[2, 200, 500], &[10, 10_000]) } else { (&[2, 20], &[10, 100]) };
        let peers = self.selected("peers", requests::all());
        let with_seeds = self.selected("seeds", requests::scheduled());
        let with_shoots = self.selected("Shoots", requests::looked_up());
        let with_pages = self.selected("pages", requests::looked_up());
        let tables = [&peers, &with_seeds, &with_shoots, &with_pages];
        if tables.iter().all(|it| it.is_empty()) {
            let requests = [requests::all(), requests::scheduled()].concat();
            let names: BTreeSet<_> = requests.iter().map(|it| it.name).collect();
            println!("nothing is called {}; requests are", self.words.join(" or "));
            for name in &names {
                println!("- {name}");
            }
            println!("and tables are peers, seeds, Shoots and pages");
        }
        if !peers.is_empty() {
            self.next_to_peers(&place, &peers).await;
        }
        if !with_seeds.is_empty() {
            let gardens = seeds.iter().map(|count| (format!("{count} seeds"), *count, 10));
            self.grow(&place, gardens, &with_seeds).await;
        }
        if !with_shoots.is_empty() {
            let gardens = shoots.iter().map(|count| (format!("{count} Shoots"), 2, *count));
            self.grow(&place, gardens, &with_shoots).await;
        }
        if !with_pages.is_empty() {
            let shoots = if self.is_bench { 1_000 } else { 10 };
            pages::measure(shoots, &self.plan, &with_pages, &place).await;
        }
    }

    /// Compares the floor, garden-gate, a server that only reads, and other webhooks.
    async fn next_to_peers(&self, place: &Place, requests: &[Request]) {
        let garden = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");
        let mut servers = vec![
            own("floor", FLOOR, place).await,
            gate("garden-gate", Path::new(garden), place).await,
            own("only reading", READER, place).await,
        ];
        if self.is_bench {
            servers.extend(peers::start(place).await);
        }
        self.plan.table("server", &servers, requests, place).await;
    }

    /// Measures garden-gate with each garden, given as name, number of seeds and number of Shoots.
    async fn grow(
        &self,
        place: &Place,
        gardens: impl Iterator<Item = (String, usize, usize)>,
        requests: &[Request],
    ) {
        let mut servers = Vec::new();
        for (name, seeds, shoots) in gardens {
            let folder = place.folder().join(&name);
            garden::write(&folder, seeds, shoots);
            servers.push(gate(&name, &folder, place).await);
        }
        self.plan.table("garden", &servers, requests, place).await;
    }

    /// Returns all requests if the table is selected, or else the selected ones.
    fn selected(&self, table: &str, requests: Vec<Request>) -> Vec<Request> {
        let is_wanted = |request: &Request| {
            let is_named = |word: &String| word == table || request.name.contains(word.as_str());
            self.words.is_empty() || self.words.iter().any(is_named)
        };
        requests.into_iter().filter(is_wanted).collect()
    }
}

/// Starts this program as a server, selected by `word`.
async fn own(name: &str, word: &str, place: &Place) -> Server {
    let mut command = Command::new(env::current_exe().unwrap());
    let port = Place::free_port();
    command.args([word, &port.to_string()]).arg(place.folder());
    let server = Server::start(name, command, port, place).await;
    server.unquestioning()
}

async fn gate(name: &str, garden: &Path, place: &Place) -> Server {
    serve(name, &["--garden".as_ref(), garden.as_os_str()], place).await
}

/// Starts garden-gate with these arguments and those for the port and the certificate.
async fn serve(name: &str, arguments: &[&OsStr], place: &Place) -> Server {
    let binary: OsString = env!("CARGO_BIN_EXE_garden-gate").into();
    let mut command = Command::new(env::var_os(BINARY).unwrap_or(binary));
    let port = Place::free_port();
    command
        .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
        .args(arguments)
        .arg("--tls-cert")
        .arg(place.certificate())
        .arg("--tls-key")
        .arg(place.key())
        .env("RUST_LOG", "warn");
    Server::start(name, command, port, place).await
}
