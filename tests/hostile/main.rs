//! Attacks on the built server, each put to it while it serves others over HTTPS: nobody else may notice, and its memory
//! stays far below the limit of the chart.
//!
//! `cargo test --test hostile` runs them one after another, which takes some minutes; `-- --nocapture` tells of each what
//! was measured. `GARDEN_GATE_BIN=PATH` attacks another build, for example a release build or a script that puts itself
//! into a cgroup with a memory limit and then runs one.
//!
//! An attack is withstood ([`trial::Outcome::failures`]) if the process lives, has never held more than
//! [`memory::PEAK`], and has answered 95 % of the ordinary reviews and health checks within a second. Where a cgroup
//! would end the process, at [`memory::LIMIT`], the tests do it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

#[expect(dead_code, reason = "every test binary uses its own part of it")]
#[path = "../https/common/mod.rs"]
mod common;

mod api_server;
mod flood;
#[expect(dead_code, reason = "other test binaries use the rest")]
#[path = "../live/api_server.rs"]
mod live_api_server;
mod memory;
mod ordinary;
mod reviews;
mod target;
mod trial;

mod answers;
mod connections;
mod hostile_garden;
mod http1;
mod http2;
mod json;
mod large_objects;
mod large_profiles;
mod log;
mod many_items;
mod metrics_port;
mod odd_reviews;
mod questions;
mod slow_bodies;
mod soak;
mod unreadable_specs;
