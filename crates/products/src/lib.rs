// SPDX-License-Identifier: Apache-2.0
//! What garden-gate says beyond single verdicts, as values and as texts.
//!
//! - [`audit`] judges the stored objects of a landscape, [`forecast`] predicts maintenance, [`coverage`] lists what no rule judges.
//! - [`review`] judges manifests before they are applied, and plans what they do to machines.
//! - [`replay`] judges recorded requests again.
//! - [`editor`] documents and completes fields of manifests at a cursor.
//! - [`policy_texts`] compiles the policies of operators.
//! - [`report`] renders the results for people and programs.
//!
//! Nothing here reads files, clocks, the environment or a network.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

pub mod audit;
pub mod coverage;
pub mod editor;
pub mod forecast;
pub mod policy_texts;
pub mod replay;
pub mod report;
pub mod review;
