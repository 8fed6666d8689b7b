// SPDX-License-Identifier: Apache-2.0
//! Attacks on the built server while it serves other clients over HTTPS.
//!
//! Other clients must not notice, and memory must remain far below the limit of the chart.
//!
//! `cargo test --test hostile` runs the attacks one after another, which takes some minutes; `-- --nocapture` prints
//! measurements of each. `GARDEN_GATE_BIN=PATH` attacks another build. It may be a release build, or a script that runs one
//! in a cgroup with a memory limit.
//!
//! [`trial::Outcome::failures`] defines the conditions: the process lives, has never used more than [`memory::PEAK`], and
//! has answered 95 % of the ordinary reviews and health checks within a second. At [`memory::LIMIT`], a cgroup would end
//! the process, and so do the tests.
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

#[expect(dead_code, reason = "every test binary uses its own part of it")]
#[path = "../server/https/common/mod.rs"]
mod common;

mod api_server;
mod flood;
#[expect(dead_code, reason = "other test binaries use the rest")]
#[path = "../server/live/api_server.rs"]
mod live_api_server;
mod memory;
mod ordinary;
mod reviews;
mod target;
mod trial;

mod answers;
mod connections;
mod expensive_policies;
mod hostile_garden;
mod http1;
mod http2;
mod json;
mod large_objects;
mod large_profiles;
mod log;
mod many_addresses;
mod many_items;
mod metrics_port;
mod odd_reviews;
mod publish_port;
mod questions;
mod slow_bodies;
mod soak;
mod unreadable_specs;
