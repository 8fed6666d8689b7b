// SPDX-License-Identifier: Apache-2.0
//! Invalid heads and chunks of HTTP/1.1.

use crate::flood::{Protocol, flood};
use crate::trial::Trial;

const CHUNKED: &[u8] = b"POST /validate?timeout=30s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";

#[test]
fn chunks_of_one_byte() {
    let trial = Trial::new("HTTP/1 chunks of a byte").repeats();
    trial.withstands(async |target| {
        flood(target, Protocol::Http1, CHUNKED, |_| b"1\r\n \r\n".repeat(1_000)).await
    });
}

#[test]
fn extensions_of_chunks() {
    let trial = Trial::new("HTTP/1 chunk extensions").repeats();
    trial.withstands(async |target| {
        flood(target, Protocol::Http1, CHUNKED, |_| {
            let mut chunk = b"1;".to_vec();
            chunk.extend([b'a'; 8_000]);
            chunk.extend(b"\r\n \r\n");
            chunk
        })
        .await
    });
}

#[test]
fn heads_without_end() {
    let trial = Trial::new("HTTP/1 endless head").repeats();
    let opening = b"POST /validate HTTP/1.1\r\nhost: x\r\n";
    trial.withstands(async |target| {
        flood(target, Protocol::Http1, opening, |turn| {
            format!("h{turn}: {}\r\n", "x".repeat(500)).into_bytes()
        })
        .await
    });
}

#[test]
fn one_endless_header() {
    let trial = Trial::new("HTTP/1 endless header").repeats();
    let opening = b"POST /validate HTTP/1.1\r\nhost: ";
    trial.withstands(async |target| {
        flood(target, Protocol::Http1, opening, |_| vec![b'x'; 8 << 10]).await
    });
}

#[test]
fn requests_without_a_pause() {
    let trial = Trial::new("HTTP/1 pipelining").repeats();
    trial.withstands(async |target| {
        flood(target, Protocol::Http1, b"", |_| {
            b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100)
        })
        .await
    });
}
