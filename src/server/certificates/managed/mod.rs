//! A CA and a serving certificate that replicas share in a Secret, renewed long before they expire.
//!
//! ```text
//! keeper (loop) ─► secret (read, write with its version) ─► contents ─► plan (what is due) ─► issue (make it)
//!       │                                                      │
//!       └─► webhooks (our configurations trust the bundle) ◄───┴─► the pair that the server uses
//! ```
//!
//! No request is lost, because nothing is used before it is trusted: a new CA is first added to the bundle of the webhook
//! configurations, and signs only once it is there; an old one stays in the bundle until it has expired, and what it signed
//! has expired by then. Replicas may all do this at once: whoever writes the Secret second reads it again instead.
//!
//! Whatever happens to the Secret is repaired: what of it cannot be used is made anew, and CAs that somebody may still trust stay
//! in the bundle. If nothing of it is left, a running replica puts back what it had last. The time is the API server's.

mod api;
mod contents;
mod issue;
mod keeper;
mod pair;
mod plan;
mod secret;
mod webhooks;

pub(in crate::server) use keeper::{Keeper, KeeperNumbers};

#[cfg(test)]
#[expect(clippy::panic, reason = "a test that cannot go on should fail")]
mod tests;
