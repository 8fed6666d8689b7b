// SPDX-License-Identifier: Apache-2.0
//! Language server: verdicts, documentation and completion in editors.
//!
//! `serve` reads messages, and answers them from a `Session`: the open documents, the other files of the workspace, the
//! configuration, and a snapshot of the garden. Diagnostics are the findings of `garden-gate review` about the open
//! documents, with all changes of the workspace as one set. The other answers are pure functions of a document and a
//! `View` of this state.

mod actions;
mod completion;
mod definition;
mod diagnostics;
mod document;
mod garden;
mod references;
mod server;
mod session;
mod source;
mod symbols;
mod transport;
mod uri;
mod workspace;

pub(crate) use garden::{DirectorySource, GardenSource};
pub(crate) use server::{End, serve};
pub(crate) use session::Options;
