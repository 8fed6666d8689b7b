use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::scan::{Tape, unescaped};

/// A parsed index of a JSON text, for repeated access without further scans.
#[derive(Debug)]
pub struct JsonIndex<'a>(Tape<'a>);

/// A value in an indexed text.
#[derive(Clone, Copy, Debug)]
pub struct IndexedValue<'a> {
    tape: &'a Tape<'a>,
    index: usize,
}

/// The values of a field or element in two objects or lists.
pub type Beside<'a> = [Option<IndexedValue<'a>>; 2];

/// The name of a field as bytes, since it may contain half of a surrogate pair.
pub type Name<'a> = Cow<'a, [u8]>;

impl<'a> JsonIndex<'a> {
    /// Returns the index of a text; `None` for more than 4 GiB.
    #[must_use]
    pub fn of(text: &'a str) -> Option<Self> {
        Tape::read(text).map(Self)
    }

    /// Returns the value of the whole text.
    #[must_use]
    pub fn whole(&self) -> IndexedValue<'_> {
        IndexedValue {
            tape: &self.0,
            index: 0,
        }
    }
}

impl<'a> IndexedValue<'a> {
    /// Returns the value as text.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.tape.text_of(self.index)
    }

    /// Decodes the value as a `T`.
    ///
    /// # Errors
    /// Fails if the value is no `T`.
    pub fn read<T: DeserializeOwned>(self) -> serde_json::Result<T> {
        serde_json::from_str(self.text())
    }

    /// Reports whether the value is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.text() == "null"
    }

    /// Returns the fields with these sorted names; for duplicates the last one.
    #[must_use]
    pub fn fields<'n>(self, names: impl Iterator<Item = &'n [u8]>) -> Vec<Option<Self>> {
        let names: Vec<&[u8]> = names.collect();
        let mut found = vec![None; names.len()];
        for (name, value) in self.named().into_iter().flatten() {
            if let Ok(place) = names.binary_search(&&*unescaped(name)) {
                found[place] = Some(value);
            }
        }
        found
    }

    /// Returns the elements of a list.
    #[must_use]
    pub fn elements(self) -> Option<impl Iterator<Item = Self> + use<'a>> {
        self.within('[')
    }

    /// The fields of two objects by name, without those with the same text in both that is not `null`; `None` if one is no object.
    #[must_use]
    pub fn fields_apart(self, other: Self) -> Option<Vec<(Name<'a>, Beside<'a>)>> {
        let mut pairs: BTreeMap<Name<'a>, Beside<'a>> = BTreeMap::new();
        for (side, object) in [self, other].into_iter().enumerate() {
            for (name, value) in object.named()? {
                pairs.entry(unescaped(name)).or_default()[side] = Some(value);
            }
        }
        let is_same =
            |pair: &Beside<'_>| matches!(pair, [Some(own), Some(other)] if own.is_same(*other));
        Some(
            pairs
                .into_iter()
                .filter(|(_, pair)| !is_same(pair))
                .collect(),
        )
    }

    /// Returns the elements of two lists whose texts differ, each with its index.
    #[must_use]
    pub fn elements_apart(self, other: Self) -> Option<Vec<(usize, Beside<'a>)>> {
        let [own, mut others] = [self.elements()?, other.elements()?];
        let mut pairs: Vec<Beside<'a>> = own.map(|value| [Some(value), others.next()]).collect();
        pairs.extend(others.map(|value| [None, Some(value)]));
        let apart = pairs.into_iter().enumerate();
        let differs = |(_, pair): &(usize, Beside<'a>)| {
            let [own, other] = pair.map(|value| value.map(Self::text));
            own != other
        };
        Some(apart.filter(differs).collect())
    }

    /// Reports whether the texts are equal and not `null`.
    fn is_same(self, other: Self) -> bool {
        self.text() == other.text() && !self.is_null()
    }

    /// Returns the fields of an object, each with its name as text.
    fn named(self) -> Option<impl Iterator<Item = (&'a str, Self)> + use<'a>> {
        let mut inside = self.within('{')?;
        Some(std::iter::from_fn(move || {
            Some((inside.next()?.text(), inside.next()?))
        }))
    }

    /// Returns the direct children, if the value begins with this bracket.
    fn within(self, bracket: char) -> Option<impl Iterator<Item = Self> + use<'a>> {
        let Self { tape, index } = self;
        let begins = self.text().starts_with(bracket);
        begins.then(|| tape.inside(index).map(move |index| Self { tape, index }))
    }
}
