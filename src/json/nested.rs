use memchr::memchr2_iter;

/// Maximum number of objects and lists in lists for a cheap verdict.
///
/// CloudProfiles in small bodies have fewer.
const FEW: u64 = 250;

/// Counts of values that make a small JSON text expensive.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Nested {
    /// Objects and lists that are elements of a list.
    pub elements: u64,
    /// Other objects with fields.
    pub maps: u64,
}

impl Nested {
    /// Returns an upper bound for a JSON text, since brackets in strings count as well.
    #[must_use]
    pub fn at_most(text: &[u8]) -> Self {
        let mut nested = Self::default();
        let is_no_space = |byte: &&u8| !byte.is_ascii_whitespace();
        for at in memchr2_iter(b'{', b'[', text) {
            let before = text[..at].iter().rfind(is_no_space);
            let next = text[at + 1..].iter().find(is_no_space);
            if let Some(b'[' | b',') = before {
                nested.elements += 1;
            } else if text[at] == b'{' && next != Some(&b'}') {
                nested.maps += 1;
            }
        }
        nested
    }

    /// Reports whether judging a small body with these counts takes little time and memory.
    #[must_use]
    pub fn is_little(self) -> bool {
        self.elements <= FEW
    }
}
