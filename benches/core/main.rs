// SPDX-License-Identifier: Apache-2.0
//! CPU time of verdicts without network and TLS, compared with parsing, by garden size and list length.
//!
//! `cargo bench --bench core`. Words after `--` select benchmarks by name: `-- profiles`.
#![expect(clippy::disallowed_methods, reason = "benchmarks use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]

mod expressions;
mod garden;
mod growth;
mod profiles;
mod shoot_update;

use criterion::criterion_main;

criterion_main!(
    expressions::benches,
    garden::benches,
    growth::benches,
    profiles::benches,
    shoot_update::benches
);
