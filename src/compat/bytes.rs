use wide::u8x16;

/// Bytes of a text that are looked at at once.
#[derive(Clone, Copy, Debug)]
pub struct Block(u8x16);

impl Block {
    /// How many bytes a block has.
    pub const LENGTH: usize = 16;

    /// The first bytes of a text; `None` if it is shorter than a block.
    #[must_use]
    #[inline]
    pub fn first(bytes: &[u8]) -> Option<Self> {
        bytes.first_chunk().map(|block| Self((*block).into()))
    }

    /// How many bytes come before the first that ends a text of JSON, begins an escape in it, or is a control character.
    #[must_use]
    #[inline]
    pub fn until_special(self) -> usize {
        let Self(bytes) = self;
        let control = bytes.cmp_eq(bytes.min(u8x16::splat(0x1f)));
        let quote = bytes.cmp_eq(u8x16::splat(b'"'));
        let backslash = bytes.cmp_eq(u8x16::splat(b'\\'));
        let found = (control | quote | backslash).move_mask();
        // One bit further there are no more bytes.
        let place = (found.cast_unsigned() | 1 << Self::LENGTH).trailing_zeros();
        usize::try_from(place).unwrap_or(Self::LENGTH)
    }
}

/// Tells `each` the places at which bytes of a text begin an object or a list of JSON, in order.
#[inline]
pub(super) fn openings(bytes: &[u8], mut each: impl FnMut(usize)) {
    const PAIR: usize = 2 * Block::LENGTH;
    let (pairs, rest) = bytes.as_chunks::<PAIR>();
    for (number, pair) in pairs.iter().enumerate() {
        let (halves, _) = pair.as_chunks::<{ Block::LENGTH }>();
        let [low, high] = [0, 1].map(|half| openings_in(halves[half]));
        let mut bits = low | high << Block::LENGTH;
        while bits != 0 {
            each(number * PAIR + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
    let behind = bytes.len() - rest.len();
    for (place, byte) in rest.iter().enumerate() {
        if matches!(byte, b'{' | b'[') {
            each(behind + place);
        }
    }
}

/// The lowest bit stands for the first place.
#[inline]
fn openings_in(block: [u8; Block::LENGTH]) -> u32 {
    // The two brackets differ in one bit.
    let lifted = u8x16::from(block) | u8x16::splat(b'{' ^ b'[');
    lifted
        .cmp_eq(u8x16::splat(b'{'))
        .move_mask()
        .cast_unsigned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Block, openings};

    proptest! {
        #[test]
        fn bytes_are_where_they_are(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'['), Just(b'{')], 0..110)) {
            let mut found = Vec::new();
            openings(&bytes, |place| found.push(place));
            let expected = (0..bytes.len()).filter(|place| matches!(bytes[*place], b'[' | b'{'));
            prop_assert_eq!(found, expected.collect::<Vec<_>>());
            let first = Block::first(&bytes);
            prop_assert_eq!(first.is_some(), bytes.len() >= Block::LENGTH);
            if let Some(block) = first {
                let special = bytes.iter().take(Block::LENGTH).take_while(|byte| !matches!(byte, b'"' | b'\\' | ..0x20));
                prop_assert_eq!(block.until_special(), special.count());
            }
        }
    }
}
