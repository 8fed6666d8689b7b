// SPDX-License-Identifier: Apache-2.0
//! The site, forecasts and audits for people without the CLI, over HTTPS, behind the API server's authentication and authorization.
//!
//! ```text
//! request ─► token (TokenReview) ─► Project (SubjectAccessReview) ─► page (rendered on request from the last forecast)
//! ```
//!
//! Without an API server, the port is on a loopback address, and requests need no token.
//!
//! A thread of its own serves the port, so that handshakes and slow readers do not delay reviews. One page is rendered at
//! a time. Questions are sent by the runtime of reviews, which owns the connections to the API server.

mod denial;
mod page;
mod playground;
mod publisher;
mod query;
mod readers;
mod routes;
mod secured;
mod tags;
mod token;

pub(super) use playground::PublishedPlayground;
pub(super) use publisher::Publisher;
pub(super) use routes::router;
pub(super) use secured::secured_by;

/// Maximum number of connections.
pub(super) const CONNECTIONS: usize = 100;
