use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::scan::{Scanner, inside, unescaped};

/// A value of a text, for those who look into little of it: what nobody looks into is skipped.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a>(&'a str);

/// The values of a field or element in two objects or lists.
pub type Beside<'a> = [Option<Span<'a>>; 2];

/// The name of a field, as bytes, since it may hold half of a surrogate pair.
pub type Name<'a> = Cow<'a, [u8]>;

/// So many fields are looked through for one of a certain name; further away, it is found in the end.
const NEAR: usize = 8;

impl<'a> Span<'a> {
    /// What a text of JSON means.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self(text.trim_ascii())
    }

    /// The value as it is written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.0
    }

    /// What it means as a `T`.
    ///
    /// # Errors
    /// When it means no `T`.
    pub fn read<T: DeserializeOwned>(self) -> serde_json::Result<T> {
        serde_json::from_str(self.0)
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Its fields of these names, which are in order; of several of the same name the last.
    #[must_use]
    pub fn fields<'n>(self, names: impl Iterator<Item = &'n [u8]>) -> Vec<Option<Self>> {
        let names: Vec<&[u8]> = names.collect();
        let mut found = vec![None; names.len()];
        let mut inside = inside(self.0);
        while self.0.starts_with('{')
            && let (Some(name), Some(value)) = (inside.next(), inside.next())
        {
            if let Ok(place) = names.binary_search(&&*unescaped(name)) {
                found[place] = Some(Self(value));
            }
        }
        found
    }

    /// Its elements, if it is a list.
    #[must_use]
    pub fn elements(self) -> Option<impl Iterator<Item = Self> + use<'a>> {
        let is_list = self.0.starts_with('[');
        is_list.then(|| inside(self.0).map(Self))
    }

    /// If both are objects, of which none has two fields of the same name, and one hand wrote both: their fields in the order of their names,
    /// without those that are the same in both, word for word, and not `null`. Quick where both have them in the same order.
    #[must_use]
    pub fn fields_apart(self, other: Self) -> Option<Vec<(Name<'a>, Beside<'a>)>> {
        let [mut own, mut others] = [self.within('{')?, other.within('{')?];
        let [mut removed, mut added] = [Vec::new(), Vec::new()];
        let mut apart = Vec::new();
        while let Some([name, value, written]) = own.field() {
            if value != "null" && others.passes(written) {
                continue;
            }
            match find(&mut others, name, &mut added) {
                Some(other) => apart.push((name, [Some(value), Some(other)])),
                None => removed.push((name, value)),
            }
        }
        while let Some([name, value, _]) = others.field() {
            added.push((name, value));
        }
        let mut added: BTreeMap<_, _> = added.into_iter().collect();
        let removed = removed.into_iter();
        apart.extend(removed.map(|(name, value)| (name, [Some(value), added.remove(name)])));
        apart.extend(
            added
                .into_iter()
                .map(|(name, value)| (name, [None, Some(value)])),
        );
        let apart = apart.into_iter();
        let apart = apart.map(|(name, values)| (unescaped(name), values.map(|it| it.map(Self))));
        let mut apart: Vec<_> = apart.collect();
        apart.sort_by(|a, b| a.0.cmp(&b.0));
        Some(apart)
    }

    /// If both are lists, their elements without those that are the same in both, word for word, each with how many come before it.
    #[must_use]
    pub fn elements_apart(self, other: Self) -> Option<Vec<(usize, Beside<'a>)>> {
        let [mut own, mut others] = [self.within('[')?, other.within('[')?];
        let (mut apart, mut index) = (Vec::new(), 0);
        while let Some(value) = own.value() {
            if !others.passes(value) {
                apart.push((index, [Some(Self(value)), others.value().map(Self)]));
            }
            index += 1;
        }
        let added = std::iter::from_fn(|| others.value());
        apart.extend((index..).zip(added.map(|value| [None, Some(Self(value))])));
        Some(apart)
    }

    /// Behind the bracket, if it begins with that.
    fn within(self, bracket: char) -> Option<Scanner<'a>> {
        let begins = self.0.starts_with(bracket);
        begins.then(|| Scanner::into(self.0))
    }
}

/// Goes past a field of that name, if it is near: its value, and what stands before it is `added`. Else stays where it is.
fn find<'a>(
    others: &mut Scanner<'a>,
    name: &str,
    added: &mut Vec<(&'a str, &'a str)>,
) -> Option<&'a str> {
    let (begin, known) = (*others, added.len());
    for _ in 0..NEAR {
        let Some([other, value, _]) = others.field() else {
            break;
        };
        if other == name {
            return Some(value);
        }
        added.push((other, value));
    }
    *others = begin;
    added.truncate(known);
    None
}
