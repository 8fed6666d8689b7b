use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::document::{Content, Entry, Node, fraction};
use super::{Document, Position, SourceError};

/// Far deeper than any manifest, shallow enough for recursion over the tree.
const MAX_DEPTH: usize = 100;
/// What a text may hold; a node takes some 100 bytes, so this bounds memory at a few hundred MiB. A Shoot has about 250.
const MAX_NODES: usize = 4_000_000;
/// What aliases may add once they are written out. Manifests use them for a handful of nodes.
const MAX_ALIASED: usize = 250_000;
/// So many bytes of text weigh as much as a node.
const BYTES_PER_NODE: usize = 64;

/// Makes documents out of parser events, within the limits above.
#[derive(Default)]
pub(super) struct Builder {
    /// Whether keys may repeat.
    keeps_repeated: bool,
    documents: Vec<Document>,
    stack: Vec<Frame>,
    root: Option<Arc<Node>>,
    anchors: HashMap<usize, Finished>,
    nodes: usize,
    aliased: usize,
}

/// A node with its size once all aliases in it are written out.
#[derive(Clone)]
struct Finished {
    node: Arc<Node>,
    weight: usize,
    height: usize,
}

/// A list or mapping that is not closed yet.
struct Frame {
    position: Position,
    anchor: usize,
    weight: usize,
    height: usize,
    open: Open,
}

enum Open {
    Sequence(Vec<Arc<Node>>),
    Mapping(OpenMapping),
}

#[derive(Default)]
struct OpenMapping {
    entries: Vec<Entry>,
    merged: Vec<Entry>,
    key: Option<(Key, Position)>,
}

enum Key {
    Text(Arc<str>),
    Merge,
}

impl Builder {
    /// One that keeps keys which are set more than once.
    pub(super) fn keeping_repeated() -> Self {
        Self {
            keeps_repeated: true,
            ..Self::default()
        }
    }

    /// Begins a list. `anchor` is 0 for none, as for all anchors here.
    pub(super) fn open_sequence(
        &mut self,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        self.open(position, anchor, Open::Sequence(Vec::new()))
    }

    /// Begins a mapping; keys and values follow in turn.
    pub(super) fn open_mapping(
        &mut self,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        self.open(position, anchor, Open::Mapping(OpenMapping::default()))
    }

    fn open(&mut self, position: Position, anchor: usize, open: Open) -> Result<(), SourceError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(too_deep(position));
        }
        self.count(position)?;
        self.stack.push(Frame {
            position,
            anchor,
            weight: 1,
            height: 1,
            open,
        });
        Ok(())
    }

    /// Ends the innermost list or mapping.
    pub(super) fn close(&mut self) -> Result<(), SourceError> {
        let Some(Frame {
            position,
            anchor,
            weight,
            height,
            open,
        }) = self.stack.pop()
        else {
            return Ok(());
        };
        let content = match open {
            Open::Sequence(items) => Content::Sequence(items),
            Open::Mapping(mapping) => Content::Mapping(mapping.close(self.keeps_repeated)?),
        };
        let node = Arc::new(Node { position, content });
        self.finish(
            Finished {
                node,
                weight,
                height,
            },
            position,
            anchor,
        )
    }

    pub(super) fn scalar(
        &mut self,
        content: Content,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        self.count(position)?;
        let weight = match &content {
            Content::Text(text) => 1 + text.len() / BYTES_PER_NODE,
            _ => 1,
        };
        let node = Arc::new(Node { position, content });
        self.finish(
            Finished {
                node,
                weight,
                height: 0,
            },
            position,
            anchor,
        )
    }

    /// Puts what an anchor marks in another place.
    pub(super) fn alias(&mut self, anchor: usize, position: Position) -> Result<(), SourceError> {
        let Some(finished) = self.anchors.get(&anchor).cloned() else {
            return Err(SourceError::new(
                position,
                "an alias stands inside of what it is an alias for",
            ));
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
        self.finish(finished, position, 0)
    }

    /// Ends a document; anchors do not reach into the next one.
    pub(super) fn end_document(&mut self) {
        self.anchors.clear();
        let content = self
            .root
            .take()
            .filter(|root| !matches!(root.content, Content::Null));
        self.documents.extend(content.map(|root| Document { root }));
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

    /// `position` is where the node is used, which for an alias is not where it is.
    fn finish(
        &mut self,
        finished: Finished,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        if anchor > 0 {
            self.anchors.insert(anchor, finished.clone());
        }
        let Finished {
            node,
            weight,
            height,
        } = finished;
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        frame.weight = frame.weight.saturating_add(weight);
        frame.height = frame.height.max(height + 1);
        match &mut frame.open {
            Open::Sequence(items) => items.push(node),
            Open::Mapping(mapping) => mapping.take(node, position)?,
        }
        Ok(())
    }
}

pub(super) fn too_deep(position: Position) -> SourceError {
    SourceError::new(
        position,
        format!("nested more than {MAX_DEPTH} levels deep"),
    )
}

impl OpenMapping {
    fn take(&mut self, node: Arc<Node>, position: Position) -> Result<(), SourceError> {
        match self.key.take() {
            None => self.key = Some((key(&node, position)?, position)),
            Some((Key::Text(key), position)) => self.entries.push(Entry {
                key,
                position,
                value: node,
            }),
            Some((Key::Merge, position)) => self.merge(&node, position)?,
        }
        Ok(())
    }

    fn merge(&mut self, node: &Node, position: Position) -> Result<(), SourceError> {
        let no_mapping =
            || SourceError::new(position, "`<<` takes a mapping or a list of mappings");
        match &node.content {
            Content::Mapping(entries) => self.merged.extend_from_slice(entries),
            Content::Sequence(items) => {
                for item in items {
                    let Content::Mapping(entries) = &item.content else {
                        return Err(no_mapping());
                    };
                    self.merged.extend_from_slice(entries);
                }
            }
            _ => return Err(no_mapping()),
        }
        Ok(())
    }

    /// What the mapping says itself wins over what is merged into it, and the first merge over the next.
    fn close(self, keeps_repeated: bool) -> Result<Vec<Entry>, SourceError> {
        let Self {
            mut entries,
            merged,
            ..
        } = self;
        if !keeps_repeated {
            refuse_duplicates(&entries)?;
        }
        if !merged.is_empty() {
            let mut seen: HashSet<Arc<str>> =
                entries.iter().map(|entry| entry.key.clone()).collect();
            entries.extend(
                merged
                    .into_iter()
                    .filter(|entry| seen.insert(entry.key.clone())),
            );
        }
        Ok(entries)
    }
}

/// The string form of a key, as it is in JSON.
fn key(node: &Node, position: Position) -> Result<Key, SourceError> {
    let text = match &node.content {
        Content::Text(text) => text.as_ref().into(),
        Content::Bool(bool) => bool.to_string().into(),
        Content::Number(number) => number.to_string().into(),
        Content::Fraction(text) => {
            let number = fraction(text).map(|number| number.to_string());
            number.unwrap_or_default().into()
        }
        Content::Merge => return Ok(Key::Merge),
        Content::Null => {
            return Err(SourceError::new(
                position,
                "a key is empty; write a name, or `\"\"` in quotes",
            ));
        }
        Content::Sequence(_) | Content::Mapping(_) => {
            let message = "a key is a list or a mapping; if this is a template, render it first";
            return Err(SourceError::new(position, message));
        }
    };
    Ok(Key::Text(text))
}

/// Fails where a key of a mapping is given twice.
pub(super) fn refuse_duplicates(entries: &[Entry]) -> Result<(), SourceError> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.key.cmp(&b.key));
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
