//! What people and programs read: one renderer per format. Renderers never filter or judge.

mod json;
mod reviewed;
mod text;

pub use json::write_json;
pub use reviewed::{Outcome, Reviewed};
pub use text::write_text;
