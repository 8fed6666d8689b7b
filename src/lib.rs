// SPDX-License-Identifier: Apache-2.0
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
//! The crates below `crates/` decide and render, without files, clocks and network: [`garden_gate_core`] judges, [`garden_gate_products`]
//! reviews, audits, forecasts and reports, [`garden_gate_model`] is the API of Gardener, [`garden_gate_text`] reads JSON and YAML. This crate reads and
//! writes:
//!
//! - [`cli`], the commands, and what they use: [`server`], [`lsp`] for editors, [`mcp`] for agents, [`review`] for
//!   manifests.
//! - [`garden`], gardens from directories and clusters.
//! - [`notify`], messages to the owners of Projects.
//! - [`config_files`], [`policy_files`] and [`files`].

#![expect(clippy::disallowed_methods, reason = "this crate reads files and clocks")]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

pub mod cli;
pub mod config_files;
pub mod files;
pub mod garden;
pub mod lsp;
pub mod mcp;
pub mod notify;
mod platform;
mod playground;
pub mod policy_files;
pub mod review;
pub mod server;
