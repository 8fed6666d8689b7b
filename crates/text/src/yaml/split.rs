// SPDX-License-Identifier: Apache-2.0
use std::ops::Range;

use super::position::lines;

/// Returns the byte ranges of the documents of a YAML text, each with the number of lines before it.
///
/// The ranges cover the whole text. As for kubectl, a line that begins with `---` begins a document, even inside a scalar
/// of several lines. JSON is not split; a text that begins with `{{` is not JSON.
pub fn split(text: &str) -> Vec<(usize, Range<usize>)> {
    let start = text.trim_start();
    // Templates often begin with `{{`.
    if start.starts_with(['{', '[']) && !start.starts_with("{{") {
        vec![(0, 0..text.len())]
    } else {
        split_yaml(text)
    }
}

/// Splits a text like [`split`], even if it begins like JSON.
pub(super) fn split_yaml(text: &str) -> Vec<(usize, Range<usize>)> {
    let (mut parts, mut begin) = (Vec::new(), (0, 0));
    for (at, _) in text.match_indices("\n---") {
        let at = at + 1;
        let number = begin.0 + lines(&text[begin.1..at]).count();
        parts.push((begin.0, begin.1..at));
        begin = (number, at);
    }
    parts.push((begin.0, begin.1..text.len()));
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::split;
    use crate::yaml::{parse, parse_keeping_repeated};

    fn texts(text: &str) -> Vec<(usize, &str)> {
        let parts = split(text).into_iter();
        parts.map(|(lines, place)| (lines, &text[place])).collect()
    }

    #[test]
    fn every_document_is_a_part() {
        let text = "# first\n---\na: 1\n--- # second\nb: |\n  ---\n  c\n---d: 2\n---";
        let expected = [
            (0, "# first\n"),
            (1, "---\na: 1\n"),
            (3, "--- # second\nb: |\n  ---\n  c\n"),
            (7, "---d: 2\n"),
            (8, "---"),
        ];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn template_has_parts() {
        let expected = [(0, "{{- if .a }}\n"), (1, "---\na: 1\n"), (3, "---\n{{- end }}")];
        assert_eq!(texts("{{- if .a }}\n---\na: 1\n---\n{{- end }}"), expected);
    }

    #[test]
    fn carriage_returns_before_a_part_count_as_lines() {
        let expected = [(0, "a: 1\rb: 2\r\n"), (2, "---\nc: 3")];
        assert_eq!(texts("a: 1\rb: 2\r\n---\nc: 3"), expected);
    }

    #[test]
    fn json_stays_whole() {
        for text in ["", "{\"a\": 1}\n---\nb: 1"] {
            assert_eq!(texts(text), [(0, text)]);
        }
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("---".to_owned()),
            Just("--- # more".to_owned()),
            Just("...".to_owned()),
            Just("a: 1".to_owned()),
            Just("  b: [x, 'y']".to_owned()),
            Just("c: |".to_owned()),
            Just("  --- text".to_owned()),
            Just("- d".to_owned()),
            Just("e: \"f".to_owned()),
            Just(String::new()),
        ]
    }

    proptest! {
        #[test]
        fn a_text_says_in_parts_what_it_says_as_a_whole(lines in prop::collection::vec(line(), 0..12)) {
            let text = lines.join("\n");
            let values = |text: &str| {
                let documents = parse_keeping_repeated(text).ok()?;
                Some(documents.iter().map(|it| it.to_value()).collect::<Vec<_>>())
            };
            let parts = texts(&text)
                .into_iter()
                .map(|(_, part)| values(part))
                .collect::<Option<Vec<_>>>()
                .map(|it| it.concat());
            if let (Some(whole), Some(parts)) = (values(&text), parts) {
                prop_assert_eq!(whole, parts);
            }
            prop_assert!(parse(&text).is_err() || texts(&text).iter().all(|(_, part)| parse(part).is_ok()));
        }
    }
}
