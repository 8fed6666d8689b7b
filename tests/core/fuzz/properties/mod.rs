// SPDX-License-Identifier: Apache-2.0
//! Properties of every parser for any input, and of every request.
//!
//! The targets in `fuzz/` search for inputs that violate them; `cargo test --test core fuzz::replay` replays the stored
//! inputs.

pub(crate) mod config;
pub(crate) mod constraint;
pub(crate) mod expression;
pub(crate) mod gardens;
pub(crate) mod json;
pub(crate) mod manifest;
pub(crate) mod review;
pub(crate) mod scalars;
pub(crate) mod yaml;

/// Checks an input; panics if it violates a property.
type Check = fn(&[u8]);

/// The name of each fuzz target, with the function that checks an input.
pub(crate) const TARGETS: &[(&str, Check)] = &[
    ("config", config::check),
    ("constraint", constraint::check),
    ("expression", expression::check),
    ("json", json::check),
    ("manifest", manifest::check),
    ("review", review::check),
    ("scalars", scalars::check),
    ("yaml", yaml::check),
];
