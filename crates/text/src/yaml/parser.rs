// SPDX-License-Identifier: Apache-2.0
//! The parser for YAML.

use std::io::{self, Read as _};

use libyaml_safer::{Encoding, Parser};

/// A text in which every line ends with a line break, as kubectl passes it to its parser.
pub(super) type Lines<'t> = io::Chain<&'t [u8], &'static [u8]>;

/// Returns a parser for a text.
pub(super) fn parser(text: &str) -> Parser<Lines<'_>> {
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let mut parser = Parser::new();
    parser.set_encoding(Encoding::Utf8);
    parser.set_input(text.as_bytes().chain(end));
    parser
}
