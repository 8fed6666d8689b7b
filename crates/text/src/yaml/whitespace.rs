// SPDX-License-Identifier: Apache-2.0
use super::position::lines;
use super::{Position, SourceError};

/// Moves a syntax error to the whitespace that causes it.
///
/// The parser reports the beginning of the value before it, or the end of a key after it.
pub(super) fn blame(error: SourceError, text: &str) -> SourceError {
    let line = error.position.line;
    // The tab is after the value in this case.
    let is_further_on = error.message.contains("tab");
    let tab = tab(text, line, if is_further_on { usize::MAX } else { 1 });
    let caused = tab.or_else(|| look_alike(text, line));
    caused.unwrap_or(error)
}

/// Returns an error for the first tab in an indentation, in `count` lines beginning with line `first`.
fn tab(text: &str, first: usize, count: usize) -> Option<SourceError> {
    let lines = lines(text).enumerate().skip(first - 1);
    lines.take(count).find_map(|(index, line)| {
        let line = line.trim_start_matches('\u{feff}');
        let after = line.trim_start_matches([' ', '\t', '-']);
        let indentation = &line[..line.len() - after.len()];
        let column = indentation.chars().position(|it| it == '\t')? + 1;
        let message = "a tab in the indentation; YAML is indented with spaces only";
        (!after.trim().is_empty()).then(|| error(index, column, message.to_owned()))
    })
}

/// Returns an error for a character after `:` or `-` that looks like a space.
///
/// Checks line `last` and the line before it.
fn look_alike(text: &str, last: usize) -> Option<SourceError> {
    let mut lines = lines(text).enumerate().take(last).skip(last.saturating_sub(2));
    lines.find_map(|(index, line)| {
        let characters = || line.chars().enumerate();
        let mut pairs = characters().zip(characters().skip(1));
        let ((_, before), (at, space)) = pairs
            .find(|((_, before), (_, it))| matches!(before, ':' | '-') && is_look_alike(*it))?;
        let code = u32::from(space);
        let message = format!(
            "U+{code:04X} after `{before}` looks like a space, but is none in YAML; write a space"
        );
        Some(error(index, at + 1, message))
    })
}

fn is_look_alike(character: char) -> bool {
    character.is_whitespace() && !character.is_ascii()
}

fn error(index: usize, column: usize, message: String) -> SourceError {
    let line = index + 1;
    SourceError::new(Position { line, column }, message)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::yaml::parse;

    /// The expected positions are those that another parser, PyYAML 6.0.3, reports.
    #[rstest]
    #[case::after_a_value("a: b\n\tc: d\n", "2:1")]
    #[case::deeper("a:\n  b: c\n\td: e\n", "3:1")]
    #[case::first_in_mapping("a:\n\tb: c\n", "2:1")]
    #[case::sequence("a:\n- b\n\t- c\n", "3:1")]
    #[case::after_spaces("a: b\n  \tc: d\n", "2:3")]
    #[case::in_item("a:\n  - b: c\n\t  d: e\n", "3:1")]
    #[case::two("a:\n  b:\n\t\tc: d\n", "3:1")]
    #[case::carriage_return("a: b\r\n\tc: d\r\n", "2:1")]
    #[case::byte_order_mark("\u{feff}a: b\n\tc: d\n", "2:1")]
    #[case::after_comment("a: b\n# c\n\td: e\n", "3:1")]
    #[case::after_empty_line("a: b\n\n\tc: d\n", "3:1")]
    #[case::after_scalar_line("a:\n  b\n\tc: d\n", "3:1")]
    #[case::second_document("a: b\n---\nc: d\n\te: f\n", "4:1")]
    fn tab_in_indentation_is_at_its_own_position(#[case] text: &str, #[case] position: &str) {
        let expected =
            format!("{position}: a tab in the indentation; YAML is indented with spaces only");
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }

    #[rstest]
    #[case::between_lines("x: y\na:\u{a0}b\nc: d\n", "2:3: U+00A0 after `:`")]
    #[case::nested("x:\n  a:\u{a0}b\n  c: d\n", "2:5: U+00A0 after `:`")]
    #[case::item("- a\n-\u{a0}b\n", "2:2: U+00A0 after `-`")]
    #[case::wide("x: y\na:\u{3000}b\nc: d\n", "2:3: U+3000 after `:`")]
    fn look_alike_of_a_space_is_named(#[case] text: &str, #[case] beginning: &str) {
        let error = parse(text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{beginning} looks like a space, but is none in YAML; write a space")
        );
    }

    #[test]
    fn other_errors_stay_where_they_are() {
        let error = parse("a: \"\u{a0}\"\nb: 'x\n").unwrap_err();
        assert_eq!(error.position.line, 2);
    }
}
