// SPDX-License-Identifier: Apache-2.0
//! Spans of values in a YAML text, for edits.

use libyaml_safer::{EventData, MappingStyle, ScalarStyle, SequenceStyle};

use super::Position;
use super::error::MAX_DEPTH;
use super::events::{self, Event, Events};
use crate::json::push_step;

/// A value of a text with its span, in bytes.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) start: usize,
    /// The end of a scalar or of a flow collection; of a block collection, that of its last value.
    pub(super) end: usize,
    pub(super) kind: NodeKind,
    /// Whether it has an anchor or a tag, which its span includes.
    pub(super) is_marked: bool,
    /// Items of a list; keys and values of a mapping alternate.
    pub(super) children: Vec<Node>,
}

#[derive(Debug, Eq, PartialEq)]
pub(super) enum NodeKind {
    Scalar(ScalarStyle, String),
    Alias,
    Sequence { is_flow: bool },
    Mapping { is_flow: bool },
}

impl Node {
    /// Returns the keys and values of a mapping.
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = (&Node, &Node)> {
        let pairs = self.children.chunks_exact(2);
        let is_mapping = matches!(self.kind, NodeKind::Mapping { .. });
        pairs.filter(move |_| is_mapping).map(|it| (&it[0], &it[1]))
    }

    /// Returns the text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(_, text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_flow(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Sequence { is_flow: true } | NodeKind::Mapping { is_flow: true }
        )
    }

    pub(super) fn is_mapping(&self) -> bool {
        matches!(self.kind, NodeKind::Mapping { .. })
    }

    /// Reports whether it is a scalar in block style, such as `|`.
    pub(super) fn is_block_scalar(&self) -> bool {
        matches!(self.kind, NodeKind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded, _))
    }

    /// Returns the last scalar or flow collection in it.
    pub(super) fn last(&self) -> &Node {
        match self.children.last() {
            Some(last) if !self.is_flow() => last.last(),
            _ => self,
        }
    }

    /// Returns the index of the child at one step of a pointer; in a mapping, that of the key.
    pub(super) fn index_of(&self, step: &str) -> Option<usize> {
        match self.kind {
            NodeKind::Sequence { .. } => {
                let index = step.parse().ok()?;
                (index < self.children.len()).then_some(index)
            }
            NodeKind::Mapping { .. } => {
                let keys = self.entries().enumerate();
                let same = keys.filter(|(_, (key, _))| key.text() == Some(step));
                same.last().map(|(index, _)| 2 * index)
            }
            NodeKind::Scalar(..) | NodeKind::Alias => None,
        }
    }

    /// Returns the JSON pointer of the value that begins at a position and is a mapping, as `is_mapping`.
    pub(super) fn pointer_to(&self, position: Position, is_mapping: bool) -> Option<String> {
        if self.position == position && self.is_mapping() == is_mapping {
            return Some(String::new());
        }
        let mut found = self.steps().filter_map(|(step, child)| {
            let rest = child.pointer_to(position, is_mapping)?;
            let mut pointer = String::new();
            push_step(&mut pointer, &step);
            Some(pointer + &rest)
        });
        found.next()
    }

    fn steps(&self) -> Box<dyn Iterator<Item = (String, &Node)> + '_> {
        match self.kind {
            NodeKind::Sequence { .. } => {
                let items = self.children.iter().enumerate();
                Box::new(items.map(|(index, item)| (index.to_string(), item)))
            }
            _ => {
                let entries = self.entries();
                Box::new(entries.filter_map(|(key, value)| Some((key.text()?.to_owned(), value))))
            }
        }
    }
}

/// Returns the values at the top of the documents of a text; `None` if it is not valid YAML.
pub(super) fn read(text: &str) -> Option<Vec<Node>> {
    let parts = events::parts(text).ok()?;
    let roots: Option<Vec<Option<Node>>> =
        parts.iter().map(|part| root(text, part.events())).collect();
    Some(roots?.into_iter().flatten().collect())
}

/// Returns the value at the top of a document: an inner `None` if there is none.
fn root(text: &str, mut events: Events<'_, '_>) -> Option<Option<Node>> {
    let mut stack: Vec<Node> = Vec::new();
    let mut root = None;
    while let Some(event) = events.next().ok()? {
        let finished = match event.data {
            EventData::SequenceStart { .. } | EventData::MappingStart { .. } => {
                stack.push(open(event));
                None
            }
            EventData::SequenceEnd | EventData::MappingEnd => {
                Some(close(stack.pop()?, event.bytes.end))
            }
            _ => Some(leaf(text, event)),
        };
        if stack.len() > MAX_DEPTH {
            return None;
        }
        if let Some(node) = finished {
            match stack.last_mut() {
                Some(parent) => parent.children.push(node),
                None => root = Some(node),
            }
        }
    }
    Some(root)
}

fn leaf(text: &str, event: Event) -> Node {
    let node = node(&event);
    match event.data {
        EventData::Scalar { value, style, .. } => Node {
            end: end_of_scalar(text, &node, style),
            kind: NodeKind::Scalar(style, value),
            ..node
        },
        _ => node,
    }
}

fn open(event: Event) -> Node {
    let kind = match event.data {
        EventData::SequenceStart { style, .. } => {
            NodeKind::Sequence { is_flow: style == SequenceStyle::Flow }
        }
        EventData::MappingStart { style, .. } => {
            NodeKind::Mapping { is_flow: style == MappingStyle::Flow }
        }
        _ => NodeKind::Alias,
    };
    Node { kind, ..node(&event) }
}

fn close(mut node: Node, end: usize) -> Node {
    node.end = match (node.is_flow(), node.children.last()) {
        (true, _) => end,
        (false, Some(last)) => last.end,
        (false, None) => node.start,
    };
    node
}

/// Returns an alias at the place of an event.
fn node(event: &Event) -> Node {
    let is_marked = match &event.data {
        EventData::Scalar { anchor, tag, .. }
        | EventData::SequenceStart { anchor, tag, .. }
        | EventData::MappingStart { anchor, tag, .. } => anchor.is_some() || tag.is_some(),
        _ => false,
    };
    Node {
        position: event.position,
        start: event.bytes.start,
        end: event.bytes.end,
        kind: NodeKind::Alias,
        is_marked,
        children: Vec::new(),
    }
}

/// Returns the end of a scalar; the span of the parser may include blanks and comments after it.
fn end_of_scalar(text: &str, node: &Node, style: ScalarStyle) -> usize {
    let written = text.get(node.start..node.end).unwrap_or_default();
    let length = match style {
        ScalarStyle::SingleQuoted => end_of_quoted(written, '\''),
        ScalarStyle::DoubleQuoted => end_of_quoted(written, '"'),
        ScalarStyle::Literal | ScalarStyle::Folded => written.trim_end().len(),
        _ => written.len(),
    };
    node.start + length
}

/// Returns the length of a quoted scalar at the beginning of a text, after an anchor or tag.
fn end_of_quoted(written: &str, quote: char) -> usize {
    let Some(open) = written.find(quote) else {
        return written.len();
    };
    let mut characters = written[open + 1..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => drop(characters.next()),
            _ if character != quote => {}
            // A quote in single quotes is written twice.
            '\'' if characters.peek().is_some_and(|(_, next)| *next == '\'') => {
                characters.next();
            }
            _ => return open + 1 + at + 1,
        }
    }
    written.len()
}
