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

    /// The blocks of a text that follow each other, and what is left.
    #[inline]
    pub fn all(bytes: &[u8]) -> (impl ExactSizeIterator<Item = Self>, &[u8]) {
        let (blocks, rest) = bytes.as_chunks();
        (blocks.iter().map(|block| Self((*block).into())), rest)
    }

    /// One bit for each byte that opens a list or an object of JSON behind a comma, an opening bracket or white space.
    #[must_use]
    #[inline]
    pub fn elements_behind(self, Self(before): Self) -> u32 {
        let Self(own) = self;
        // This makes a `{` of a `[`.
        let bit = u8x16::splat(b'{' ^ b'[');
        let brackets = u8x16::splat(b'{');
        let opens = (own | bit).cmp_eq(brackets);
        // As in most blocks.
        if opens.move_mask() == 0 {
            return 0;
        }
        let space = before.cmp_eq(before.min(u8x16::splat(b' ')));
        let comma = before.cmp_eq(u8x16::splat(b','));
        let behind = space | comma | (before | bit).cmp_eq(brackets);
        (opens & behind).move_mask().cast_unsigned()
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

/// Whether a byte is white space between the parts of a text of JSON.
#[must_use]
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Block;

    proptest! {
        #[test]
        fn bytes_are_where_they_are(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'['), Just(b'{')], 0..110)) {
            let first = Block::first(&bytes);
            prop_assert_eq!(first.is_some(), bytes.len() >= Block::LENGTH);
            if let Some(block) = first {
                let special = bytes.iter().take(Block::LENGTH).take_while(|byte| !matches!(byte, b'"' | b'\\' | ..0x20));
                prop_assert_eq!(block.until_special(), special.count());
            }
        }
    }
}
