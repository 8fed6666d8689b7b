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
//! - [`compat`]
//! - [`escape`]
//! - [`source`], [`model`], [`fields`]
//! - [`files`]
//! - [`version`], [`status`], [`webhooks`], [`rolls`], [`config`]
//! - [`defaults`]
//! - [`garden`]
//! - [`engine`]
//! - [`rules`]
//! - [`catalogue`], [`coverage`], [`forecast`], [`stored`]
//! - [`audit`]
//! - [`report`]
//! - [`review`], [`server`]
//! - [`cli`]

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")
)]

pub mod audit;
pub mod catalogue;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod cli;
pub mod compat;
pub mod config;
pub mod coverage;
pub mod defaults;
pub mod engine;
pub mod escape;
pub mod fields;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod files;
pub mod forecast;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod garden;
pub mod model;
pub mod report;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod review;
pub mod rolls;
pub mod rules;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod server;
pub mod source;
pub mod status;
pub mod stored;
pub mod version;
pub mod webhooks;
