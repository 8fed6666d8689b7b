// SPDX-License-Identifier: Apache-2.0
//! The HTTPS webhook server for AdmissionReviews.
//!
//! ```text
//! run (accept, drain) ─► connection (TLS, HTTP, idle limits) ─► endpoints ─► review ─► case ─► admission::judge ─► report
//!                              ▲ certificates                     │          │
//! watch (files, once a second) ┴───────────► state ◄──────────────┘          └─► answer (questions), metrics
//! ```
//!
//! Resources per client are bounded.
//!
//! `memory` limits the memory of a request from the first byte of the body to the last byte of the response.
//! `connections` limits their number and idle time; at the limit, the longest-idle one is evicted.
//! Connections run on separate threads. `health` has another thread and is never blocked by them.
//! It reports by `heartbeat` whether they make progress.
//!
//! [`Server::build`] performs all startup steps that can fail, and reports its progress on the metrics port.
//! It only waits for an unavailable API server.
//! A request uses the same snapshot, configuration and `now` until it is answered.

mod answer;
mod background;
mod body;
mod build;
mod case;
mod certificates;
mod clock;
mod connections;
mod demo;
mod directory;
mod endpoints;
mod error;
mod exposition;
mod health;
mod heartbeat;
mod in_process;
mod live;
mod log;
mod memory;
mod metrics;
mod options;
mod probe;
mod publish;
mod published;
mod ready;
mod record;
mod refusal;
mod review;
mod rights;
mod run;
mod shutdown;
mod source;
mod state;
mod watch;

#[cfg(test)]
#[path = "../../tests/simulation/mod.rs"]
#[expect(clippy::panic, clippy::unwrap_in_result, reason = "a test that cannot go on should fail")]
#[expect(clippy::print_stderr, reason = "a long run prints its results")]
mod simulation;

pub use answer::{Answerer, Answering, Requester};
pub use build::Server;
pub use certificates::CertificateError;
pub use demo::DemoServer;
pub use endpoints::DemoPage;
pub use error::ServerError;
#[doc(hidden)]
pub use in_process::Endpoints;
pub use options::{
    CertificateOptions, GardenOptions, ManagedOptions, RecordOptions, ServerOptions,
};
pub use probe::{ProbeError, Probed, probe};
pub use shutdown::Signals;
