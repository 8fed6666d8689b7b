// SPDX-License-Identifier: Apache-2.0
//! Documentation and completion at a cursor, for editors.
//!
//! The language server and the WebAssembly build use this module. Offsets are bytes of UTF-8; the text need not be valid YAML.

mod candidates;
mod completion;
mod field;
mod hover;
mod manifest;
mod outline;
mod scanned_text;
mod usage;

pub use candidates::View;
pub use completion::{Completions, Cursor, Proposal, ProposalKind, complete};
pub use field::{fits, followed};
pub use hover::hover;
pub use manifest::{manifest_at, part_at};
pub use outline::{Node, Outline, Step, pointer, unquoted};
