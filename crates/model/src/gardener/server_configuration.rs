// SPDX-License-Identifier: Apache-2.0
//! Configuration files for API servers, as gardener-admission-controller decodes them.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use garden_gate_text::json::{decode, without_position};
use garden_gate_text::yaml::{Document, Position, SourceError, parse_keeping_repeated, split};

/// The first document of a configuration file. Later documents are ignored, as by the decoder of Kubernetes.
#[derive(Debug)]
pub struct ConfigurationFile {
    /// `None` if the file is empty.
    document: Option<Document>,
    /// The document as JSON; the last one of repeated fields counts.
    json: String,
}

/// The header of a configuration file.
#[derive(Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default)]
pub struct FileHeader {
    /// The API group and version; empty if it is absent.
    #[serde(rename = "apiVersion")]
    pub api_version: String,
    /// The kind; empty if it is absent.
    pub kind: String,
}

impl ConfigurationFile {
    /// Parses YAML or JSON.
    ///
    /// # Errors
    /// Fails on invalid syntax and exceeded limits.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let parts = split(text);
        let first = parts.first().and_then(|(_, place)| text.get(place.clone()));
        let documents = parse_keeping_repeated(first.unwrap_or_default())?;
        let document = documents.into_iter().next();
        let json = document.as_ref().map(|it| it.to_value().to_string());
        Ok(Self { document, json: json.unwrap_or_else(|| "null".to_owned()) })
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Reports whether the document is a mapping.
    pub fn is_mapping(&self) -> bool {
        self.document.as_ref().is_some_and(Document::is_mapping)
    }

    /// Returns the header; an absent one if its values are not strings.
    pub fn header(&self) -> FileHeader {
        decode(&self.json).unwrap_or_default()
    }

    /// Decodes the document; unknown fields are ignored.
    ///
    /// # Errors
    /// Fails with the reason if the document does not match `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, String> {
        decode(&self.json).map_err(|error| without_position(&error))
    }

    /// Returns the position of the value of a JSON pointer, or of its nearest parent.
    pub fn position(&self, pointer: &str) -> Position {
        let document = self.document.as_ref();
        document.map_or(Position::START, |it| it.position(pointer))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::ConfigurationFile;

    #[rstest]
    #[case::yaml("# policy\nkind: Policy\n", r#"{"kind":"Policy"}"#, 2)]
    #[case::json(r#"{"kind": "Policy"}"#, r#"{"kind":"Policy"}"#, 1)]
    #[case::repeated("kind: A\nkind: B\n", r#"{"kind":"B"}"#, 2)]
    #[case::later_document("---\nkind: A\n---\n{", r#"{"kind":"A"}"#, 2)]
    #[case::nothing("# nothing\n", "null", 1)]
    fn first_document_read(#[case] text: &str, #[case] json: &str, #[case] line: usize) {
        let file = ConfigurationFile::parse(text).unwrap();
        assert_eq!(file.json(), json);
        assert_eq!(file.position("/kind").line, line);
    }

    #[rstest]
    #[case::mapping("kind: Policy", true)]
    #[case::list("- kind: Policy", false)]
    #[case::text("kind", false)]
    #[case::nothing("# nothing", false)]
    fn mapping_is_recognized(#[case] text: &str, #[case] expected: bool) {
        let file = ConfigurationFile::parse(text).unwrap();
        assert_eq!(file.is_mapping(), expected);
    }

    #[test]
    fn header_with_other_values_is_absent() {
        let file = ConfigurationFile::parse("kind: [a]").unwrap();
        assert_eq!(file.header().kind, "");
        assert!(ConfigurationFile::parse("a: {").is_err());
    }
}
