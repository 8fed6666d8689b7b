// SPDX-License-Identifier: Apache-2.0
//! Clients of the built server: one of `rmcp`, and one that writes lines as it likes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use crate::command::garden_gate;
use crate::folder;

/// A part of all secrets, which no answer may contain.
pub(crate) const CANARY: &str = "kanarienvogel";
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
/// The time of all verdicts.
pub(crate) const AT: &str = "2026-12-01T00:00:00Z";

/// Returns a folder with the root `root`, which has manifests and a garden, next to files that no tool may read.
pub(crate) fn world() -> TempDir {
    let secret = format!("apiVersion: v1\nkind: Secret\nmetadata:\n  name: {CANARY}\n");
    let world = folder::folder(&[("outside/secret.yaml", &secret), ("secret.txt", CANARY)]);
    for (from, to) in [
        ("manifests/shoot-denied.yaml", "root/denied.yaml"),
        ("manifests/shoot-allowed.yaml", "root/shoots/allowed.yaml"),
        ("garden/cloudprofile.yaml", "root/garden/cloudprofile.yaml"),
        ("garden/projects.yaml", "root/garden/projects.yaml"),
        ("garden/seeds.yaml", "root/garden/seeds.yaml"),
        ("garden/shoots.yaml", "root/garden/shoots.yaml"),
    ] {
        folder::write(world.path(), to, &example(from));
    }
    world
}

/// Returns the text of an example.
pub(crate) fn example(file: &str) -> String {
    std::fs::read_to_string(Path::new(EXAMPLES).join(file)).unwrap()
}

/// A session of the client of `rmcp`.
pub(crate) struct Agent {
    session: RunningService<RoleClient, ()>,
    child: tokio::process::Child,
}

impl Agent {
    /// Starts a server with the root of a world.
    pub(crate) async fn start(world: &TempDir, arguments: &[&str]) -> Self {
        let mut command = Command::from(garden_gate(&["mcp", "--root"]));
        command.arg(root(world)).args(arguments).current_dir(world.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let session = ().serve(streams).await.unwrap();
        Self { session, child }
    }

    pub(crate) async fn tools(&self) -> Vec<Tool> {
        self.session.list_all_tools().await.unwrap()
    }

    /// Returns the instructions of the server.
    pub(crate) fn instructions(&self) -> String {
        self.session.peer_info().unwrap().instructions.clone().unwrap()
    }

    pub(crate) async fn try_call(
        &self,
        tool: &str,
        arguments: &Value,
    ) -> Result<CallToolResult, ServiceError> {
        let arguments = arguments.as_object().unwrap().clone();
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.session.call_tool(call).await
    }

    /// Returns the texts of a result.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Vec<String> {
        let result = self.try_call(tool, &arguments).await.unwrap();
        assert_ne!(result.is_error, Some(true), "{result:?}");
        texts(&result)
    }

    /// Returns the text of a result that is an error.
    pub(crate) async fn error(&self, tool: &str, arguments: Value) -> String {
        let result = self.try_call(tool, &arguments).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{result:?}");
        texts(&result).concat()
    }

    /// Ends the session, and returns the exit code of the server.
    pub(crate) async fn end(mut self) -> Option<i32> {
        self.session.cancel().await.unwrap();
        self.child.wait().await.unwrap().code()
    }
}

pub(crate) fn root(world: &TempDir) -> PathBuf {
    world.path().join("root")
}

fn texts(result: &CallToolResult) -> Vec<String> {
    result.content.iter().map(|it| it.as_text().unwrap().text.clone()).collect()
}

/// A client that writes any lines.
pub(crate) struct RawClient {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl RawClient {
    /// Starts a server with the root of a world, and initializes the session.
    pub(crate) fn start(world: &TempDir, arguments: &[&str]) -> Self {
        let mut client = Self::bare(world, arguments);
        client.write(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#);
        assert_eq!(client.read()["result"]["protocolVersion"], "2025-06-18");
        client.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    /// Starts a server without initializing the session.
    pub(crate) fn bare(world: &TempDir, arguments: &[&str]) -> Self {
        let mut command = garden_gate(&["mcp", "--root"]);
        command.arg(root(world)).args(arguments).current_dir(world.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { input: child.stdin.take(), output, child }
    }

    pub(crate) fn write(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// Sends a call of a tool.
    pub(crate) fn call(&mut self, id: u64, tool: &str, arguments: &Value) {
        let call = serde_json::json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        });
        self.write(call.to_string());
    }

    /// Returns the next message of the server.
    pub(crate) fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or(Value::Null)
    }

    /// Sends SIGTERM, and returns the exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        let process = Pid::from_child(&self.child);
        kill_process(process, Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }

    /// Closes the input, and returns the exit code and standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}
