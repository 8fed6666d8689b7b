// SPDX-License-Identifier: Apache-2.0
//! A CA and a serving certificate that replicas share in a Secret, renewed long before they expire.
//!
//! ```text
//! keeper (loop) ─► secret (read, write with its version) ─► contents ─► plan (what is due) ─► issue (make it)
//!       │                                                      │
//!    ▲  └─► webhooks (our configurations trust the bundle) ◄───┴─► the pair that the server uses
//!    └ changes (watches of the Secret and the configurations)
//! ```
//!
//! No request is lost, because certificates are not used before they are trusted.
//! A new CA is first added to the CA bundle of the webhook configurations, and signs only afterwards.
//! An old CA remains in the bundle until it has expired.
//!
//! Its certificates have expired by then.
//! Replicas may work concurrently: on a write conflict, a replica reads the Secret again.
//!
//! Any damage to the Secret is repaired: unusable parts are recreated, and CAs that clients may trust remain in the
//! bundle.
//! If everything is lost, a running replica restores its last contents. The clock is that of the API server.

mod api;
mod changes;
mod contents;
mod issue;
mod keeper;
mod pair;
mod plan;
mod secret;
mod watches;
mod webhooks;

pub(crate) use keeper::Keeper;

#[cfg(test)]
#[expect(clippy::panic, reason = "a test that cannot go on should fail")]
mod tests;
