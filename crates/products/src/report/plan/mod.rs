// SPDX-License-Identifier: Apache-2.0
//! Plans of changes as text, JSON and Markdown.

mod assumptions;
mod cost;
mod fleet;
mod fleet_json;
mod group;
mod json;
mod markdown;
mod rows;
mod spread;
mod text;
mod workload;
mod workload_json;

pub use fleet::{FleetReport, fleet_markdown, fleet_text};
pub use fleet_json::fleet_json;
pub use json::plan_json;
pub use markdown::plan_markdown;
pub use text::plan_text;

use schemars::JsonSchema;

/// The document of `plan --format json`.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "each document is written by a function of its own")]
pub(super) enum PlanDocument<'a> {
    /// Plan of a change.
    Change(json::Document<'a>),
    /// Plan of maintenance windows, with `--windows`.
    Fleet(fleet_json::Document<'a>),
}
