//! Admission control for Gardener landscapes.
//!
//! A verdict is a pure function of four inputs: an admission request, a snapshot of the garden, the configuration, and
//! the instant that counts as now. Two doors lead to it: an HTTPS server that an API server calls, and a command line
//! that judges manifests before they are pushed. Nothing is decided in one door and not in the other.
//!
//! ```text
//! AdmissionReview (HTTPS) ─┐                                        ┌─► AdmissionReview (patch, causes, warnings)
//! manifests (CLI) ─────────┼─► Request ─► default ─► mutate ─► judge ┼─► text, JSON
//!                          │                ▲          ▲        ▲    └─► metrics, logs
//! directory of manifests ──┴─► Snapshot ────┴──────────┴────────┘
//! ```
//!
//! Imports point one way: to what stands higher in this list. Modules in the same line do not know each other.
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
pub mod cli;
pub mod compat;
pub mod config;
pub mod coverage;
pub mod defaults;
pub mod engine;
pub mod escape;
pub mod fields;
pub mod files;
pub mod forecast;
pub mod garden;
pub mod model;
pub mod report;
pub mod review;
pub mod rolls;
pub mod rules;
pub mod server;
pub mod source;
pub mod status;
pub mod stored;
pub mod version;
pub mod webhooks;
