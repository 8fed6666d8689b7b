//! The built server, spoken to over real HTTPS.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

mod auditing;
mod bad_input;
#[expect(dead_code, reason = "other tests use parts of it")]
mod common;
mod conformance;
mod levels;
mod listening;
mod log_sink;
mod metrics;
mod objective;
mod pressure;
mod probing;
mod recorded_requests;
mod silencing;
mod starting;
mod tls;
mod vanishing;
