//! Plans of changes as text, JSON and Markdown.

mod assumptions;
mod fleet;
mod fleet_json;
mod group;
mod json;
mod markdown;
mod rows;
mod text;

pub use fleet::{fleet_markdown, fleet_text};
pub(super) use fleet_json::Document as FleetDocument;
pub use fleet_json::fleet_json;
pub(super) use json::Document as PlanDocument;
pub use json::plan_json;
pub use markdown::plan_markdown;
pub use text::plan_text;
