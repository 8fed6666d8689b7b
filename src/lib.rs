//! Admission control for Gardener landscapes.
//!
//! A verdict is a pure function of four inputs: an admission request, a snapshot of the garden, the configuration, and
//! the current time. An HTTPS server and a command line call this function, so both give the same verdicts.
//!
//! ```text
//! AdmissionReview (HTTPS) ─┐                                        ┌─► AdmissionReview (patch, causes, warnings)
//! manifests (CLI) ─────────┼─► Request ─► default ─► mutate ─► judge ┼─► text, JSON
//!                          │                ▲          ▲        ▲    └─► metrics, logs
//! directory of manifests ──┴─► Snapshot ────┴──────────┴────────┘
//! ```
//!
//! A module imports only modules of the lines above it in this list.
//!
//! - [`json`], `platform`
//! - [`go`]
//! - [`escape`], [`nearest`], [`yaml`]
//! - [`api`]
//! - [`files`], [`gardener`]
//! - [`config`]
//! - [`garden`]
//! - [`admission`]
//! - [`rules`]
//! - [`stored`]
//! - [`policies`]
//! - [`catalogue`], [`coverage`], [`forecast`], [`policy_files`]
//! - [`audit`]
//! - [`report`]
//! - [`review`], [`server`]
//! - [`lsp`]
//! - [`cli`]

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod cli;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod config_files;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod files;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod garden;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod lsp;
mod platform;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod policy_files;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod review;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod server;
