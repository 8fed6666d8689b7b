use std::ops::Range;

use super::position::lines;

/// Returns the byte ranges of the documents of a YAML text, each with the number of lines before it.
///
/// The ranges cover the whole text. A line that begins with `---` begins a document, even inside a multi-line scalar. Texts
/// with directives and JSON are not split; a text that begins with `{{` is not JSON.
#[must_use]
pub fn split(text: &str) -> Vec<(usize, Range<usize>)> {
    let start = text.trim_start();
    // Templates often begin with `{{`.
    let is_json = start.starts_with(['{', '[']) && !start.starts_with("{{");
    if is_json || text.starts_with('%') || text.contains("\n%") {
        return vec![(0, 0..text.len())];
    }
    let (mut parts, mut begin) = (Vec::new(), (0, 0));
    let starts = text.match_indices("\n---").map(|(at, _)| at + 1);
    for at in starts.filter(|at| begins_document(&text[*at..])) {
        let number = begin.0 + lines(&text[begin.1..at]).count();
        parts.push((begin.0, begin.1..at));
        begin = (number, at);
    }
    parts.push((begin.0, begin.1..text.len()));
    parts
}

fn begins_document(line: &str) -> bool {
    let rest = line.strip_prefix("---");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
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
            (3, "--- # second\nb: |\n  ---\n  c\n---d: 2\n"),
            (8, "---"),
        ];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn template_has_parts() {
        let expected = [
            (0, "{{- if .a }}\n"),
            (1, "---\na: 1\n"),
            (3, "---\n{{- end }}"),
        ];
        assert_eq!(texts("{{- if .a }}\n---\na: 1\n---\n{{- end }}"), expected);
    }

    #[test]
    fn carriage_returns_before_a_part_count_as_lines() {
        let expected = [(0, "a: 1\rb: 2\r\n"), (2, "---\nc: 3")];
        assert_eq!(texts("a: 1\rb: 2\r\n---\nc: 3"), expected);
    }

    #[test]
    fn what_cannot_be_parted_stays_whole() {
        for text in [
            "",
            "{\"a\": 1}\n---\nb: 1",
            "%YAML 1.2\n---\na: 1",
            "a: 1\n...\n%YAML 1.2\n---\nb: 2",
        ] {
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
            let parts: Option<Vec<_>> = texts(&text).into_iter().map(|(_, part)| values(part)).collect();
            let parts = parts.map(|it| it.concat());
            if let (Some(whole), Some(parts)) = (values(&text), parts) {
                prop_assert_eq!(whole, parts);
            }
            prop_assert!(parse(&text).is_err() || texts(&text).iter().all(|(_, part)| parse(part).is_ok()));
        }
    }
}
