//! Rules for shoot-dns-service.

mod credentials;
mod findings;
pub(super) mod shoot;
