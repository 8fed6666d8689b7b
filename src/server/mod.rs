//! The HTTPS door: AdmissionReviews in, verdicts out.
//!
//! ```text
//! run (accept, drain) ─► connection (TLS, HTTP, idle limits) ─► endpoints ─► review ─► case ─► engine::judge ─► report
//!                              ▲ certificates                     │          │
//! watch (files, once a second) ┴───────────► state ◄──────────────┘          └─► answer (questions), metrics
//! ```
//!
//! What one caller may take is bounded: memory by `memory` (from the first byte of a body to the last of an answer),
//! connections and their idle time by `connections` (the longest idle one gives way). They have threads of their own, and
//! `health` has one, whatever the others are doing; it reports by `heartbeat` whether they make progress.
//!
//! [`Server::build`] does everything that can fail at the start, and tells on the metrics port how far it is; it waits for
//! an API server that is away, and for nothing else. A request takes one snapshot, one configuration and one `now`, and
//! keeps them to its end.

mod answer;
mod audit;
mod body;
mod build;
mod case;
mod certificates;
mod connections;
mod directory;
mod endpoints;
mod error;
mod exposition;
mod health;
mod heartbeat;
mod live;
mod log;
mod memory;
mod metrics;
mod options;
mod probe;
mod ready;
mod refusal;
mod review;
mod rights;
mod run;
mod shutdown;
mod source;
mod state;
mod watch;

pub use answer::{Answerer, Answering, Requester};
pub use build::Server;
pub use certificates::CertificateError;
pub use error::ServerError;
pub use options::{CertificateOptions, GardenOptions, ManagedOptions, ServerOptions};
pub use probe::{ProbeError, Probed, probe};
pub use shutdown::Signals;
