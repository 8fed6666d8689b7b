use std::ops::{AddAssign, Sub};

use crate::compat::openings;

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
        let mut nested = Self::default();
        openings(text, |place| {
            let [before, behind] = [&text[..place], &text[place + 1..]];
            let before = before.iter().rev().find(|it| !is_space(**it));
            if matches!(before, Some(b'[' | b',')) {
                nested.elements += 1;
            } else if text[place] == b'{' {
                let first = behind.iter().find(|it| !is_space(**it));
                nested.maps += u64::from(first != Some(&b'}'));
            }
        });
        nested
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

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
