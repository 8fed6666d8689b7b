//! YAML and JSON text, read with positions.
//!
//! [`parse`] turns text into [`Document`]s. A document becomes JSON ([`Document::to_value`]) or a typed value
//! ([`Document::decode`]), and tells for every JSON pointer where in the text it stands ([`Document::position`]).
//! Nothing here reads files.
//!
//! Plain scalars mean what they mean to `kubectl`: YAML 1.1 as `sigs.k8s.io/yaml` reads it. Memory is bounded by the
//! length of the text, whatever its aliases say.

mod build;
mod digest;
mod document;
mod error;
mod excerpt;
mod json;
mod open_collections;
mod position;
mod replace;
mod scalar;
mod split;
mod tree;
mod whitespace;
mod yaml;

pub use document::{Document, InNamespace};
pub use error::SourceError;
pub use excerpt::{Excerpt, Text};
pub(crate) use open_collections::Ending;
pub use position::Position;
pub use replace::{NewFields, Replacement, insert, replace};
pub use split::split;

use build::Builder;
use json::Failure;

/// The longest document in bytes that begins with a flow collection. The YAML parser keeps all tokens of one that may be a key, about 300 bytes for a byte.
const LONGEST_FLOW: usize = 1 << 20;

/// Reads every document of a YAML or JSON text; those without content are left out.
///
/// JSON may be one value or several in a row. A text that begins like JSON but is none is read as YAML.
///
/// # Errors
/// When the text is neither, sets a key twice, nests or expands too far, or has a value that JSON cannot express.
pub fn parse(text: &str) -> Result<Vec<Document>, SourceError> {
    read(text, Builder::default)
}

/// As [`parse`], but keys may be set more than once: documents keep all of them when they are serialized or decoded, and for everything
/// else the last one counts.
///
/// # Errors
/// As [`parse`].
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
        Err(Failure::Syntax(error)) if has_long_document(text) => {
            Err(match is_meant_as_json(text) {
                true => error,
                false => SourceError {
                    message: format!(
                        "{}, and a flow collection of YAML has at most {LONGEST_FLOW} bytes",
                        error.message
                    ),
                    ..error
                },
            })
        }
        Err(Failure::Syntax(error)) => parse_yaml(text, builder())
            .map_err(|yaml| if is_meant_as_json(text) { error } else { yaml }),
    }
}

/// Whether a document is longer than flow collections may be.
fn has_long_document(text: &str) -> bool {
    text.len() > LONGEST_FLOW && text.split("\n---").any(|it| it.len() > LONGEST_FLOW)
}

/// Which of two errors to tell: flow style YAML rarely puts its first key or item in double quotes.
fn is_meant_as_json(text: &str) -> bool {
    let inside = text
        .trim_start()
        .trim_start_matches(['{', '['])
        .trim_start();
    inside.starts_with('"') && !text.contains("\n---")
}

fn parse_yaml(text: &str, mut builder: Builder) -> Result<Vec<Document>, SourceError> {
    yaml::read(text, &mut builder)?;
    Ok(builder.into_documents())
}

#[cfg(test)]
mod tests;
