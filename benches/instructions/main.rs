// SPDX-License-Identifier: Apache-2.0
//! Instructions of requests, `review`, `audit`, `plan`, and the start of `serve`, counted by Callgrind, so that other processes do not matter.
//!
//! `.ci/instructions` runs it and compares the results with `benches/instructions.txt`. It needs valgrind and gungraun-runner.
#![expect(clippy::disallowed_methods, reason = "benchmarks use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]
#![expect(missing_docs, reason = "macros generate public items")]

mod commands;
#[path = "../commands/garden.rs"]
mod garden;
#[path = "../load/requests.rs"]
#[expect(dead_code, reason = "another benchmark sends more requests")]
mod requests;
mod server;
#[path = "../scale/shoots.rs"]
#[expect(dead_code, reason = "another benchmark changes Shoots")]
mod shoots;

use gungraun::Callgrind;
use gungraun::prelude::*;
use mimalloc::MiMalloc;

use commands::Prepared;
use server::Post;

/// The allocator of garden-gate.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

// Answers one request, from the bytes of its body to those of the response.
#[library_benchmark]
#[bench::label_update(Post::label_update("/validate"))]
#[bench::label_update_with_a_policy(Post::label_update("/validate").with_policy())]
#[bench::label_update_mutate(Post::label_update("/mutate"))]
#[bench::spec_update(Post::named("UPDATE of a Shoot's spec"))]
#[bench::status_update(Post::status_update())]
#[bench::create(Post::named("CREATE of a Shoot"))]
#[bench::create_refused(Post::named("CREATE of a Shoot, refused"))]
#[bench::cloud_profile_update(Post::named("UPDATE of a CloudProfile"))]
fn request(post: Post) -> Post {
    post.send();
    post
}

// Runs a command, from its parsed arguments to the end of its output.
#[library_benchmark]
#[bench::review(commands::review(200))]
#[bench::audit(commands::audit(200))]
#[bench::plan(commands::plan(200))]
#[bench::plan_windows(commands::plan_windows(200))]
fn command(prepared: Prepared) -> Vec<u8> {
    prepared.run()
}

// Reads a garden directory with a file per Shoot, as at the start of `serve`.
#[library_benchmark]
#[bench::shoots(commands::directory(200))]
fn serve(folder: std::path::PathBuf) -> commands::Opened {
    commands::open(folder)
}

library_benchmark_group!(name = all, benchmarks = [request, command, serve]);

main!(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--branch-sim=yes", "--separate-threads=no",])),
    library_benchmark_groups = all
);
