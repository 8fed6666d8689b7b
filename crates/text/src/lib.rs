// SPDX-License-Identifier: Apache-2.0
//! JSON and YAML texts as Kubernetes reads them, and what Go does with values.
//!
//! Every function here is pure. Texts may be anything that the network or a file contains: nothing panics, and cost and memory are linear in
//! the length.
//!
//! - [`json`] compares, skips and decodes JSON without a tree.
//! - [`yaml`] parses YAML and JSON with the position of each value, and edits the text.
//! - [`go`] has the behaviour of Go's and Kubernetes' packages: quantities, durations, versions, labels, CIDRs.
//! - [`escape`] makes a text safe to print, [`nearest`] finds the word that was meant.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

pub mod escape;
pub mod go;
mod hexadecimal;
pub mod json;
pub mod nearest;
mod number;
mod time;
pub mod yaml;

pub use hexadecimal::hexadecimal;
pub use number::number;
pub use time::time_or_date;
