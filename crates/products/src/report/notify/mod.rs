// SPDX-License-Identifier: Apache-2.0
//! Messages for the owners of Projects about news of a landscape.
//!
//! ```text
//! landscape ─► facts (per Project) ─► news (not sent yet, or changed) ─► message (bounded) ─► template ─► payload
//!                                       ▲ state (facts that each destination knows) ◄── delivered
//! ```
//!
//! There is no I/O and no clock: the caller reads and writes the state, and delivers payloads.

mod facts;
mod markup;
mod message;
mod news;
mod payload;
mod state;
mod template;

pub use facts::{LandscapeFacts, ProjectFacts};
pub(super) use message::Document as NotificationsDocument;
pub use message::{Message, MessageItem, Notice, messages_json};
pub use news::ProjectNews;
pub use payload::{document_json, slack_json, teams_json};
pub use state::{NotificationState, StateError};
pub use template::{MessageFormat, MessageTemplate, TemplateError};

#[cfg(test)]
mod tests;
