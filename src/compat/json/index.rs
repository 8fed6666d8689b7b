use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::scan::{Tape, unescaped};

/// A text of JSON that was gone through once, so that its parts are found without going through it again.
#[derive(Debug)]
pub struct JsonIndex<'a>(Tape<'a>);

/// A value of such a text.
#[derive(Clone, Copy, Debug)]
pub struct IndexedValue<'a> {
    tape: &'a Tape<'a>,
    index: usize,
}

/// The values of a field or element in two objects or lists.
pub type Beside<'a> = [Option<IndexedValue<'a>>; 2];

/// The name of a field, as bytes, since it may hold half of a surrogate pair.
pub type Name<'a> = Cow<'a, [u8]>;

/// So many fields are looked through for one of a certain name; further away, it is found in the end.
const NEAR: usize = 8;

impl<'a> JsonIndex<'a> {
    /// `None` for a text of more than four gibibytes.
    #[must_use]
    pub fn of(text: &'a str) -> Option<Self> {
        Tape::read(text).map(Self)
    }

    /// The value that the text is.
    #[must_use]
    pub fn whole(&self) -> IndexedValue<'_> {
        IndexedValue {
            tape: &self.0,
            index: 0,
        }
    }
}

impl<'a> IndexedValue<'a> {
    /// The value as it is written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.tape.text_of(self.index)
    }

    /// What it means as a `T`.
    ///
    /// # Errors
    /// When it means no `T`.
    pub fn read<T: DeserializeOwned>(self) -> serde_json::Result<T> {
        serde_json::from_str(self.text())
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.text() == "null"
    }

    /// Its fields of these names, which are in order; of several of the same name the last.
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

    /// Its elements, if it is a list.
    #[must_use]
    pub fn elements(self) -> Option<impl Iterator<Item = Self> + use<'a>> {
        self.within('[')
    }

    /// If both are objects, of which none has two fields of the same name, and one hand wrote both: their fields in the order of their names,
    /// without those that are the same in both, word for word, and not `null`. Quick where both have them in the same order.
    #[must_use]
    pub fn fields_apart(self, other: Self) -> Option<Vec<(Name<'a>, Beside<'a>)>> {
        let [own, mut others] = [self.named()?, other.named()?];
        let [mut removed, mut added] = [Vec::new(), Vec::new()];
        let mut apart = Vec::new();
        for (name, value) in own {
            match find(&mut others, name, &mut added) {
                Some(other) if value.is_same(other) => {}
                Some(other) => apart.push((name, [Some(value), Some(other)])),
                None => removed.push((name, value)),
            }
        }
        let mut added: BTreeMap<_, _> = added.into_iter().chain(others).collect();
        let removed = removed.into_iter();
        apart.extend(removed.map(|(name, value)| (name, [Some(value), added.remove(name)])));
        let added = added.into_iter();
        apart.extend(added.map(|(name, value)| (name, [None, Some(value)])));
        let apart = apart.into_iter();
        let mut apart: Vec<_> = apart.map(|(name, pair)| (unescaped(name), pair)).collect();
        apart.sort_by(|a, b| a.0.cmp(&b.0));
        Some(apart)
    }

    /// If both are lists, their elements without those that are the same in both, word for word, each with how many come before it.
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

    /// Whether the other one is the same, word for word, and not `null`.
    fn is_same(self, other: Self) -> bool {
        self.text() == other.text() && !self.is_null()
    }

    /// If it is an object, its fields, each with its name as it is written.
    fn named(self) -> Option<impl Iterator<Item = (&'a str, Self)> + Clone + use<'a>> {
        let mut inside = self.within('{')?;
        Some(std::iter::from_fn(move || {
            Some((inside.next()?.text(), inside.next()?))
        }))
    }

    /// The values directly inside, if it begins with that bracket.
    fn within(self, bracket: char) -> Option<impl Iterator<Item = Self> + Clone + use<'a>> {
        let Self { tape, index } = self;
        let begins = self.text().starts_with(bracket);
        begins.then(|| tape.inside(index).map(move |index| Self { tape, index }))
    }
}

/// Goes past a field of that name, if it is near: its value, and what stands before it is `added`. Else stays where it is.
fn find<'a>(
    others: &mut (impl Iterator<Item = (&'a str, IndexedValue<'a>)> + Clone),
    name: &str,
    added: &mut Vec<(&'a str, IndexedValue<'a>)>,
) -> Option<IndexedValue<'a>> {
    let (begin, known) = (others.clone(), added.len());
    for (other, value) in others.by_ref().take(NEAR) {
        if other == name {
            return Some(value);
        }
        added.push((other, value));
    }
    *others = begin;
    added.truncate(known);
    None
}
