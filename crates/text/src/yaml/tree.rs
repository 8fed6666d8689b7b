// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Number;

use super::{Position, SourceError};

/// The values of a document in the order in which they begin.
///
/// In a mapping, keys and values alternate.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The targets of aliases.
    shared: Vec<Index>,
    /// Strings, keys and numbers, concatenated.
    text: String,
    /// The sorted children of large lists and mappings, added by the first search in each.
    sorted: Mutex<BTreeMap<u32, Arc<[Index]>>>,
}

/// Maximum number of values in a list or mapping that is searched from the beginning.
const FEW: u32 = 64;

/// A value with its position, and the index of the next value after its children.
#[derive(Clone, Copy, Debug)]
struct Node {
    line: u32,
    column: u32,
    next: u32,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    Null,
    Bool(bool),
    /// A number in JSON notation.
    ///
    /// Fractions and exponents are kept as written, since `1.30` may be meant as a string.
    Number(SourceRange),
    Text(SourceRange),
    /// A plain `<<`; a string, unless it is a key.
    Merge,
    Sequence,
    Mapping,
    /// An alias of another value.
    Alias(Index),
}

/// The range of a string or number in the text of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceRange {
    begin: u32,
    end: u32,
}

/// The index of a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Index(u32);

impl Index {
    pub(super) const ROOT: Self = Index(0);
}

/// A value of a tree, with aliases resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'t> {
    tree: &'t Tree,
    index: Index,
}

/// A field of a mapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    pub(super) key_index: Index,
    /// The position of the key.
    pub(super) position: Position,
    pub(super) value: Value<'t>,
}

impl Tree {
    /// Adds a value without children.
    pub(super) fn push(&mut self, position: Position, content: Content) -> Index {
        let index = Index(narrow(self.nodes.len()));
        if let Content::Alias(target) = content {
            self.shared.push(target);
        }
        self.nodes.push(Node {
            line: narrow(position.line),
            column: narrow(position.column),
            next: index.0.saturating_add(1),
            content,
        });
        index
    }

    /// Ends a value: its children are all values added since it began.
    pub(super) fn close(&mut self, index: Index) {
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(wide(index.0)) {
            node.next = next;
        }
    }

    /// Replaces the content of a value without children.
    pub(super) fn replace(&mut self, index: Index, content: Content) {
        if let Some(node) = self.nodes.get_mut(wide(index.0)) {
            node.content = content;
        }
    }

    /// Stores a string or number and returns its range.
    pub(super) fn push_text(&mut self, text: &str) -> SourceRange {
        let begin = narrow(self.text.len());
        self.text.push_str(text);
        let end = narrow(self.text.len());
        SourceRange { begin, end }
    }

    pub(super) fn value(&self, index: Index) -> Value<'_> {
        let mut value = Value { tree: self, index };
        while let Some(Content::Alias(target)) = value.node().map(|it| it.content) {
            value.index = target;
        }
        value
    }

    /// Returns a value and all values in it, without aliases.
    pub(super) fn parts(&self, index: Index) -> impl Iterator<Item = Value<'_>> {
        let next = self.nodes.get(wide(index.0)).map_or(0, |node| node.next);
        let parts = (index.0..next).map(Index);
        parts.map(|index| Value { tree: self, index })
    }

    /// Returns the position of the first value after a value and its children.
    pub(super) fn position_after(&self, index: Index) -> Option<Position> {
        let next = Index(self.nodes.get(wide(index.0))?.next);
        self.nodes.get(wide(next.0))?;
        Some(Value { tree: self, index: next }.position())
    }

    /// Returns the children of a value that [`Value::field`] and [`Value::item`] search, in the order of that search.
    fn sorted(&self, of: Value<'_>) -> Arc<[Index]> {
        let mut sorted = self.sorted.lock().unwrap_or_else(PoisonError::into_inner);
        let children = sorted.entry(of.index.0).or_insert_with(|| of.search_order());
        Arc::clone(children)
    }

    /// Reports whether a value is shared by an alias, alone or as part of another value.
    pub(super) fn is_shared(&self, index: Index) -> bool {
        self.shared.iter().any(|target| {
            let node = self.nodes.get(wide(target.0));
            node.is_some_and(|node| (target.0..node.next).contains(&index.0))
        })
    }

    fn text_at(&self, range: SourceRange) -> &str {
        let place: Range<usize> = wide(range.begin)..wide(range.end);
        self.text.get(place).unwrap_or_default()
    }
}

impl<'t> Value<'t> {
    fn node(self) -> Option<&'t Node> {
        self.tree.nodes.get(wide(self.index.0))
    }

    pub(super) fn index(self) -> Index {
        self.index
    }

    pub(super) fn content(self) -> Content {
        self.node().map_or(Content::Null, |node| node.content)
    }

    /// Returns the position of the value.
    pub(super) fn position(self) -> Position {
        self.node().map_or(Position::START, |node| Position {
            line: wide(node.line),
            column: wide(node.column),
        })
    }

    /// Returns the string or number at a range of the text.
    pub(super) fn text_at(self, range: SourceRange) -> &'t str {
        self.tree.text_at(range)
    }

    /// Returns the items of a list, or the direct children of another value.
    pub(super) fn items(self) -> impl Iterator<Item = Value<'t>> {
        self.inside().map(|index| self.tree.value(index))
    }

    /// Returns the fields of a mapping, including merged fields, but not the merge keys.
    pub(super) fn entries(self) -> impl Iterator<Item = Entry<'t>> {
        let mut inside = self.inside();
        std::iter::from_fn(move || {
            loop {
                let (key, value) = (inside.next()?, inside.next()?);
                let key = Value { index: key, ..self };
                if let Content::Text(range) = key.content() {
                    let value = self.tree.value(value);
                    return Some(Entry {
                        key: self.text_at(range),
                        key_index: key.index,
                        position: key.position(),
                        value,
                    });
                }
            }
        })
    }

    /// Returns the field of a mapping with that name; the last one of several.
    pub(super) fn field(self, name: &str) -> Option<Entry<'t>> {
        if self.is_small() {
            return self.entries().filter(|it| it.key == name).last();
        }
        let keys = self.tree.sorted(self);
        let end = keys.partition_point(|key| self.key(*key) <= name);
        let key = *keys.get(end.checked_sub(1)?)?;
        Some(self.entry(key)?).filter(|it| it.key == name)
    }

    /// Returns an item of a list.
    pub(super) fn item(self, index: usize) -> Option<Value<'t>> {
        if self.is_small() {
            return self.items().nth(index);
        }
        let item = *self.tree.sorted(self).get(index)?;
        Some(self.tree.value(item))
    }

    fn is_small(self) -> bool {
        let next = self.node().map_or(0, |node| node.next);
        next.saturating_sub(self.index.0) <= FEW
    }

    /// Returns the items of a list, or the keys of a mapping sorted by text and position.
    fn search_order(self) -> Arc<[Index]> {
        match self.content() {
            Content::Mapping => {
                let mut keys: Vec<Index> = self.entries().map(|it| it.key_index).collect();
                keys.sort_by_key(|key| self.key(*key));
                keys.into()
            }
            _ => self.inside().collect(),
        }
    }

    /// Returns the text of the key at an index.
    fn key(self, index: Index) -> &'t str {
        let key = Value { index, ..self };
        match key.content() {
            Content::Text(range) => key.text_at(range),
            _ => "",
        }
    }

    /// Returns the field whose key is at an index.
    fn entry(self, key: Index) -> Option<Entry<'t>> {
        let at = Value { index: key, ..self };
        Some(Entry {
            key: self.key(key),
            key_index: key,
            position: at.position(),
            value: self.tree.value(Index(at.node()?.next)),
        })
    }

    /// Returns the indices of the direct children.
    fn inside(self) -> impl Iterator<Item = Index> {
        let end = self.node().map_or(0, |node| node.next);
        let first = self.index.0.saturating_add(1);
        let next = move |index: &u32| {
            let node = self.tree.nodes.get(wide(*index))?;
            Some(node.next).filter(|next| *next < end)
        };
        std::iter::successors(Some(first).filter(|first| *first < end), next).map(Index)
    }
}

/// Texts are shorter than 4 GiB, since files have a size limit.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Parses a JSON number.
pub(super) fn number(text: &str) -> Option<Number> {
    serde_json::from_str(text).ok()
}

/// Returns an error if a mapping has a duplicate key.
pub(super) fn refuse_duplicates(mapping: Value<'_>) -> Result<(), SourceError> {
    let mut sorted: Vec<Entry<'_>> = mapping.entries().collect();
    sorted.sort_by(|a, b| a.key.cmp(b.key));
    let duplicate = sorted
        .windows(2)
        .filter(|pair| pair[0].key == pair[1].key)
        .min_by_key(|pair| pair[1].position);
    match duplicate {
        None => Ok(()),
        Some(pair) => {
            let message = format!(
                "key `{}` is set twice, first at {}; keep one",
                pair[1].key, pair[0].position
            );
            Err(SourceError::new(pair[1].position, message))
        }
    }
}
