use std::ops::{AddAssign, Sub};

use crate::compat::{Block, is_space};

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
    /// At least what there is in a text, whether or not it is JSON: what looks like it counts, too.
    #[must_use]
    pub fn at_most(text: &[u8]) -> Self {
        let (mut nested, mut before) = (Self::default(), None);
        let mut signs = text.iter().copied().filter(|it| !is_space(*it)).peekable();
        while let Some(sign) = signs.next() {
            match (before, sign) {
                (Some(b'[' | b','), b'[' | b'{') => nested.elements += 1,
                (_, b'{') => nested.maps += u64::from(signs.peek() != Some(&b'}')),
                _ => {}
            }
            before = Some(sign);
        }
        nested
    }

    /// As [`Self::at_most`], and quickly: before each `{` or `[` behind white space there might be a comma.
    #[must_use]
    pub fn at_a_glance(text: &[u8]) -> Self {
        let (own, rest) = Block::all(text.get(1..).unwrap_or_default());
        let (before, _) = Block::all(text);
        let mut elements = 0;
        for (own, before) in own.zip(before) {
            elements += u64::from(own.elements_behind(before).count_ones());
        }
        let rest = text.get(text.len().saturating_sub(rest.len() + 1)..);
        for pair in rest.unwrap_or_default().windows(2) {
            let may_be_one = matches!(pair[0], b',' | b'[' | ..=b' ');
            elements += u64::from(may_be_one && matches!(pair[1], b'{' | b'['));
        }
        let maps = text.len() as u64;
        Self { elements, maps }
    }

    /// Whether what becomes of it, in a body that is small, takes so little time and memory that nobody else notices.
    #[must_use]
    pub fn is_little(self) -> bool {
        self.elements <= FEW
    }
}

impl AddAssign for Nested {
    fn add_assign(&mut self, other: Self) {
        self.elements += other.elements;
        self.maps += other.maps;
    }
}

/// What came after something that has been counted before.
impl Sub for Nested {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            elements: self.elements.saturating_sub(before.elements),
            maps: self.maps.saturating_sub(before.maps),
        }
    }
}
