// SPDX-License-Identifier: Apache-2.0
//! Replays of recorded requests as text, JSON and Markdown.

mod json;
mod sections;
mod text;

pub(super) use json::ReplayDocument;
pub use json::replay_json;
pub use text::{replay_markdown, replay_text};
