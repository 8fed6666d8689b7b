//! The HTTPS door: AdmissionReviews in, verdicts out.
//!
//! ```text
//! run (accept, drain) ─► connection (TLS, HTTP, idle limits) ─► router ─► review ─► case ─► engine::judge ─► report
//!                              ▲ tls                              │          │
//! watch (files, once a second) ┴───────────► state ◄──────────────┘          └─► answer (questions), metrics
//! ```
//!
//! What one caller may take is bounded: memory by `budget` (from the first byte of a body to the last of an answer),
//! connections by `connections` (the longest idle one gives way), time by `activity`. `health` answers on a thread of its
//! own, whatever the others are doing.
//!
//! [`Server::build`] does everything that can fail at the start, and tells on the metrics port how far it is; it waits for
//! an API server that is away, and for nothing else. A request takes one snapshot, one configuration and one `now`, and
//! keeps them to its end.

mod activity;
mod answer;
mod answered;
mod body;
mod budget;
mod build;
mod case;
mod certificate;
mod client_check;
mod connection;
mod connections;
mod error;
mod estimate;
mod exposition;
mod health;
mod live;
mod log;
mod managed;
mod memory;
mod metrics;
mod options;
mod port;
mod ready;
mod refusal;
mod review;
mod rights;
mod router;
mod run;
mod self_made;
mod shutdown;
mod source;
mod state;
mod tls;
mod watch;

pub use answer::{Answerer, Answering};
pub use build::Server;
pub use certificate::CertificateError;
pub use error::ServerError;
pub use options::{CertificateOptions, GardenOptions, ManagedOptions, ServerOptions};
pub use shutdown::Signals;
