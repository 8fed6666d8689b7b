// SPDX-License-Identifier: Apache-2.0
//! Compression of JSON that stays in memory.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// Compresses a text.
pub(crate) fn deflate(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

/// Decompresses a text of about `length` bytes.
pub(crate) fn inflate(bytes: &[u8], length: usize) -> io::Result<String> {
    let mut text = String::with_capacity(length);
    DeflateDecoder::new(bytes).read_to_string(&mut text)?;
    Ok(text)
}
