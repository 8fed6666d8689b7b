use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::scalar::Scalar;
use super::tree::{Content, Index, Tree, Value, number, refuse_duplicates};
use super::{Document, Position, SourceError};

/// Far deeper than any manifest, shallow enough for recursion over the tree.
const MAX_DEPTH: usize = 100;
/// What a text may hold; a value takes some 50 bytes, so this bounds memory at a few hundred MiB. A Shoot has about 250.
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
    tree: Tree,
    stack: Vec<Frame>,
    has_root: bool,
    anchors: HashMap<usize, Finished>,
    nodes: usize,
    aliased: usize,
}

/// A value with its size once all aliases in it are written out.
#[derive(Clone, Copy)]
struct Finished {
    index: Index,
    weight: usize,
    height: usize,
}

/// A list or mapping that is not closed yet.
struct Frame {
    anchor: usize,
    finished: Finished,
    open: Open,
}

enum Open {
    Sequence,
    Mapping(OpenMapping),
}

#[derive(Default)]
struct OpenMapping {
    /// What is merged into it: a key and its value each.
    merged: Vec<(Index, Index)>,
    key: Key,
}

/// Of which key the next value is.
#[derive(Clone, Copy, Default)]
enum Key {
    /// The next value is a key.
    #[default]
    None,
    Text,
    /// A `<<`, which is there.
    Merge(Position),
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
        self.open(position, anchor, (Content::Sequence, Open::Sequence))
    }

    /// Begins a mapping; keys and values follow in turn.
    pub(super) fn open_mapping(
        &mut self,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        let open = Open::Mapping(OpenMapping::default());
        self.open(position, anchor, (Content::Mapping, open))
    }

    fn open(
        &mut self,
        position: Position,
        anchor: usize,
        (content, open): (Content, Open),
    ) -> Result<(), SourceError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(too_deep(position));
        }
        self.count(position)?;
        let index = self.tree.push(position, content);
        self.stack.push(Frame {
            anchor,
            finished: Finished {
                index,
                weight: 1,
                height: 1,
            },
            open,
        });
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
            self.add_merged(index, &mapping.merged);
        }
        let position = self.tree.value(index).position();
        self.finish(frame.finished, position, frame.anchor)
    }

    pub(super) fn scalar(
        &mut self,
        scalar: Scalar<'_>,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        self.count(position)?;
        let mut weight = 1;
        let content = match scalar {
            Scalar::Null => Content::Null,
            Scalar::Bool(bool) => Content::Bool(bool),
            Scalar::Number(number) => Content::Number(self.tree.say(&number.to_string())),
            Scalar::Fraction(text) => Content::Number(self.tree.say(text)),
            Scalar::Merge => Content::Merge,
            Scalar::Text(text) => {
                weight += text.len() / BYTES_PER_NODE;
                Content::Text(self.tree.say(&text))
            }
        };
        let index = self.tree.push(position, content);
        let height = 0;
        self.finish(
            Finished {
                index,
                weight,
                height,
            },
            position,
            anchor,
        )
    }

    /// Puts what an anchor marks in another place.
    pub(super) fn alias(&mut self, anchor: usize, position: Position) -> Result<(), SourceError> {
        let Some(finished) = self.anchors.get(&anchor).copied() else {
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
        let index = self.tree.push(position, Content::Alias(finished.index));
        self.finish(Finished { index, ..finished }, position, 0)
    }

    /// Ends a document; anchors do not reach into the next one.
    pub(super) fn end_document(&mut self) {
        self.anchors.clear();
        let tree = std::mem::take(&mut self.tree);
        if !std::mem::take(&mut self.has_root) {
            return;
        }
        let root = tree.value(Index::ROOT);
        if !matches!(root.content(), Content::Null) {
            self.documents.push(Document {
                root: Index::ROOT,
                tree: Arc::new(tree),
            });
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

    /// `position` is where the value is used, which for an alias is not where it is.
    fn finish(
        &mut self,
        finished: Finished,
        position: Position,
        anchor: usize,
    ) -> Result<(), SourceError> {
        if anchor > 0 {
            self.anchors.insert(anchor, finished);
        }
        let Some(frame) = self.stack.last_mut() else {
            self.has_root = true;
            return Ok(());
        };
        let whole = &mut frame.finished;
        whole.weight = whole.weight.saturating_add(finished.weight);
        whole.height = whole.height.max(finished.height + 1);
        if let Open::Mapping(mapping) = &mut frame.open {
            let marked = self.anchors.get_mut(&anchor);
            take(&mut self.tree, mapping, (finished.index, position), marked)?;
        }
        Ok(())
    }

    /// What the mapping says itself wins over what is merged into it, and the first merge over the next.
    fn add_merged(&mut self, mapping: Index, merged: &[(Index, Index)]) {
        if merged.is_empty() {
            return;
        }
        let own = self.tree.value(mapping).entries();
        let mut seen: HashSet<String> = own.map(|entry| entry.key.to_owned()).collect();
        for (key, value) in merged {
            let named = self.tree.value(*key);
            let (content, position) = (named.content(), named.position());
            let Content::Text(said) = content else {
                continue;
            };
            if seen.insert(named.said(said).to_owned()) {
                self.tree.push(position, content);
                self.tree.push(position, Content::Alias(*value));
            }
        }
        self.tree.close(mapping);
    }
}

pub(super) fn too_deep(position: Position) -> SourceError {
    SourceError::new(
        position,
        format!("nested more than {MAX_DEPTH} levels deep"),
    )
}

/// Takes the next key of a mapping, or the value that belongs to it. What an anchor marks stays what it is: as a key, `&a 1` is a text.
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
                // Behind what no entry begins with, nobody sees it but aliases.
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
    merged: &mut Vec<(Index, Index)>,
) -> Result<(), SourceError> {
    let mappings: Vec<Value<'_>> = match value.content() {
        Content::Sequence => value.items().collect(),
        _ => vec![value],
    };
    for mapping in mappings {
        let Content::Mapping = mapping.content() else {
            return Err(SourceError::new(
                position,
                "`<<` takes a mapping or a list of mappings",
            ));
        };
        merged.extend(mapping.entries().map(|it| (it.key_index, it.value.index())));
    }
    Ok(())
}

/// The string form of a key, as it is in JSON.
fn key(tree: &mut Tree, index: Index, position: Position) -> Result<Content, SourceError> {
    let value = tree.value(index);
    let text = match value.content() {
        content @ (Content::Text(_) | Content::Merge) => return Ok(content),
        Content::Bool(bool) => bool.to_string(),
        Content::Number(said) => {
            let number = number(value.said(said)).map(|number| number.to_string());
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
    Ok(Content::Text(tree.say(&text)))
}
