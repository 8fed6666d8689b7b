// SPDX-License-Identifier: Apache-2.0
//! Time and memory of `review`, `audit`, `forecast`, `site` and `lsp` on many objects.
//!
//! `cargo bench --bench commands`. After `--`, words select commands, and a number replaces the number of objects: `-- audit 5000`.
//! `cargo test --bench commands` runs each once, with few objects.
#![expect(clippy::disallowed_methods, reason = "benchmarks use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

mod audit;
#[expect(dead_code, reason = "tests use the rest")]
#[path = "../../tests/cli/lsp/client.rs"]
mod client;
#[expect(dead_code, reason = "tests use the rest")]
#[path = "../../tests/support/command.rs"]
mod command;
mod forecast;
mod garden;
mod lsp;
mod process;
mod review;
mod site;

use std::env;

/// The scope of the benchmarks.
#[derive(Clone, Copy)]
struct Plan {
    /// Whether this is `cargo bench`; `cargo test` uses few objects.
    is_bench: bool,
    /// The number of objects from the command line.
    count: Option<usize>,
}

/// The name of a command, and its benchmark.
type Command = (&'static str, fn(Plan));

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let plan = Plan {
        is_bench: arguments.iter().any(|argument| argument == "--bench"),
        count: arguments.iter().find_map(|argument| argument.parse().ok()),
    };
    let commands: [Command; 5] = [
        ("review", review::run),
        ("audit", audit::run),
        ("forecast", forecast::run),
        ("site", site::run),
        ("lsp", lsp::run),
    ];
    let selected = |name: &str| arguments.iter().any(|argument| argument == name);
    let selects_all = !commands.iter().any(|(name, _)| selected(name));
    for (name, run) in commands {
        if selects_all || selected(name) {
            println!("## {name}");
            run(plan);
        }
    }
}
