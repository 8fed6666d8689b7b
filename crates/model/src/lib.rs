// SPDX-License-Identifier: Apache-2.0
//! The API of Gardener, and what Gardener itself does with objects.
//!
//! - [`api`] declares the fields of all kinds, from which decoding, constraints and JSON Schemas are derived.
//! - [`gardener`] has defaults, versions, rolling updates and the health of webhooks.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

pub mod api;
pub mod gardener;
