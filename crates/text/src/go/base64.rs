// SPDX-License-Identifier: Apache-2.0
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The decoder of Go's `encoding/base64.StdEncoding`, which ignores the last bits.
const DECODER: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes a field of type `[]byte` like Go, which ignores line breaks; `None` if it is not base64.
pub fn decoded_base64(text: &str) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.bytes().filter(|it| !matches!(it, b'\r' | b'\n')).collect();
    DECODER.decode(text).ok()
}

/// Returns the reason why a string is not base64; `None` if it is.
pub fn base64_error(text: &str) -> Option<&'static str> {
    let is_base64 = decoded_base64(text).is_some();
    (!is_base64).then_some("it has other characters than those of base64, or lacks some")
}

/// Returns the reason why a string cannot be a key of a ConfigMap or Secret; `None` if it can.
///
/// Mirrors IsConfigMapKey in `k8s.io/apimachinery/pkg/util/validation`.
pub fn config_key_error(key: &str) -> Option<&'static str> {
    let is_allowed = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
    match key {
        "" => Some("it is empty"),
        "." => Some("it is `.`"),
        _ if key.starts_with("..") => Some("it begins with `..`"),
        _ if key.len() > 253 => Some("it has more than 253 characters"),
        _ if !key.bytes().all(is_allowed) => {
            Some("it has other characters than letters, digits, `-`, `_` and `.`")
        }
        _ => None,
    }
}

/// Reports whether Go decodes bytes as a map: they are a JSON object or `null`, with any characters for invalid ones.
pub fn is_json_object(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let value: serde_json::Result<serde_json::Value> = serde_json::from_str(&text);
    value.is_ok_and(|it| it.is_object() || it.is_null())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{base64_error, config_key_error, decoded_base64};

    #[rstest]
    #[case::nothing("", true)]
    #[case::padded("eA==", true)]
    #[case::last_bits("eB==", true)]
    #[case::line_break("eH\nl6\r\n", true)]
    #[case::unpadded("eA", false)]
    #[case::sign("%%%", false)]
    #[case::url("-_==", false)]
    #[case::space("eA ==", false)]
    fn base64_is_that_of_go(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(base64_error(text).is_none(), expected);
    }

    #[test]
    fn length_is_that_of_the_bytes() {
        let length = |text| decoded_base64(text).map(|it| it.len());
        assert_eq!(["eHl6", "eA==", "%"].map(length), [Some(3), Some(1), None]);
    }

    #[rstest]
    #[case::plain("a_b-c.d", true)]
    #[case::hidden(".dockerconfigjson", true)]
    #[case::nothing("", false)]
    #[case::dot(".", false)]
    #[case::dots("..a", false)]
    #[case::space("a b", false)]
    #[case::slash("a/b", false)]
    fn keys(#[case] key: &str, #[case] expected: bool) {
        assert_eq!(config_key_error(key).is_none(), expected);
    }
}
