use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A text that is mostly one of a few, which then is not copied.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Word(Cow<'static, str>);

/// What nearly all machine image versions and volume types say about themselves.
const KNOWN: [&str; 5] = ["amd64", "arm64", "containerd", "standard", "premium"];

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        let known = KNOWN.into_iter().find(|known| *known == text);
        Self(known.map_or_else(|| Cow::Owned(text.to_owned()), Cow::Borrowed))
    }
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor)
    }
}

struct WordVisitor;

impl Visitor<'_> for WordVisitor {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
        Ok(Word::from(text))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Word;

    #[rstest]
    #[case("arm64")]
    #[case("riscv64")]
    #[case("")]
    fn a_text_stays_as_it_is(#[case] text: &str) {
        let json = serde_json::to_string(text).unwrap();
        let word: Word = serde_json::from_str(&json).unwrap();
        assert_eq!(word, text);
        assert_eq!(serde_json::to_string(&word).unwrap(), json);
    }
}
