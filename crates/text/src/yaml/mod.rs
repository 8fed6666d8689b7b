// SPDX-License-Identifier: Apache-2.0
//! Parser for YAML and JSON with positions.
//!
//! [`parse`] returns [`Document`]s. A document converts to JSON ([`Document::to_value`]) or to a typed value
//! ([`Document::decode`]). It also returns the position of every JSON pointer in the text ([`Document::position`]).
//! This module reads no files.
//!
//! A text has the same meaning as for `kubectl`: YAML 1.1 as in `sigs.k8s.io/yaml`. What kubectl reads in another way
//! than most programs is an error. Memory is limited by the length of the text, with any aliases.

mod build;
mod digest;
mod document;
mod edit;
mod error;
mod events;
mod excerpt;
mod json;
mod open_collections;
mod parser;
mod position;
mod replace;
mod scalar;
mod spans;
mod split;
mod tags;
mod tree;
mod whitespace;

pub use document::{Document, InNamespace};
pub use edit::{Editor, Proposal, TextEdit, edited, edited_lines};
pub use error::SourceError;
pub use excerpt::{Excerpt, Text};
pub use open_collections::Ending;
pub use position::Position;
pub use replace::{NewFields, Replacement, insert, plain_or_quoted, replace};
pub use split::split;

use build::Builder;
use json::Failure;

/// Parses every document of a YAML or JSON text; empty documents are left out.
///
/// JSON may be one value or several in a row. A text that begins like JSON but is not valid JSON is parsed as YAML.
///
/// # Errors
/// Fails on invalid syntax, duplicate keys, exceeded limits, and values that JSON cannot express.
pub fn parse(text: &str) -> Result<Vec<Document>, SourceError> {
    read(text, Builder::default)
}

/// Parses like [`parse`], but allows duplicate keys.
///
/// Serialization and decoding keep all duplicates; for everything else the last one counts.
///
/// # Errors
/// Fails as [`parse`] does, except on duplicate keys.
pub fn parse_keeping_repeated(text: &str) -> Result<Vec<Document>, SourceError> {
    read(text, Builder::keeping_repeated)
}

fn read(text: &str, builder: fn() -> Builder) -> Result<Vec<Document>, SourceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with(['{', '[']) {
        return parse_yaml(text, builder());
    }
    let mut json = builder();
    match json::read(text, &mut json) {
        Ok(()) => Ok(json.into_documents()),
        Err(Failure::Content(error)) => Err(error),
        Err(Failure::Syntax(error)) if !may_continue_as_yaml(text, json.into_documents().len()) => {
            Err(error)
        }
        Err(Failure::Syntax(error)) => parse_yaml(text, builder())
            .map_err(|yaml| if is_meant_as_json(text) { error } else { yaml }),
    }
}

/// Reports whether kubectl reads a text as YAML after so many JSON values, or refuses it.
///
/// Source: `YAMLOrJSONDecoder` in `pkg/util/yaml/decoder.go` of k8s.io/apimachinery.
fn may_continue_as_yaml(text: &str, values: usize) -> bool {
    match values {
        0 => true,
        1 => !text.contains("\n..."),
        _ => false,
    }
}

/// Reports whether to return the error of the JSON parser instead of that of the YAML parser.
///
/// Flow style YAML rarely quotes its first key or item.
fn is_meant_as_json(text: &str) -> bool {
    let inside = text.trim_start().trim_start_matches(['{', '[']).trim_start();
    inside.starts_with('"') && !text.contains("\n---")
}

fn parse_yaml(text: &str, mut builder: Builder) -> Result<Vec<Document>, SourceError> {
    for part in events::parts(text)? {
        let mut events = part.events();
        while let Some(event) = events.next()? {
            builder.add(event)?;
        }
        builder.end_document();
    }
    Ok(builder.into_documents())
}

#[cfg(test)]
mod edit_tests;
#[cfg(test)]
mod tests;
