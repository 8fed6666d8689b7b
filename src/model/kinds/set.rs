use super::Kind;

/// Some kinds; a copy is a number.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Kinds(u64);

const _: () = assert!(Kind::ALL.len() <= 64, "there are more kinds than bits");

impl Kinds {
    /// These, and one more.
    #[must_use]
    pub fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u64)
    }

    /// Whether a kind is among them.
    #[must_use]
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
