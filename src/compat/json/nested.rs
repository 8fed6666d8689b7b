use memchr::memchr2_iter;

/// Objects and lists that are elements of a list; CloudProfiles in small bodies have fewer.
const FEW: u64 = 250;

/// What JSON needs to describe much in few bytes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Nested {
    /// Objects and lists that are elements of a list.
    pub elements: u64,
    /// Other objects, if they have fields.
    pub maps: u64,
}

impl Nested {
    /// Counts what a JSON text contains at most: brackets in strings count, too.
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

    /// Whether judging a small body with these contents takes too little time and memory to matter to other requests.
    #[must_use]
    pub fn is_little(self) -> bool {
        self.elements <= FEW
    }
}
