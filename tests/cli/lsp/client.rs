// SPDX-License-Identifier: Apache-2.0
//! A small client of the language server.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::command::garden_gate;

/// The time after which a missing answer fails a test.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The garden of most tests.
pub(crate) const GARDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");

/// A running server, and the messages that it has sent.
pub(crate) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications and requests of the server that no test has read yet.
    unread: VecDeque<Value>,
    last_id: i64,
}

/// Returns the URI of a file.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.canonicalize().unwrap().display())
}

impl Client {
    /// Starts a server without a message.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = garden_gate(&["lsp", "--at", "2026-12-01"]);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().unwrap();
        let input = server.stdin.take();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or_default() == 0 {
                        return;
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.trim().parse().unwrap();
                    }
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).unwrap();
                let message = serde_json::from_slice(&body).unwrap();
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { server, input, messages, unread: VecDeque::new(), last_id: 0 }
    }

    /// Starts a server for a folder, with these capabilities of the client.
    pub(crate) fn initialized_with(folder: &Path, arguments: &[&str], capabilities: Value) -> Self {
        let mut client = Self::start(folder, arguments);
        let result = client.request(
            "initialize",
            json!({"processId": null, "rootUri": uri(folder), "capabilities": capabilities}),
        );
        assert_eq!(result["serverInfo"]["name"], "garden-gate");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn initialized(folder: &Path, arguments: &[&str]) -> Self {
        Self::initialized_with(folder, arguments, json!({}))
    }

    /// Starts a server with the garden of most tests.
    pub(crate) fn with_garden(folder: &Path) -> Self {
        Self::initialized(folder, &["--garden", GARDEN])
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.send_bytes(framed.as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn next(&self) -> Value {
        self.messages.recv_timeout(TIMEOUT).unwrap()
    }

    /// Returns the response with an id.
    pub(crate) fn response(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.next();
            if message.get("method").is_none() && message["id"] == id {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// Sends a request, and returns its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// Returns the next notification or request of the server with this method.
    pub(crate) fn received(&mut self, method: &str) -> Value {
        self.received_as(|it| it["method"] == method)
    }

    fn received_as(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(position) = self.unread.iter().position(&is_wanted) {
            return self.unread.remove(position).unwrap();
        }
        loop {
            let message = self.next();
            if is_wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}}),
        );
    }

    /// Replaces the whole text of a document.
    pub(crate) fn replace(&mut self, uri: &str, version: i64, text: &str) {
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
        );
    }

    /// Returns the next diagnostics of a version of a document.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let message = self.received_as(|it| {
            let params = &it["params"];
            params["uri"] == uri && params["version"] == version
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Opens a document, and returns the codes of its diagnostics.
    pub(crate) fn opened(&mut self, uri: &str, text: &str) -> Vec<String> {
        self.open(uri, text);
        codes(&self.diagnostics(uri, 1))
    }

    /// Closes the input, as a client that crashes does, and returns the exit code.
    pub(crate) fn vanish(mut self) -> Option<i32> {
        self.input = None;
        self.server.wait().unwrap().code()
    }

    /// Ends the session in order, and returns the exit code.
    pub(crate) fn exit(mut self) -> Option<i32> {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.server.wait().unwrap().code()
    }

    /// Waits for the server to exit, and returns the exit code.
    pub(crate) fn ended(mut self) -> Option<i32> {
        self.server.wait().unwrap().code()
    }

    /// Returns the resident memory of the server in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.server.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A server that has ended cannot be stopped.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns the codes of diagnostics, sorted.
pub(crate) fn codes(diagnostics: &[Value]) -> Vec<String> {
    let codes = diagnostics.iter().filter_map(|it| it["code"].as_str());
    let mut codes: Vec<String> = codes.map(str::to_owned).collect();
    codes.sort();
    codes
}

/// Returns the position of a marker in a text, in code units of UTF-16, and the text without it.
pub(crate) fn cursor(text: &str, marker: char) -> (String, Value) {
    let at = text.find(marker).unwrap();
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let position = json!({"line": line, "character": column});
    (text.replacen(marker, "", 1), position)
}
