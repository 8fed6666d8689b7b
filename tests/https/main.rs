//! The built server, spoken to over real HTTPS.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

mod bad_input;
mod common;
mod conformance;
mod recorded_requests;
mod tls;
