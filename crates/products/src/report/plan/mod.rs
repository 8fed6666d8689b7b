//! Plans of changes as text, JSON and Markdown.

mod assumptions;
mod group;
mod headline;
mod json;
mod markdown;
mod quantity;
mod rows;
mod text;

pub(super) use json::Document as PlanDocument;
pub use json::plan_json;
pub use markdown::plan_markdown;
pub use text::plan_text;
