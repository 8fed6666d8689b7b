// SPDX-License-Identifier: Apache-2.0
//! Invalid or abusive frames of HTTP/2.

use crate::flood::{Batch, Protocol, flood};
use crate::trial::Trial;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_HEADERS: u8 = 4;

/// Number of frames in a batch.
const BATCH: usize = 500;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

fn preface() -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, &[]));
    bytes
}

/// Returns the header block of `POST /validate` with JSON, with little HPACK compression.
fn head() -> Vec<u8> {
    let mut head = vec![0x83, 0x87, 0x04, 9];
    head.extend(b"/validate");
    head.extend([0x01, 1, b'x', 0x0f, 0x10, 16]);
    head.extend(b"application/json");
    head
}

fn with_an_open_stream() -> Vec<u8> {
    let mut bytes = preface();
    bytes.extend(frame(HEADERS, END_HEADERS, 1, &head()));
    bytes
}

fn withstands(name: &'static str, opening: Vec<u8>, batch: Batch) {
    let trial = Trial::new(name).repeats();
    trial.withstands(async |target| flood(target, Protocol::Http2, &opening, batch).await);
}

#[test]
fn streams_that_are_reset_at_once() {
    withstands("HTTP/2 rapid reset", preface(), |turn| {
        let stream = turn * 2 + 1;
        let mut bytes = frame(HEADERS, END_HEADERS, stream, &head());
        bytes.extend(frame(RST_STREAM, 0, stream, &[0, 0, 0, 8]));
        bytes
    });
}

#[test]
fn pings() {
    withstands("HTTP/2 pings", preface(), |_| frame(PING, 0, 0, b"pingping").repeat(BATCH));
}

#[test]
fn settings() {
    withstands("HTTP/2 settings", preface(), |_| frame(SETTINGS, 0, 0, &[]).repeat(BATCH));
}

#[test]
fn windows_and_priorities() {
    withstands("HTTP/2 windows", with_an_open_stream(), |turn| {
        let mut bytes = frame(PRIORITY, 0, turn * 2 + 3, &[0, 0, 0, 0, 1]);
        bytes.extend(frame(PRIORITY, 0, 1, &[0, 0, 0, 0, 1]).repeat(BATCH));
        bytes.extend(frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]).repeat(BATCH));
        bytes
    });
}

#[test]
fn empty_data() {
    withstands("HTTP/2 empty data", with_an_open_stream(), |_| {
        frame(DATA, 0, 1, &[]).repeat(BATCH)
    });
}

#[test]
fn heads_without_end() {
    let mut opening = preface();
    opening.extend(frame(HEADERS, 0, 1, &head()));
    withstands("HTTP/2 continuations", opening, |_| {
        frame(CONTINUATION, 0, 1, &[0x0f, 0x10, 1, b'x'].repeat(100)).repeat(BATCH)
    });
}

/// One long header is added to the table, and referenced repeatedly.
#[test]
fn heads_that_unpack_to_much() {
    withstands("HTTP/2 HPACK bomb", preface(), |turn| {
        let mut head = head();
        head.extend([0x40, 1, b'a', 0x7f]);
        // 4,000 bytes after the 127 of the prefix.
        head.extend([0xa1, 0x1e]);
        head.extend([b'a'; 4_000]);
        head.extend([0xbe; 8_000]);
        frame(HEADERS, END_HEADERS, turn * 2 + 1, &head)
    });
}

#[test]
fn streams_that_do_not_end() {
    withstands("HTTP/2 unfinished streams", preface(), |turn| {
        let stream = turn * 2 + 1;
        let mut bytes = frame(HEADERS, END_HEADERS, stream, &head());
        bytes.extend(frame(DATA, 0, stream, b"{\"a\":"));
        bytes
    });
}
