// SPDX-License-Identifier: Apache-2.0
//! Random mutations of real input, processed by the core in process: it answers soon and never panics.
//!
//! `cargo test --test core fuzz::` tries about 20,000 reviews and 2,000 inputs of each parser, or as many as fit into a
//! minute.
//!
//! The long run is `GARDEN_GATE_FUZZ=1000000 cargo test --release --test core fuzz:: -- --nocapture --test-threads=1`. It
//! tries that number of reviews, and a tenth of it for each parser, without a time limit. It prints counts, the slowest
//! case and the growth of memory, and fails if memory grows.
//!
//! A case depends only on its number. A failed case is written to `target/tmp`, in a file with its number.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

mod entry_point;
mod extensions;
mod json;
mod parsers;
mod properties;
mod replay;
mod run;
mod text;
mod worlds;
