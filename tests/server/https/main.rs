// SPDX-License-Identifier: Apache-2.0
//! Tests of the built server over real HTTPS.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod auditing;
mod bad_input;
mod conformance;
mod demonstrating;
mod forecasting;
mod gardener_version;
mod levels;
mod listening;
mod log_sink;
mod metrics;
mod objective;
mod policies;
mod pressure;
mod probing;
mod recorded_requests;
mod recording;
mod server_admission;
mod silencing;
mod starting;
mod stored_objects;
mod tls;
mod vanishing;
