//! The server for agents, with the client of the public library `rmcp`, and with hostile lines.

mod client;
mod hostile;
mod tools;
