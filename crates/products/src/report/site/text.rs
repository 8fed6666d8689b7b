// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// A text that is kept, perhaps compressed.
#[derive(Debug)]
pub(super) enum Text {
    Plain(Box<str>),
    Packed(Box<[u8]>),
}

impl Text {
    /// Keeps a text, compressed if that is shorter.
    pub(super) fn packed(text: String) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        // A `Vec` takes all bytes.
        let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        match packed {
            Ok(packed) if packed.len() < text.len() => Self::Packed(packed.into()),
            _ => Self::Plain(text.into()),
        }
    }

    /// Returns the text.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Packed(packed) => {
                let mut text = String::new();
                let read = DeflateDecoder::new(&**packed).read_to_string(&mut text);
                debug_assert!(read.is_ok(), "it was packed here");
                Cow::Owned(text)
            }
        }
    }

    /// Returns its size in memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Plain(text) => text.len(),
            Self::Packed(packed) => packed.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Text;

    proptest! {
        #[test]
        fn text_is_returned_as_it_was_kept(text in ".*", times in 0_usize..50) {
            let repeated = text.repeat(times);
            let kept = Text::packed(repeated.clone());
            prop_assert!(kept.memory() <= repeated.len());
            prop_assert_eq!(kept.text(), repeated);
        }
    }
}
