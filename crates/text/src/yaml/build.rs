// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::sync::Arc;

use libyaml_safer::EventData;

use super::error::{MAX_DEPTH, too_deep};
use super::events::Event;
use super::scalar::{self, Scalar};
use super::tree::{Content, Index, Tree, Value, number, refuse_duplicates};
use super::{Document, Position, SourceError};

/// Maximum number of values in a text; at about 50 bytes each, this limits memory to a few hundred MiB.
///
/// A Shoot has about 250 values.
const MAX_NODES: usize = 4_000_000;
/// Maximum size added by expanded aliases. Manifests use aliases for a few nodes.
const MAX_ALIASED: usize = 250_000;
/// Number of bytes of text that count as one node.
const BYTES_PER_NODE: usize = 64;

/// Builds documents from parser events, within the limits above.
#[derive(Default)]
pub(super) struct Builder {
    /// Whether duplicate keys are allowed.
    keeps_repeated: bool,
    documents: Vec<Document>,
    tree: Tree,
    stack: Vec<Frame>,
    has_root: bool,
    anchors: HashMap<String, Anchored>,
    nodes: usize,
    aliased: usize,
}

/// The name of an anchor, if there is one.
pub(super) type Anchor = Option<String>;

/// A value with its size after the expansion of all aliases in it.
#[derive(Clone, Copy)]
struct Finished {
    index: Index,
    weight: usize,
    height: usize,
}

/// The last value with an anchor; it replaces another one where it begins.
struct Anchored {
    index: Index,
    finished: Option<Finished>,
}

/// A list or mapping that is still open.
struct Frame {
    anchor: Anchor,
    finished: Finished,
    open: Open,
}

enum Open {
    Sequence,
    Mapping(OpenMapping),
}

#[derive(Default)]
struct OpenMapping {
    /// The entries that are merged into the mapping.
    merged: Vec<MergedEntry>,
    key: Key,
}

/// An entry that a merge key adds to a mapping.
struct MergedEntry {
    /// The position of the merge key.
    position: Position,
    key: Index,
    value: Index,
}

/// The key of the next value.
#[derive(Clone, Copy, Default)]
enum Key {
    /// None: the next value is a key.
    #[default]
    None,
    Text,
    /// A merge key (`<<`) at this position.
    Merge(Position),
}

impl Builder {
    /// Returns a builder that keeps duplicate keys.
    pub(super) fn keeping_repeated() -> Self {
        Self { keeps_repeated: true, ..Self::default() }
    }

    /// Adds the value of an event, or its beginning or end.
    ///
    /// # Errors
    /// Fails on scalars and aliases without meaning, on duplicate keys, and on exceeded limits.
    pub(super) fn add(&mut self, event: Event) -> Result<(), SourceError> {
        let position = event.position;
        match event.data {
            EventData::Scalar { anchor, tag, value, plain_implicit, .. } => {
                let scalar = scalar::scalar(&value, plain_implicit, tag.as_deref())
                    .map_err(|message| SourceError::new(position, message))?;
                let is_number = matches!(scalar, Scalar::Number(_) | Scalar::Fraction(_));
                if is_number && self.expects_key() && is_rounded_key(&value) {
                    let message = "a key is a number that kubectl rounds; put it in quotes";
                    return Err(SourceError::new(position, message));
                }
                self.scalar(scalar, position, anchor)
            }
            EventData::SequenceStart { anchor, .. } => self.open_sequence(position, anchor),
            EventData::MappingStart { anchor, .. } => self.open_mapping(position, anchor),
            EventData::SequenceEnd | EventData::MappingEnd => self.close(),
            EventData::Alias { anchor } => self.alias(&anchor, position),
            _ => Ok(()),
        }
    }

    /// Reports whether the next value is a key.
    fn expects_key(&self) -> bool {
        match self.stack.last().map(|frame| &frame.open) {
            Some(Open::Mapping(mapping)) => matches!(mapping.key, Key::None),
            _ => false,
        }
    }

    /// Begins a list.
    pub(super) fn open_sequence(
        &mut self,
        position: Position,
        anchor: Anchor,
    ) -> Result<(), SourceError> {
        self.open(position, anchor, (Content::Sequence, Open::Sequence))
    }

    /// Begins a mapping; keys and values follow alternately.
    pub(super) fn open_mapping(
        &mut self,
        position: Position,
        anchor: Anchor,
    ) -> Result<(), SourceError> {
        let open = Open::Mapping(OpenMapping::default());
        self.open(position, anchor, (Content::Mapping, open))
    }

    fn open(
        &mut self,
        position: Position,
        anchor: Anchor,
        (content, open): (Content, Open),
    ) -> Result<(), SourceError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(too_deep(position));
        }
        self.count(position)?;
        let index = self.tree.push(position, content);
        self.define(&anchor, index);
        self.stack.push(Frame { anchor, finished: Finished { index, weight: 1, height: 1 }, open });
        Ok(())
    }

    /// Ends the innermost list or mapping.
    pub(super) fn close(&mut self) -> Result<(), SourceError> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let index = frame.finished.index;
        self.tree.close(index);
        if let Open::Mapping(mapping) = frame.open {
            if !self.keeps_repeated {
                refuse_duplicates(self.tree.value(index))?;
            }
            self.add_merged(index, &mapping.merged)?;
        }
        let position = self.tree.value(index).position();
        self.finish(frame.finished, position, frame.anchor)
    }

    pub(super) fn scalar(
        &mut self,
        scalar: Scalar<'_>,
        position: Position,
        anchor: Anchor,
    ) -> Result<(), SourceError> {
        self.count(position)?;
        let mut weight = 1;
        let content = match scalar {
            Scalar::Null => Content::Null,
            Scalar::Bool(bool) => Content::Bool(bool),
            Scalar::Number(number) => Content::Number(self.tree.push_text(&number.to_string())),
            Scalar::Fraction(text) => Content::Number(self.tree.push_text(text)),
            Scalar::Merge => Content::Merge,
            Scalar::Text(text) => {
                weight += text.len() / BYTES_PER_NODE;
                Content::Text(self.tree.push_text(&text))
            }
        };
        let index = self.tree.push(position, content);
        self.define(&anchor, index);
        let height = 0;
        self.finish(Finished { index, weight, height }, position, anchor)
    }

    /// Begins the value with an anchor.
    fn define(&mut self, anchor: &Anchor, index: Index) {
        if let Some(name) = anchor {
            let finished = None;
            self.anchors.insert(name.clone(), Anchored { index, finished });
        }
    }

    /// Adds an alias of an anchor.
    fn alias(&mut self, anchor: &str, position: Position) -> Result<(), SourceError> {
        let refuse = |message: &str| Err(SourceError::new(position, message));
        let Some(anchored) = self.anchors.get(anchor) else {
            return refuse("an alias of an anchor that is not above it");
        };
        let Some(finished) = anchored.finished else {
            return refuse("an alias stands inside of what it is an alias for");
        };
        self.aliased = self.aliased.saturating_add(finished.weight);
        if self.aliased > MAX_ALIASED {
            let message = format!(
                "aliases expand to more than {MAX_ALIASED} values; write them out, or split the file"
            );
            return Err(SourceError::new(position, message));
        }
        if self.stack.len() + finished.height > MAX_DEPTH {
            return Err(too_deep(position));
        }
        let index = self.tree.push(position, Content::Alias(finished.index));
        self.finish(Finished { index, ..finished }, position, None)
    }

    /// Ends a document; anchors are not valid in the next one.
    pub(super) fn end_document(&mut self) {
        self.anchors.clear();
        let tree = std::mem::take(&mut self.tree);
        if !std::mem::take(&mut self.has_root) {
            return;
        }
        let root = tree.value(Index::ROOT);
        if !matches!(root.content(), Content::Null) {
            self.documents.push(Document { root: Index::ROOT, tree: Arc::new(tree) });
        }
    }

    pub(super) fn into_documents(self) -> Vec<Document> {
        self.documents
    }

    fn count(&mut self, position: Position) -> Result<(), SourceError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("more than {MAX_NODES} values in one text; split the file");
            return Err(SourceError::new(position, message));
        }
        Ok(())
    }

    /// Finishes a value; `position` is the place of use, also for an alias.
    fn finish(
        &mut self,
        finished: Finished,
        position: Position,
        anchor: Anchor,
    ) -> Result<(), SourceError> {
        let mut anchored = anchor
            .and_then(|name| self.anchors.get_mut(&name))
            .filter(|it| it.index == finished.index);
        if let Some(anchored) = &mut anchored {
            anchored.finished = Some(finished);
        }
        let Some(frame) = self.stack.last_mut() else {
            self.has_root = true;
            return Ok(());
        };
        let whole = &mut frame.finished;
        whole.weight = whole.weight.saturating_add(finished.weight);
        whole.height = whole.height.max(finished.height + 1);
        if let Open::Mapping(mapping) = &mut frame.open {
            let marked = anchored.and_then(|it| it.finished.as_mut());
            take(&mut self.tree, mapping, (finished.index, position), marked)?;
        }
        Ok(())
    }

    /// Adds merged entries: later keys of the mapping take precedence, then earlier mappings of a merge key.
    ///
    /// # Errors
    /// Fails if an earlier key or merge key sets the same entry: YAML gives it precedence, and kubectl the later one.
    fn add_merged(&mut self, mapping: Index, merged: &[MergedEntry]) -> Result<(), SourceError> {
        if merged.is_empty() {
            return Ok(());
        }
        let own = self.tree.value(mapping).entries();
        let mut set: HashMap<String, Position> =
            own.map(|it| (it.key.to_owned(), self.tree.value(it.key_index).position())).collect();
        for entry in merged {
            let named = self.tree.value(entry.key);
            let (content, position) = (named.content(), named.position());
            let Content::Text(range) = content else {
                continue;
            };
            let name = named.text_at(range);
            match set.get(name) {
                None => {
                    set.insert(name.to_owned(), entry.position);
                    self.tree.push(position, content);
                    self.tree.push(position, Content::Alias(entry.value));
                }
                Some(earlier) if *earlier < entry.position => {
                    let message = format!(
                        "`<<` sets `{name}` again, which kubectl prefers and other programs do not; write `<<` before the other keys, and only once"
                    );
                    return Err(SourceError::new(entry.position, message));
                }
                Some(_) => {}
            }
        }
        self.tree.close(mapping);
        Ok(())
    }
}

/// Adds the next key of a mapping, or its value.
///
/// A value with an anchor keeps its type for its aliases: as a key, `&a 1` is a string.
fn take(
    tree: &mut Tree,
    mapping: &mut OpenMapping,
    (index, position): (Index, Position),
    marked: Option<&mut Finished>,
) -> Result<(), SourceError> {
    mapping.key = match mapping.key {
        Key::None => {
            let content = key(tree, index, position)?;
            if let Some(marked) = marked {
                // A merge key marks a pair that the iterator over entries skips, so only aliases refer to the value.
                let own = tree.value(index).content();
                tree.replace(index, Content::Merge);
                marked.index = tree.push(position, own);
                tree.push(position, content);
            } else {
                tree.replace(index, content);
            }
            match content {
                Content::Merge => Key::Merge(position),
                _ => Key::Text,
            }
        }
        Key::Text => Key::None,
        Key::Merge(at) => {
            merge(tree.value(index), at, &mut mapping.merged)?;
            Key::None
        }
    };
    Ok(())
}

fn merge(
    value: Value<'_>,
    position: Position,
    merged: &mut Vec<MergedEntry>,
) -> Result<(), SourceError> {
    let mappings: Vec<Value<'_>> = match value.content() {
        Content::Sequence => value.items().collect(),
        _ => vec![value],
    };
    for mapping in mappings {
        let Content::Mapping = mapping.content() else {
            return Err(SourceError::new(position, "`<<` takes a mapping or a list of mappings"));
        };
        refuse_duplicates(mapping)?;
        merged.extend(mapping.entries().map(|it| MergedEntry {
            position,
            key: it.key_index,
            value: it.value.index(),
        }));
    }
    Ok(())
}

/// Converts a key to a string, as in JSON.
fn key(tree: &mut Tree, index: Index, position: Position) -> Result<Content, SourceError> {
    let value = tree.value(index);
    let text = match value.content() {
        content @ (Content::Text(_) | Content::Merge) => return Ok(content),
        Content::Bool(bool) => bool.to_string(),
        Content::Number(range) => {
            let number = number(value.text_at(range)).map(|number| number.to_string());
            number.unwrap_or_default()
        }
        Content::Null => {
            return Err(SourceError::new(
                position,
                "a key is empty; write a name, or `\"\"` in quotes",
            ));
        }
        Content::Sequence | Content::Mapping | Content::Alias(_) => {
            let message = "a key is a list or a mapping; if this is a template, render it first";
            return Err(SourceError::new(position, message));
        }
    };
    Ok(Content::Text(tree.push_text(&text)))
}

/// Reports whether kubectl writes a float as a key in another way: with 32 bits, and with an exponent.
fn is_rounded_key(text: &str) -> bool {
    let text = text.replace('_', "");
    let Some(float) = text.parse().ok().filter(|_| text.parse::<i128>().is_err()) else {
        return false;
    };
    let float: f64 = float;
    let has_exponent = float != 0.0 && !(1e-4..1e6).contains(&float.abs());
    let short: Result<f32, _> = text.parse();
    has_exponent || short.is_ok_and(|short| short.to_string() != float.to_string())
}
