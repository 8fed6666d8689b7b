// SPDX-License-Identifier: Apache-2.0
//! Messages of the protocol: a header with the length, and a JSON document.

use std::io::{self, BufRead, ErrorKind, Read as _, Write};

use gen_lsp_types::ErrorCodes;
use gen_lsp_types::json_rpc::RequestObject;
use serde::Serialize;

use crate::files::MAX_FILE;

/// Maximum size of a message: a document of the maximum size with every character escaped.
const MAX_MESSAGE: u64 = 2 * MAX_FILE + (1 << 20);
/// Maximum size of a header line.
const MAX_LINE: u64 = 4096;
/// Maximum number of header lines.
const MAX_LINES: usize = 16;

/// A message of the client.
pub(super) enum Incoming {
    /// A request, a notification, or a response, which has no method.
    Message(Box<RequestObject>),
    /// A message that is not JSON, or not JSON-RPC, with the reason.
    Malformed(ErrorCodes, String),
}

/// Reads the next message; `None` at the end of the input.
///
/// # Errors
/// Fails if reading fails, or a header is not valid, so that the next message cannot be found.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = content_length(input)? else {
        return Ok(None);
    };
    let mut body = Vec::new();
    input.by_ref().take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(error) if error.is_data() => {
            let why = format!("the message is not valid JSON-RPC: {error}");
            Incoming::Malformed(ErrorCodes::InvalidRequest, why)
        }
        Err(error) => {
            let why = format!("the message is not valid JSON: {error}");
            Incoming::Malformed(ErrorCodes::ParseError, why)
        }
    }))
}

/// Reads the header, and returns the length of the document; `None` at the end of the input.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |why: &str| io::Error::new(ErrorKind::InvalidData, why.to_owned());
    let mut length = None;
    for _ in 0..MAX_LINES {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE {
            return Err(invalid("a header line is too long"));
        }
        let text = String::from_utf8_lossy(&line);
        let line = text.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            let length = length.ok_or_else(|| invalid("a header has no Content-Length"))?;
            return if length > MAX_MESSAGE {
                Err(invalid("a message is too large"))
            } else {
                Ok(Some(length))
            };
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(invalid("a header line has no `:`"));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let parsed = value.trim().parse();
            length = Some(parsed.map_err(|_| invalid("the Content-Length is not a number"))?);
        }
    }
    Err(invalid("a header has too many lines"))
}

/// Writes a message.
///
/// # Errors
/// Fails if writing fails, as when the client has exited.
pub(super) fn write(output: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read_all(mut input: &[u8]) -> Result<Vec<String>, String> {
        let mut read_messages = Vec::new();
        loop {
            match read(&mut input).map_err(|error| error.to_string())? {
                None => return Ok(read_messages),
                Some(Incoming::Message(message)) => read_messages.push(message.method().to_owned()),
                Some(Incoming::Malformed(..)) => read_messages.push("malformed".to_owned()),
            }
        }
    }

    const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_after_a_malformed_one_are_read() {
        let input = [framed("{"), framed(r#"{"jsonrpc":"1.0","method":"x"}"#), framed(EXIT)];
        let expected = ["malformed", "malformed", "exit"].map(str::to_owned);
        assert_eq!(read_all(input.concat().as_bytes()).unwrap(), expected);
    }

    #[test]
    fn header_names_are_case_insensitive_and_others_are_skipped() {
        let length = EXIT.len();
        let input =
            format!("Content-Type: application/json\r\ncontent-length:{length}\r\n\r\n{EXIT}");
        assert_eq!(read_all(input.as_bytes()).unwrap(), ["exit".to_owned()]);
    }

    #[rstest]
    #[case::no_length("Content-Type: x\r\n\r\n", "a header has no Content-Length")]
    #[case::no_number("Content-Length: x\r\n\r\n", "the Content-Length is not a number")]
    #[case::negative("Content-Length: -1\r\n\r\n", "the Content-Length is not a number")]
    #[case::large("Content-Length: 18446744073709551615\r\n\r\n", "a message is too large")]
    #[case::no_header("{\"jsonrpc\"\r\n", "a header line has no `:`")]
    fn malformed_header_is_an_error(#[case] input: &str, #[case] expected: &str) {
        assert_eq!(read_all(input.as_bytes()).unwrap_err(), expected);
    }

    #[test]
    fn headers_are_bounded() {
        let long = "x".repeat(1 << 20);
        assert_eq!(read_all(long.as_bytes()).unwrap_err(), "a header line is too long");
        let many = "a: b\r\n".repeat(100);
        assert_eq!(read_all(many.as_bytes()).unwrap_err(), "a header has too many lines");
    }

    #[rstest]
    #[case::nothing("")]
    #[case::header("Content-Length: 10\r\n")]
    #[case::body("Content-Length: 10\r\n\r\n{")]
    fn end_of_input_within_a_message_is_the_end(#[case] input: &str) {
        assert_eq!(read_all(input.as_bytes()).unwrap(), [""; 0]);
    }
}
