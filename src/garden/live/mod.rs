// SPDX-License-Identifier: Apache-2.0
//! The live garden cluster: watches → [`Snapshot`](garden_gate_core::garden::Snapshot), plus live lookups.
//!
//! ```text
//! watch (one per kind) ─► object (read, trimmed) ─► state (one snapshot, published after each event)
//! rules' questions ─► ask / access ─► cache (one request for many askers) ─► share (few at a time, fairly) ─► API server
//!                                                                            client (rebuilt for new credentials) ┘
//! ```
//!
//! [`Connection::list`] loads a garden once, without watches.
//!
//! [`Kind::known`](garden_gate_model::api::Kind::known) defines which kinds are watched, looked up or listed. [`Right::to_know`]
//! returns the verbs that this requires.
//! Access reviews also require `create` on `subjectaccessreviews.authorization.k8s.io`.

mod access;
mod api_server;
mod ask;
mod asker;
mod cache;
mod callers;
mod client;
mod collections;
mod compression;
mod dry_run;
mod error;
mod garden;
mod identity;
mod kubeconfig;
mod label_lookup;
mod listing;
mod name_lookup;
mod object;
mod pages;
mod rights;
mod share;
mod source;
mod state;
mod stored_objects;
mod target;
mod watch;
mod workload;

pub use api_server::ApiServerAddress;
pub use asker::Asker;
pub(crate) use asker::client_network;
pub use callers::{Caller, Callers};
pub use client::LiveClient;
pub use dry_run::{DryRun, Intent};
pub use error::LiveError;
pub(crate) use error::innermost;
pub use garden::LiveGarden;
pub use listing::{ListedGarden, Needs};
pub use rights::Right;
pub(crate) use share::Share;
pub use source::LiveSource;
pub use state::{WatchState, WatchStatus};
pub use stored_objects::Page;
pub use target::{Connection, Target};

#[cfg(test)]
#[expect(clippy::panic, reason = "a test that cannot go on should fail")]
mod tests;
