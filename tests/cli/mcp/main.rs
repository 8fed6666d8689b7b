// SPDX-License-Identifier: Apache-2.0
//! The server for agents, with the client of the public library `rmcp`, and with hostile lines.

mod client;
mod hostile;
mod tools;
