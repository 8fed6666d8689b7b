// SPDX-License-Identifier: Apache-2.0
//! Text of an open document, with the positions of the protocol.

use gen_lsp_types::{Position, PositionEncodingKind, Range};

use garden_gate_text::yaml::{self, Excerpt};

/// The unit of columns in positions.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Encoding {
    /// Code units of UTF-16, which every client supports.
    #[default]
    Utf16,
    /// Bytes of UTF-8.
    Utf8,
}

impl Encoding {
    /// Selects UTF-8 if the client offers it, which needs no conversion.
    pub(super) fn select(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) { Self::Utf8 } else { Self::Utf16 }
    }

    /// Returns the name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf8 => PositionEncodingKind::UTF8,
        }
    }

    fn units(self, text: &str) -> usize {
        match self {
            Self::Utf16 => text.encode_utf16().count(),
            Self::Utf8 => text.len(),
        }
    }

    fn units_of(self, character: char) -> usize {
        match self {
            Self::Utf16 => character.len_utf16(),
            Self::Utf8 => character.len_utf8(),
        }
    }
}

/// The distance of the offsets whose code units are counted in advance, in bytes.
const DISTANCE: usize = 1024;

/// A text with the offsets of its lines.
#[derive(Clone, Debug)]
pub(super) struct SourceText {
    text: String,
    /// The offset of each line.
    starts: Vec<usize>,
    /// The number of code units before each multiple of [`DISTANCE`], so that positions in long lines are found fast.
    units: Vec<usize>,
    encoding: Encoding,
}

impl SourceText {
    pub(super) fn new(text: String, encoding: Encoding) -> Self {
        let mut source = Self { text, starts: Vec::new(), units: Vec::new(), encoding };
        source.index();
        source
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines.
    pub(super) fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns a line without its line break; the first line has number 0.
    pub(super) fn line(&self, number: usize) -> &str {
        let Some(start) = self.starts.get(number) else {
            return "";
        };
        let end = self.starts.get(number + 1).copied();
        let line = &self.text[*start..end.unwrap_or(self.text.len())];
        line.trim_end_matches(['\n', '\r'])
    }

    /// Returns the offset of a line, or the length of the text after the last line.
    pub(super) fn start_of(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// Returns the number of the line of an offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Replaces a range, or the whole text.
    pub(super) fn edit(&mut self, range: Option<Range>, new: String) {
        match range {
            None => self.text = new,
            Some(range) => {
                let start = self.offset(range.start);
                let end = self.offset(range.end).max(start);
                self.text.replace_range(start..end, &new);
            }
        }
        self.index();
    }

    /// Converts a position to an offset; positions beyond a line or the text are at its end.
    pub(super) fn offset(&self, position: Position) -> usize {
        let number = usize::try_from(position.line).unwrap_or(usize::MAX);
        let start = self.start_of(number);
        let mut left = usize::try_from(position.character).unwrap_or(usize::MAX);
        let line = self.line(number);
        for (at, character) in line.char_indices() {
            let units = self.encoding.units_of(character);
            if left < units {
                return start + at;
            }
            left -= units;
        }
        start + line.len()
    }

    /// Converts an offset to a position; an offset within a character is at its beginning.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_of(offset);
        let character = self.units_before(offset) - self.units_before(self.start_of(line));
        Position { line: narrow(line), character: narrow(character) }
    }

    /// Returns the number of code units before a character.
    ///
    /// Counts at most [`DISTANCE`] bytes and a character.
    fn units_before(&self, offset: usize) -> usize {
        let index = offset / DISTANCE;
        let from = self.text.floor_char_boundary(index * DISTANCE);
        let counted = self.units.get(index).copied().unwrap_or_default();
        counted + self.encoding.units(&self.text[from..offset])
    }

    /// Converts a range of offsets.
    pub(super) fn range(&self, range: std::ops::Range<usize>) -> Range {
        Range { start: self.position(range.start), end: self.position(range.end) }
    }

    /// Returns the offset of a position in YAML, whose columns count characters without a byte order mark.
    pub(super) fn offset_of(&self, position: yaml::Position) -> usize {
        let number = position.line.saturating_sub(1);
        let line = self.line(number);
        let mark = line.len() - line.trim_start_matches('\u{feff}').len();
        let mut characters = line[mark..].char_indices();
        let at = characters
            .nth(position.column.saturating_sub(1))
            .map_or(line.len(), |(at, _)| mark + at);
        self.start_of(number) + at
    }

    /// Returns the range of an excerpt of the text.
    pub(super) fn range_of(&self, excerpt: &Excerpt) -> Range {
        let start = self.offset_of(excerpt.position);
        self.range(start..start + excerpt.span.len())
    }

    fn index(&mut self) {
        self.units.clear();
        let (mut from, mut count) = (0, 0);
        for index in 0..=self.text.len() / DISTANCE {
            let to = self.text.floor_char_boundary(index * DISTANCE);
            count += self.encoding.units(&self.text[from..to]);
            self.units.push(count);
            from = to;
        }
        self.starts.clear();
        self.starts.push(0);
        let bytes = self.text.as_bytes();
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let is_first_of_two = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if !is_first_of_two {
                self.starts.push(at + 1);
            }
        }
    }
}

/// Documents are smaller than 4 GiB.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[rstest]
    #[case::ascii("ab\ncd", Encoding::Utf16, at(1, 1), 4)]
    #[case::emoji("a: 😀x", Encoding::Utf16, at(0, 5), 7)]
    #[case::emoji_bytes("a: 😀x", Encoding::Utf8, at(0, 7), 7)]
    #[case::umlaut("ä: x", Encoding::Utf16, at(0, 1), 2)]
    #[case::windows("a\r\nb", Encoding::Utf16, at(1, 0), 3)]
    #[case::old_mac("a\rb", Encoding::Utf16, at(1, 1), 3)]
    #[case::tab("\ta", Encoding::Utf16, at(0, 1), 1)]
    #[case::mark("\u{feff}a", Encoding::Utf16, at(0, 1), 3)]
    #[case::empty("", Encoding::Utf16, at(0, 0), 0)]
    fn positions_are_offsets(
        #[case] text: &str,
        #[case] encoding: Encoding,
        #[case] position: Position,
        #[case] offset: usize,
    ) {
        let source = SourceText::new(text.to_owned(), encoding);
        assert_eq!(source.offset(position), offset);
        assert_eq!(source.position(offset), position);
    }

    #[rstest]
    #[case::beyond_the_line("ab\ncd", at(0, 9), 2)]
    #[case::beyond_the_line_on_windows("ab\r\ncd", at(0, 9), 2)]
    #[case::beyond_the_text("ab\ncd", at(9, 0), 5)]
    #[case::within_a_character("😀", at(0, 1), 0)]
    fn invalid_positions_are_moved(
        #[case] text: &str,
        #[case] position: Position,
        #[case] offset: usize,
    ) {
        let source = SourceText::new(text.to_owned(), Encoding::Utf16);
        assert_eq!(source.offset(position), offset);
    }

    #[test]
    fn excerpt_has_the_range_of_its_token() {
        let text = "\u{feff}ä: 😀 # c\r\nb: 1";
        let yaml_text = yaml::Text::new(text.to_owned());
        let source = SourceText::new(text.to_owned(), Encoding::Utf16);
        let excerpt = yaml_text.excerpt(yaml::Position { line: 1, column: 4 });
        let range = source.range_of(&excerpt);
        assert_eq!((range.start, range.end), (at(0, 4), at(0, 6)));
    }

    #[test]
    fn edits_replace_ranges() {
        let mut source = SourceText::new("a: 😀\nb: 2\n".to_owned(), Encoding::Utf16);
        let range = |start, end| Some(Range { start, end });
        source.edit(range(at(0, 3), at(0, 5)), "x".to_owned());
        source.edit(range(at(1, 3), at(9, 9)), "3\nc: 4".to_owned());
        assert_eq!(source.as_str(), "a: x\nb: 3\nc: 4");
        assert_eq!(source.line(2), "c: 4");
        // The end of a range must not precede its start.
        source.edit(range(at(1, 3), at(0, 0)), "5".to_owned());
        assert_eq!(source.as_str(), "a: x\nb: 53\nc: 4");
        source.edit(None, "new".to_owned());
        assert_eq!(source.as_str(), "new");
    }

    #[rstest]
    #[case::utf16(Encoding::Utf16)]
    #[case::utf8(Encoding::Utf8)]
    fn position_in_a_long_line_is_that_of_counting(#[case] encoding: Encoding) {
        let line: String = "aä😀€".chars().cycle().take(5 * DISTANCE).collect();
        let text = format!("a\n{line}\r\n{line}");
        let source = SourceText::new(text.clone(), encoding);
        for (offset, _) in text.char_indices().step_by(7) {
            let before = text[..offset].rsplit(['\n', '\r']).next().unwrap();
            let character = narrow(encoding.units(before));
            if !text[..offset].ends_with('\r') {
                assert_eq!(source.position(offset).character, character, "{offset}");
            }
        }
    }

    #[test]
    fn position_counts_few_bytes_of_a_long_line() {
        let source = SourceText::new("ä".repeat(1 << 20), Encoding::Utf16);
        assert_eq!(source.units.len(), (2 << 20) / DISTANCE + 1);
        assert_eq!(source.position(1 << 20).character, 1 << 19);
    }

    proptest! {
        #[test]
        fn every_offset_has_its_position(text in "[aä😀\t\r\n]{0,12}", utf8: bool) {
            let encoding = if utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let source = SourceText::new(text.clone(), encoding);
            for (offset, _) in text.char_indices() {
                // No position is between the two characters of a line break.
                if !text[..offset].ends_with('\r') {
                    prop_assert_eq!(source.offset(source.position(offset)), offset);
                }
            }
        }
    }
}
