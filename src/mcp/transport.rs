// SPDX-License-Identifier: Apache-2.0
//! Messages of the protocol: JSON documents in lines of limited length.
//!
//! `rmcp` has a transport for lines, which drops lines that are too long or not valid without an answer, so that clients
//! wait forever.

use std::io::{self, BufRead, BufReader, Read};

use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use tokio::sync::mpsc::{Receiver, Sender};

/// Maximum length of a line in bytes: manifests of the maximum size with many escaped characters.
const LONGEST_LINE: u64 = 8 << 20;

/// A message to the client.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A line, without its end.
    Line(String),
    /// The end of the session.
    End,
}

/// The messages between the client and the server.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) incoming: Receiver<RxJsonRpcMessage<RoleServer>>,
    pub(super) outgoing: Sender<Outgoing>,
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let line = Outgoing::Line(serde_json::to_string(&item)?);
            outgoing.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.incoming.close();
        Ok(())
    }
}

/// Reads messages until the end of the input, and answers lines that are none.
pub(super) fn read_all(
    input: impl Read,
    messages: &Sender<RxJsonRpcMessage<RoleServer>>,
    answers: &Sender<Outgoing>,
) {
    let mut input = BufReader::new(input);
    while let Some(line) = next_line(&mut input) {
        let is_open = match line.and_then(|line| parse(&line)) {
            Ok(None) => true,
            Ok(Some(message)) => messages.blocking_send(message).is_ok(),
            Err((id, error)) => {
                match serde_json::to_string(&ServerJsonRpcMessage::error(error, id)) {
                    Ok(line) => answers.blocking_send(Outgoing::Line(line)).is_ok(),
                    Err(_) => true,
                }
            }
        };
        if !is_open {
            return;
        }
    }
}

type Malformed = (Option<RequestId>, ErrorData);

/// Returns the next line; `None` at the end of the input, also within a line.
///
/// # Errors
/// Returns an error for the client about a line that is too long, which is skipped.
fn next_line(input: &mut impl BufRead) -> Option<Result<Vec<u8>, Malformed>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    if line.pop_if(|it| *it == b'\n').is_some() {
        return Some(Ok(line));
    }
    if (line.len() as u64) < LONGEST_LINE {
        return None;
    }
    skip_line(input).ok()?;
    let why = format!(
        "the message is longer than {} MiB and was not read; use `paths` instead of `manifests`",
        LONGEST_LINE >> 20
    );
    Some(Err((None, ErrorData::invalid_request(why, None))))
}

/// Skips the rest of a line without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|it| *it == b'\n');
        let (length, is_end) =
            (end.map_or(bytes.len(), |it| it + 1), end.is_some() || bytes.is_empty());
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

/// The part of a message that an answer repeats.
#[derive(Deserialize)]
struct MessageId {
    id: Option<RequestId>,
}

/// Parses a message; `None` for an empty line.
///
/// # Errors
/// Returns an error for the client about a line that is not valid.
fn parse(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Malformed> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    if error.is_data() {
        let id = serde_json::from_slice::<MessageId>(line).ok().and_then(|it| it.id);
        let why = "the message is not a request, a notification or a response of the protocol";
        return Err((id, ErrorData::invalid_request(why, None)));
    }
    let why = format!("the message is not valid JSON: {error}");
    Err((None, ErrorData::parse_error(why, None)))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use rstest::rstest;
    use serde_json::Value;
    use tokio::sync::mpsc::channel;

    use super::{LONGEST_LINE, Outgoing, read_all};

    /// Returns the number of messages and the answers.
    fn read(input: &[u8]) -> (usize, Vec<Value>) {
        let (messages, mut read) = channel(100);
        let (answers, mut answered) = channel(100);
        read_all(Cursor::new(input.to_vec()), &messages, &answers);
        drop((messages, answers));
        let count = std::iter::from_fn(|| read.blocking_recv()).count();
        let answers = std::iter::from_fn(|| answered.blocking_recv()).map(|it| match it {
            Outgoing::Line(line) => serde_json::from_str(&line).unwrap(),
            Outgoing::End => Value::Null,
        });
        (count, answers.collect())
    }

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    #[rstest]
    #[case::no_json("{", -32700, Value::Null)]
    #[case::no_utf_8("{\"id\": \"\u{fffd}", -32700, Value::Null)]
    #[case::batch(&format!("[{PING}]"), -32600, Value::Null)]
    #[case::no_object("1", -32600, Value::Null)]
    #[case::wrong_version(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600, Value::from(7))]
    #[case::no_method(r#"{"jsonrpc":"2.0","id":"a"}"#, -32600, Value::from("a"))]
    #[case::deep(&"[".repeat(100_000), -32700, Value::Null)]
    fn malformed_line_is_answered_and_the_next_one_read(
        #[case] line: &str,
        #[case] code: i64,
        #[case] id: Value,
    ) {
        let (count, answers) = read(format!("{line}\n\r\n\n{PING}\r\n").as_bytes());
        assert_eq!(count, 1);
        assert_eq!(answers.len(), 1, "{answers:?}");
        let answer = &answers[0];
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer["id"], id, "{answer}");
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_answered() {
        let mut input = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}\n".to_vec();
        input.extend_from_slice(format!("{PING}\n").as_bytes());
        let (count, answers) = read(&input);
        assert_eq!((count, answers[0]["error"]["code"].as_i64()), (1, Some(-32700)));
    }

    #[test]
    fn long_line_is_skipped_with_an_answer() {
        let long = "x".repeat(usize::try_from(LONGEST_LINE).unwrap() * 2);
        let (count, answers) = read(format!("{PING}\n{long}\n{PING}\n").as_bytes());
        assert_eq!(count, 2);
        assert!(answers[0]["error"]["message"].as_str().unwrap().contains("longer than 8 MiB"));
    }

    #[rstest]
    #[case::nothing(String::new())]
    #[case::part_of_a_line(PING.to_owned())]
    #[case::part_of_a_long_line("x".repeat(1000))]
    fn end_of_input_within_a_line_is_the_end(#[case] input: String) {
        assert_eq!(read(input.as_bytes()), (0, Vec::new()));
    }
}
