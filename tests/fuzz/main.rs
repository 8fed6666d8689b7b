//! Random changes of real input, put to the core in process: it answers, soon, and never panics.
//!
//! `cargo test --test core fuzz::` tries some 20,000 reviews and 2,000 inputs of each parser, or as many as fit into a minute.
//! The long run is `GARDEN_GATE_FUZZ=1000000 cargo test --release --test core fuzz:: -- --nocapture --test-threads=1`: so many
//! reviews, a tenth as many of each parser, however long it takes; it tells numbers, the slowest case and how memory
//! grew, and fails if it did. A case is made from its number alone; one that fails is written to `target/tmp`, where it
//! is named after it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

mod door;
mod extensions;
mod json;
mod parsers;
mod properties;
mod replay;
mod run;
mod text;
mod worlds;
