// SPDX-License-Identifier: Apache-2.0
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::Document;
use super::tree::{Content, Value};

/// The collections around the last value of a document, outermost first.
///
/// They show whether a later version of the document ends earlier.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Ending(Box<[Level]>);

/// A collection.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Level {
    /// The hashes of a mapping's keys, in order.
    Fields(Box<[u64]>),
    /// The length of a list.
    Items(usize),
}

impl Document {
    /// Returns how the document ends.
    pub fn ending(&self) -> Ending {
        let (mut levels, mut next) = (Vec::new(), Some(self.tree.value(self.root)));
        while let Some(value) = next {
            next = last(value, &mut levels);
        }
        Ending(levels.into())
    }
}

/// Adds a collection to `levels`, and returns its last value.
fn last<'t>(value: Value<'t>, levels: &mut Vec<Level>) -> Option<Value<'t>> {
    match value.content() {
        Content::Mapping => {
            let entries = || value.entries();
            levels.push(Level::Fields(entries().map(|it| hash(it.key)).collect()));
            entries().last().map(|it| it.value)
        }
        Content::Sequence => {
            levels.push(Level::Items(value.items().count()));
            value.items().last()
        }
        _ => None,
    }
}

fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl Ending {
    /// Reports whether a document with this ending may be a truncation of one with the `other` ending.
    ///
    /// The truncation is at a line end.
    pub fn is_before(&self, other: &Self) -> bool {
        let mut levels = self.0.iter().zip(&other.0);
        match levels.find(|(own, other)| own != other) {
            Some((Level::Fields(own), Level::Fields(other))) => other.starts_with(own),
            Some((Level::Items(own), Level::Items(other))) => own < other,
            Some(_) => false,
            None => self.0.len() < other.0.len(),
        }
    }

    /// Returns the used memory in bytes.
    pub fn weight(&self) -> usize {
        let levels = self.0.iter().map(|level| match level {
            Level::Fields(fields) => size_of_val(&**fields),
            Level::Items(_) => 0,
        });
        size_of_val(&*self.0) + levels.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use crate::yaml::parse;

    use super::Ending;

    fn ending(text: &str) -> Ending {
        let documents = parse(text).unwrap();
        documents.last().map(|it| it.ending()).unwrap_or_default()
    }

    #[test]
    fn ending_of_a_prefix_is_before_the_whole() {
        let whole = "a: 1\nb:\n  c: 2\n  d:\n  - e: 3\n    f: 4\n  - g: 5\n    h:\n      i: 6\n";
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        for count in 1..lines.len() {
            let prefix = lines[..count].concat();
            assert!(ending(&prefix).is_before(&ending(whole)), "{prefix}");
        }
    }

    #[test]
    fn ending_after_an_edit_is_not_before() {
        let whole = ending("a: 1\nb: {c: 2, d: 3}\n");
        for other in [
            "a: 1\nb: {c: 2, d: 4}\n",
            "a: 1\nb: {d: 3}\n",
            "a: 1\nb: {c: 2, d: 3}\ne: 4\n",
            "a: 1\nb: {c: 2, d: {e: 4}}\n",
            "b: {c: 2, d: 3}\n",
        ] {
            assert!(!ending(other).is_before(&whole), "{other}");
        }
    }
}
