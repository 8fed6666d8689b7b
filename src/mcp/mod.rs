// SPDX-License-Identifier: Apache-2.0
//! Model Context Protocol: tools for agents, on standard input and output.
//!
//! A tool is a command of this program with typed arguments: `review`, `rules`, `review --fix --diff`, `forecast`, `audit` or
//! `schema`. It runs in a separate process, which ends at a deadline and cannot take the server with it. That process reads
//! files below the roots only, and no argument lets it write one.
//!
//! ```text
//! client ─► transport ─► server ─► arguments ─► process ─► answer ─► client
//!           lines        rmcp      roots        command    bounds
//! ```

mod answer;
mod arguments;
mod document;
mod process;
mod roots;
mod server;
mod summary;
mod tool;
mod transport;

pub(crate) use arguments::Commands;
pub(crate) use process::READABLE;
pub(crate) use roots::Roots;
pub(crate) use server::{Limits, Options, serve};
