//! The repository itself: generated files, documentation, imports, licences.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "support/command.rs"]
mod command;

mod docs;
mod hygiene;
mod licenses;
mod webhooks;
