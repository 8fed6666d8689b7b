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

    /// All blocks of a text, and what is left of it in one that is filled up with zeros.
    pub fn all(bytes: &[u8]) -> impl Iterator<Item = Self> {
        let (blocks, rest) = bytes.as_chunks::<{ Self::LENGTH }>();
        let mut last = [0; Self::LENGTH];
        last[..rest.len()].copy_from_slice(rest);
        let blocks = blocks.iter().copied().chain([last]);
        blocks.map(|block| Self(block.into()))
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

    /// Where objects and lists of JSON begin: the lowest bit stands for the first place.
    #[must_use]
    #[inline]
    pub fn openings(self) -> u32 {
        // The two brackets differ in one bit.
        let bracket = (self.0 | u8x16::splat(b'{' ^ b'[')).cmp_eq(u8x16::splat(b'{'));
        bracket.move_mask().cast_unsigned()
    }
}

/// The places that such a number stands for, in order.
pub fn places(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        bits &= bits.checked_sub(1)?;
        usize::try_from(place).ok()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Block, places};

    proptest! {
        #[test]
        fn bytes_are_where_they_are(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'['), Just(b'{')], 0..70)) {
            let blocks = Block::all(&bytes).enumerate();
            let found = blocks.flat_map(|(at, block)| places(block.openings()).map(move |place| at * Block::LENGTH + place));
            let expected = (0..bytes.len()).filter(|place| matches!(bytes[*place], b'[' | b'{'));
            prop_assert!(found.eq(expected));
            let first = Block::first(&bytes);
            prop_assert_eq!(first.is_some(), bytes.len() >= Block::LENGTH);
            if let Some(block) = first {
                let special = bytes.iter().take(Block::LENGTH).take_while(|byte| !matches!(byte, b'"' | b'\\' | ..0x20));
                prop_assert_eq!(block.until_special(), special.count());
            }
        }
    }
}
