// SPDX-License-Identifier: Apache-2.0
//! Offsets in code units of UTF-16, which JavaScript and editors count.

use garden_gate_text::yaml::Position;

/// The distance of the offsets whose code units are counted in advance, in bytes.
const DISTANCE: usize = 1024;

/// A text whose byte offsets are converted.
#[derive(Debug)]
pub(crate) struct CodeUnits<'t> {
    text: &'t str,
    /// The offset of each line.
    starts: Vec<usize>,
    /// The number of code units before each multiple of [`DISTANCE`].
    units: Vec<usize>,
}

impl<'t> CodeUnits<'t> {
    /// Indexes a text.
    pub(crate) fn of(text: &'t str) -> Self {
        let (mut units, mut from, mut count) = (Vec::new(), 0, 0);
        for index in 0..=text.len() / DISTANCE {
            let to = text.floor_char_boundary(index * DISTANCE);
            count += length(&text[from..to]);
            units.push(count);
            from = to;
        }
        let bytes = text.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = (0..bytes.len()).filter(is_end).map(|at| at + 1);
        Self { text, starts: [0].into_iter().chain(starts).collect(), units }
    }

    /// Converts a byte offset; one within a character is at its beginning.
    pub(crate) fn before(&self, offset: usize) -> usize {
        let offset = self.text.floor_char_boundary(offset);
        let index = offset / DISTANCE;
        let from = self.text.floor_char_boundary(index * DISTANCE);
        let counted = self.units.get(index).copied().unwrap_or_default();
        counted + length(&self.text[from..offset])
    }

    /// Converts an offset in code units to one in bytes; one beyond the text is at its end.
    pub(crate) fn byte(&self, units: usize) -> usize {
        let index = self.units.partition_point(|it| *it <= units).saturating_sub(1);
        let from = self.text.floor_char_boundary(index * DISTANCE);
        let mut left = units - self.units.get(index).copied().unwrap_or_default().min(units);
        for (at, character) in self.text[from..].char_indices() {
            if left < character.len_utf16() {
                return from + at;
            }
            left -= character.len_utf16();
        }
        self.text.len()
    }

    /// Returns the byte offset of a position in YAML, whose columns count characters without a byte order mark.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let number = position.line.saturating_sub(1);
        let Some(start) = self.starts.get(number) else {
            return self.text.len();
        };
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        let line = self.text[*start..end].trim_end_matches(['\n', '\r']);
        let mark = line.len() - line.trim_start_matches('\u{feff}').len();
        let at = line[mark..].char_indices().nth(position.column.saturating_sub(1));
        start + at.map_or(line.len(), |(at, _)| mark + at)
    }
}

fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns_count_characters_and_offsets_count_code_units() {
        let text = "\u{feff}a: 😀 # c\r\nb: 1";
        let units = CodeUnits::of(text);
        let at = |line, column| units.before(units.offset(Position { line, column }));
        assert_eq!((at(1, 4), at(1, 5), at(2, 4), at(3, 1)), (4, 6, 15, 16));
    }

    proptest! {
        #[test]
        fn every_offset_is_found_again(text in "[aä😀\n\r]{0,2000}") {
            let units = CodeUnits::of(&text);
            for (offset, _) in text.char_indices() {
                prop_assert_eq!(units.before(offset), text[..offset].encode_utf16().count());
                prop_assert_eq!(units.byte(units.before(offset)), offset);
            }
        }
    }
}
