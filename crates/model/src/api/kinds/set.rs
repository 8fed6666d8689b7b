// SPDX-License-Identifier: Apache-2.0
use super::Kind;

/// A set of kinds; copying it copies a number.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Kinds(u64);

const _: () = assert!(Kind::ALL.len() <= 64, "there are more kinds than bits");

impl Kinds {
    /// Returns this set with one more kind.
    #[must_use]
    pub fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u64)
    }

    /// Returns the kinds of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Reports whether the set contains a kind.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u64 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_contains_what_was_added() {
        for kind in Kind::ALL {
            let kinds = Kinds::default().with(*kind);
            let contained = Kind::ALL.iter().filter(|it| kinds.contains(**it));
            assert_eq!(contained.collect::<Vec<_>>(), [kind]);
        }
    }
}
