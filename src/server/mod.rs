//! The HTTPS door: AdmissionReviews in, verdicts out.
//!
//! ```text
//! run (accept, drain) ─► connection (TLS, HTTP, idle limits) ─► router ─► review ─► engine::judge ─► report
//!                              ▲ tls                              │          │
//! watch (files, once a second) ┴───────────► state ◄──────────────┘          └─► answer (questions), metrics
//! ```
//!
//! [`Server::build`] does everything that can fail at the start, and tells on the metrics port how far it is; it waits for an
//! API server that is away, and for nothing else. A request takes one snapshot, one configuration and one `now`, and keeps them to its end.

mod activity;
mod answer;
mod body;
mod build;
mod certificate;
mod client_check;
mod connection;
mod error;
mod live;
mod managed;
mod metrics;
mod options;
mod ready;
mod refusal;
mod review;
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
