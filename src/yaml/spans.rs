//! Spans of values in a YAML text, for edits.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};

use super::Position;
use crate::json::push_step;

/// Maximum nesting depth, as for documents.
const MAX_DEPTH: usize = 100;

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
        matches!(
            self.kind,
            NodeKind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded, _)
        )
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
    let offsets = Offsets::of(text);
    let mut parser = Parser::new_from_str(text);
    let (mut stack, mut roots): (Vec<Node>, Vec<Node>) = (Vec::new(), Vec::new());
    while let Some(event) = parser.next_event() {
        let (event, span) = event.ok()?;
        let finished = match event {
            Event::Scalar(value, style, anchor, tag) => {
                let is_marked = is_marked(anchor, tag.as_deref());
                let mut node = offsets.node(span, is_marked);
                // The span of an absent value begins at the colon before it.
                if value.is_empty() && text.get(node.start..).is_some_and(|it| it.starts_with(':'))
                {
                    node.start += 1;
                    node.end = node.start;
                }
                let end = end_of_scalar(text, &node, style);
                Some(Node {
                    end,
                    kind: NodeKind::Scalar(style, value.into_owned()),
                    ..node
                })
            }
            Event::Alias(_) => Some(offsets.node(span, false)),
            Event::SequenceStart(anchor, tag) => {
                let is_marked = is_marked(anchor, tag.as_deref());
                stack.push(offsets.open(text, (span, is_marked), '[')?);
                None
            }
            Event::MappingStart(anchor, tag) => {
                let is_marked = is_marked(anchor, tag.as_deref());
                stack.push(offsets.open(text, (span, is_marked), '{')?);
                None
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let mut node = stack.pop()?;
                node.end = match (node.is_flow(), node.children.last()) {
                    (true, _) => offsets.byte(span.start) + 1,
                    (false, Some(last)) => last.end,
                    (false, None) => node.start,
                };
                Some(node)
            }
            Event::StreamEnd => break,
            _ => None,
        };
        if stack.len() > MAX_DEPTH {
            return None;
        }
        if let Some(node) = finished {
            match stack.last_mut() {
                Some(parent) => parent.children.push(node),
                None => roots.push(node),
            }
        }
    }
    Some(roots)
}

fn is_marked(anchor: usize, tag: Option<&Tag>) -> bool {
    anchor > 0 || tag.is_some()
}

/// Returns the end of a scalar; the span of the parser may include blanks and comments after it.
fn end_of_scalar(text: &str, node: &Node, style: ScalarStyle) -> usize {
    let written = text.get(node.start..node.end).unwrap_or_default();
    let length = match style {
        ScalarStyle::Plain => written.len(),
        ScalarStyle::SingleQuoted => end_of_quoted(written, '\''),
        ScalarStyle::DoubleQuoted => end_of_quoted(written, '"'),
        ScalarStyle::Literal | ScalarStyle::Folded => written.trim_end().len(),
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

/// Converts indices of characters to those of bytes.
struct Offsets {
    /// The byte of each character; empty if the text is ASCII.
    bytes: Vec<usize>,
    length: usize,
}

impl Offsets {
    fn of(text: &str) -> Self {
        let bytes = match text.is_ascii() {
            true => Vec::new(),
            false => text.char_indices().map(|(byte, _)| byte).collect(),
        };
        let length = text.len();
        Self { bytes, length }
    }

    fn byte(&self, marker: Marker) -> usize {
        let index = marker.index();
        let byte = match self.bytes.is_empty() {
            true => index,
            false => self.bytes.get(index).copied().unwrap_or(self.length),
        };
        byte.min(self.length)
    }

    fn node(&self, span: Span, is_marked: bool) -> Node {
        Node {
            position: Position {
                line: span.start.line(),
                column: span.start.col() + 1,
            },
            start: self.byte(span.start),
            end: self.byte(span.end),
            kind: NodeKind::Alias,
            is_marked,
            children: Vec::new(),
        }
    }

    /// Returns a collection, whose flow style begins with `bracket`.
    fn open(&self, text: &str, (span, is_marked): (Span, bool), bracket: char) -> Option<Node> {
        let node = self.node(span, is_marked);
        // After an anchor or a tag, the bracket is not at the start.
        let written = text.get(node.start..node.end.max(node.start))?;
        let is_flow = written.ends_with(bracket);
        let kind = match bracket {
            '[' => NodeKind::Sequence { is_flow },
            _ => NodeKind::Mapping { is_flow },
        };
        Some(Node { kind, ..node })
    }
}
