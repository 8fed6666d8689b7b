// SPDX-License-Identifier: Apache-2.0
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A string that knows its length in characters. Clones share the memory.
#[derive(Clone)]
pub struct Text {
    text: Arc<str>,
    characters: usize,
}

impl Text {
    /// Returns the number of characters, without counting them again.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// Returns the position of a character in bytes; `None` beyond the end.
    ///
    /// It takes no time if all characters are of ASCII.
    pub(super) fn offset(&self, characters: usize) -> Option<usize> {
        if characters >= self.characters {
            return (characters == self.characters).then_some(self.len());
        }
        if self.is_ascii() {
            return Some(characters);
        }
        let mut offsets = self.char_indices().map(|(offset, _)| offset);
        offsets.nth(characters)
    }

    /// Returns the number of bytes that [`Self::offset`] reads.
    pub(super) fn scanned(&self, characters: usize) -> usize {
        if self.is_ascii() || characters >= self.characters {
            1
        } else {
            characters.saturating_mul(4).min(self.len())
        }
    }

    /// Reports whether all characters are of ASCII, without reading them.
    pub(super) fn is_ascii(&self) -> bool {
        self.characters == self.text.len()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        let characters = if text.is_ascii() { text.len() } else { text.chars().count() };
        Self { text, characters }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::from(Arc::from(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::from(Arc::from(text))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.text, f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn characters_are_located_as_by_a_search() {
        for text in ["", "abc", "äb", "aäöü", "𝄞a𝄞"] {
            let known = Text::from(text);
            let ends: Vec<usize> =
                text.char_indices().map(|(offset, _)| offset).chain([text.len()]).collect();
            assert_eq!(known.characters(), text.chars().count());
            for index in 0..ends.len() + 2 {
                let expected = ends.get(index).copied();
                assert_eq!(known.offset(index), expected, "{text}, {index}");
                let is_read = expected.is_some_and(|it| it <= known.scanned(index).max(index));
                assert!(is_read || expected.is_none_or(|it| it == text.len()));
            }
        }
    }
}
