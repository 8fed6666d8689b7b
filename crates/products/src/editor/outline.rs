// SPDX-License-Identifier: Apache-2.0
//! Outline of a YAML or JSON document: keys and items with their ranges, also of text that does not parse.
//!
//! A document is often not valid while it is edited. The outline follows the indentation of block collections and the
//! brackets of flow collections, and never fails.

use std::ops::Range;

use super::scanned_text::ScannedText;

/// The maximum depth of flow collections; deeper ones are skipped.
const MAX_DEPTH: usize = 100;

/// A step of a path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Step {
    /// The key of a mapping.
    Key(String),
    /// The index of an item of a list.
    Item(usize),
}

/// A key of a mapping or an item of a list.
#[derive(Clone, Debug)]
pub struct Node {
    /// The index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// The step from the parent.
    pub step: Step,
    /// The key with its quotes, or the `-` of an item; empty for an item in a flow collection.
    pub key: Range<usize>,
    /// The scalar, as far as it is on the line of its key; empty if there is none.
    pub value: Range<usize>,
    /// The column of a node in block style; `None` in a flow collection.
    column: Option<usize>,
}

/// The position of a cursor.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum CursorContext {
    /// In a key, or where one may begin, in the mapping or list of this node.
    Key {
        parent: Option<usize>,
        /// The typed part of the key.
        typed: Range<usize>,
    },
    /// In the value of a node.
    Value {
        node: usize,
        /// The typed part of the value.
        typed: Range<usize>,
    },
    /// In a comment, or in text of several lines.
    Other,
}

/// The nodes of a document, in the order of the text.
#[derive(Debug, Default)]
pub struct Outline {
    /// The nodes; a parent is before its children.
    pub nodes: Vec<Node>,
}

impl Outline {
    /// Returns the outline of a document; ranges are relative to `text`.
    pub fn of(text: &str) -> Self {
        let mut scanner = Scanner::new(text);
        scanner.scan();
        Self { nodes: scanner.nodes }
    }

    /// Returns the outline of the text before a cursor, which is at its end, and the context of the cursor.
    pub(super) fn before(text: &str) -> (Self, CursorContext) {
        let mut scanner = Scanner::new(text);
        scanner.scan();
        let context = scanner.context;
        let nodes = scanner.nodes;
        (Self { nodes }, context)
    }

    /// Returns the steps to a node.
    pub fn path(&self, node: usize) -> Vec<Step> {
        let ancestors = std::iter::successors(Some(node), |it| self.nodes.get(*it)?.parent);
        let mut path: Vec<Step> =
            ancestors.filter_map(|it| self.nodes.get(it)).map(|it| it.step.clone()).collect();
        path.reverse();
        path
    }

    /// Returns the direct children of a node, or the roots.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = (usize, &Node)> {
        let all = self.nodes.iter().enumerate();
        all.filter(move |(_, node)| node.parent == parent)
    }

    /// Returns the node at a path.
    pub fn find(&self, path: &[Step]) -> Option<usize> {
        let mut at = None;
        for step in path {
            let found = self.children(at).filter(|(_, node)| node.step == *step);
            at = Some(found.last()?.0);
        }
        at
    }

    /// Returns the node whose key or value is at an offset; `true` if it is the value.
    pub fn at(&self, offset: usize) -> Option<(usize, bool)> {
        let touches = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let mut all =
            self.nodes.iter().enumerate().rev().filter(|(_, node)| node.key.start <= offset);
        all.find_map(|(index, node)| {
            if !node.value.is_empty() && touches(&node.value) {
                return Some((index, true));
            }
            let is_key = !node.key.is_empty() && touches(&node.key);
            is_key.then_some((index, false))
        })
    }

    /// Returns the end of each node with its descendants.
    pub fn ends(&self) -> Vec<usize> {
        let own = self.nodes.iter().map(|it| it.key.end.max(it.value.end));
        let mut ends: Vec<usize> = own.collect();
        for index in (0..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[index].parent {
                ends[parent] = ends[parent].max(ends[index]);
            }
        }
        ends
    }
}

/// Returns the JSON pointer of a path.
pub fn pointer(path: &[Step]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Key(name) => format!("/{}", garden_gate_text::json::escape_step(name)),
        Step::Item(index) => format!("/{index}"),
    });
    steps.collect()
}

/// Returns the text of a scalar without its quotes.
///
/// Escapes in double quotes are kept, since names of the API have none.
pub fn unquoted(text: &str) -> String {
    let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''));
    let Some(quote) = quote else {
        return text.to_owned();
    };
    let inner = &text[1..];
    let content = inner.strip_suffix(quote).unwrap_or(inner);
    match quote {
        '\'' => content.replace("''", "'"),
        _ => content.to_owned(),
    }
}

struct Scanner<'t> {
    text: ScannedText<'t>,
    /// The end of the text without the spaces at its end.
    content_end: usize,
    nodes: Vec<Node>,
    /// The open nodes in block style, outermost first; no column is before that of the node before.
    open: Vec<usize>,
    /// Whether the text ends within a flow collection.
    is_in_flow: bool,
    context: CursorContext,
}

/// An open flow collection.
struct Flow {
    node: Option<usize>,
    is_mapping: bool,
    /// The number of items so far.
    items: usize,
    /// The key that waits for its value.
    key: Option<usize>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        let typed = text.len()..text.len();
        Self {
            text: ScannedText::new(text),
            content_end: text.trim_end_matches(' ').len(),
            nodes: Vec::new(),
            open: Vec::new(),
            is_in_flow: false,
            context: CursorContext::Key { parent: None, typed },
        }
    }

    fn scan(&mut self) {
        let mut at = self.text.begin();
        loop {
            at = self.line(at);
            if at >= self.text.len() {
                break;
            }
        }
        // After a line break, the cursor is at the beginning of a line.
        if self.text.ends_with_line() && !self.is_in_flow {
            let end = self.text.len();
            self.context = self.key_context(0, end..end);
        }
    }

    /// Scans a line in block style and everything that it begins, and returns the beginning of the next line.
    fn line(&mut self, start: usize) -> usize {
        let (end, next) = self.text.line_end(start);
        let mut at = self.text.spaces(start, end);
        if at == end {
            self.context = self.key_context(at - start, at..at);
            return next;
        }
        if at == start && self.text.slice(at..end).starts_with("---") {
            self.open.clear();
            at = self.text.spaces(at + 3, end);
        }
        loop {
            let column = at - start;
            match self.text.byte(at).filter(|_| at < end) {
                None => {
                    self.context = self.key_context(column, at..at);
                    return next;
                }
                Some(b'#') => {
                    self.context = CursorContext::Other;
                    return next;
                }
                Some(b'-') if self.text.is_blank(at + 1, end) => {
                    self.open_item(column, at..at + 1);
                    at = self.text.spaces(at + 1, end);
                }
                Some(_) => break,
            }
        }
        let column = at - start;
        let Some((key, after)) = self.key(at, end) else {
            return self.item_or_partial(at, column, end, next);
        };
        let name = unquoted(self.text.slice(key.clone()));
        let node = self.open_key(column, name, key);
        let value = self.without_properties(self.text.spaces(after, end), end);
        self.value(node, value, (end, next))
    }

    /// Skips tags and anchors.
    fn without_properties(&self, mut at: usize, end: usize) -> usize {
        while matches!(self.text.byte(at), Some(b'!' | b'&')) && at < end {
            at = self.text.spaces(self.text.word_end(at, end), end);
        }
        at
    }

    /// Scans the value of a key, and returns the beginning of the next line.
    fn value(&mut self, node: usize, at: usize, (end, next): (usize, usize)) -> usize {
        match self.text.byte(at).filter(|_| at < end) {
            None => {
                self.set_value(node, at..at);
                next
            }
            Some(b'#') if self.text.is_blank_before(at) => {
                self.context = CursorContext::Other;
                next
            }
            Some(b'|' | b'>') => self.block_scalar(node, next),
            Some(b'{' | b'[') => self.flow(Some(node), at),
            Some(quote @ (b'"' | b'\'')) => self.quoted_value(node, at, quote),
            Some(_) => {
                let value = self.plain(at, end);
                self.set_value(node, value);
                self.comment(at, end);
                next
            }
        }
    }

    fn quoted_value(&mut self, node: usize, at: usize, quote: u8) -> usize {
        let close = self.text.quoted(at, quote);
        let (first_end, _) = self.text.line_end(at);
        let value_end = close.unwrap_or(self.text.len()).min(first_end);
        self.set_value(node, at..value_end);
        let Some(close) = close else {
            // A quote that is not closed ends with its line, so that the next lines are not lost.
            return self.text.line_end(at).1;
        };
        let (end, next) = self.text.line_end(close);
        if self.text.spaces(close, end) < end || next > close && close < self.text.len() {
            self.comment(close, end);
        }
        next
    }

    /// Scans a scalar that is an item or the continuation of one, a flow collection, or a key without `:`.
    fn item_or_partial(&mut self, at: usize, column: usize, end: usize, next: usize) -> usize {
        let start = at - column;
        let item = self.open.last().copied().filter(|it| {
            let node = &self.nodes[*it];
            let is_of_line = node.key.end >= start && node.key.end <= at;
            matches!(node.step, Step::Item(_))
                && is_of_line
                && self.text.spaces(node.key.end, end) == at
        });
        match (self.text.byte(at), item) {
            (Some(b'{' | b'['), _) => {
                let parent = item.or_else(|| self.parent_at(column));
                self.flow(parent, at)
            }
            (Some(_), Some(item)) => {
                let next = self.value(item, at, (end, next));
                // An item may also become a mapping.
                if let CursorContext::Value { node, typed } = &self.context
                    && *node == item
                    && typed.end == self.text.len()
                    && !self.text.slice(typed.clone()).starts_with(['"', '\''])
                {
                    self.context = CursorContext::Key { parent: Some(item), typed: typed.clone() };
                }
                next
            }
            _ => {
                let word = self.plain(at, end);
                self.context = self.key_context(column, word);
                self.comment(at, end);
                next
            }
        }
    }

    /// Skips the lines of a block scalar, which are deeper than its key.
    fn block_scalar(&mut self, node: usize, mut at: usize) -> usize {
        let column = self.nodes[node].column.unwrap_or_default();
        self.context = CursorContext::Other;
        while at < self.text.len() {
            let (end, next) = self.text.line_end(at);
            let first = self.text.spaces(at, end);
            if first - at <= column && (first < end || end == self.text.len()) {
                break;
            }
            at = next;
        }
        at
    }

    /// Scans a flow collection, and returns the beginning of the line after it.
    fn flow(&mut self, node: Option<usize>, mut at: usize) -> usize {
        let mut levels: Vec<Flow> = Vec::new();
        while let Some(byte) = self.text.byte(at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b':' => at += 1,
                b'#' if self.text.is_blank_before(at) => {
                    let (end, next) = self.text.line_end(at);
                    if end == self.text.len() {
                        self.context = CursorContext::Other;
                        return end;
                    }
                    at = next;
                }
                b'{' | b'[' => {
                    let node = match levels.last_mut() {
                        None => node,
                        Some(level) if level.is_mapping => level.key,
                        Some(level) => Some(push_item(&mut self.nodes, level, at..at)),
                    };
                    if levels.len() >= MAX_DEPTH {
                        self.context = CursorContext::Other;
                        return self.text.len();
                    }
                    levels.push(Flow { node, is_mapping: byte == b'{', items: 0, key: None });
                    at += 1;
                }
                b'}' | b']' => {
                    levels.pop();
                    at += 1;
                    if levels.is_empty() {
                        let (end, next) = self.text.line_end(at);
                        self.context = CursorContext::Other;
                        return if self.text.slice(at..end).trim().is_empty() {
                            next
                        } else {
                            end.max(next)
                        };
                    }
                }
                b',' => {
                    if let Some(level) = levels.last_mut() {
                        level.key = None;
                    }
                    at += 1;
                }
                _ => at = self.flow_scalar(&mut levels, at),
            }
        }
        self.is_in_flow = true;
        self.context = self.flow_context(&levels);
        at
    }

    /// Scans a scalar in a flow collection, and returns its end.
    fn flow_scalar(&mut self, levels: &mut [Flow], at: usize) -> usize {
        let end = match self.text.byte(at) {
            Some(quote @ (b'"' | b'\'')) => self.text.quoted(at, quote).unwrap_or(self.text.len()),
            _ => self.text.flow_plain(at),
        };
        let range = at..end.max(at + 1).min(self.text.len());
        let Some(level) = levels.last_mut() else {
            return range.end;
        };
        match level.key {
            Some(key) if level.is_mapping => {
                if let Some(node) = self.nodes.get_mut(key) {
                    node.value = range.clone();
                }
            }
            None if level.is_mapping => {
                let colon = self.text.spaces(range.end, self.text.len());
                // A key that is being typed is not complete.
                if colon >= self.text.len() {
                    return range.end;
                }
                let name = unquoted(self.text.slice(range.clone()));
                level.key = Some(self.nodes.len());
                self.nodes.push(Node {
                    parent: level.node,
                    step: Step::Key(name),
                    key: range.clone(),
                    value: range.end..range.end,
                    column: None,
                });
            }
            _ => {
                let item = push_item(&mut self.nodes, level, range.start..range.start);
                self.nodes[item].value = range.clone();
            }
        }
        range.end
    }

    /// Returns the context of a cursor in open flow collections.
    fn flow_context(&self, levels: &[Flow]) -> CursorContext {
        let end = self.text.len();
        let Some(level) = levels.last() else {
            return CursorContext::Other;
        };
        let typed = self.typed_in_flow();
        match level.key {
            Some(node) => CursorContext::Value { node, typed },
            None if level.is_mapping => CursorContext::Key { parent: level.node, typed },
            None => {
                let last = self.nodes.len().checked_sub(1);
                let is_typed = |it: &usize| {
                    let node = &self.nodes[*it];
                    node.parent == level.node && !typed.is_empty() && node.value.end == end
                };
                match last.filter(is_typed) {
                    Some(node) => CursorContext::Value { node, typed },
                    None => CursorContext::Key { parent: level.node, typed },
                }
            }
        }
    }

    /// Returns the scalar at the end of the text, within a flow collection.
    fn typed_in_flow(&self) -> Range<usize> {
        let end = self.text.len();
        let text = self.text.slice(0..end);
        let scalar = text.rsplit(|it: char| "{}[],:".contains(it) || it.is_whitespace());
        end - scalar.map(str::len).next().unwrap_or_default()..end
    }

    /// Returns the range of an unquoted scalar in a line, without a comment.
    fn plain(&self, at: usize, end: usize) -> Range<usize> {
        let line = self.text.slice(at..end);
        let comment = [" #", "\t#"].into_iter().filter_map(|it| line.find(it)).min();
        let value = line[..comment.unwrap_or(line.len())].trim_end();
        at..at + value.len()
    }

    /// Returns the key at an offset, and the offset after its colon.
    fn key(&self, at: usize, end: usize) -> Option<(Range<usize>, usize)> {
        if let Some(quote @ (b'"' | b'\'')) = self.text.byte(at) {
            let close = self.text.quoted_before(at, quote, end)?;
            let colon = self.text.spaces(close, end);
            let is_key = self.text.byte(colon) == Some(b':') && self.text.is_blank(colon + 1, end);
            return is_key.then_some((at..close, colon + 1));
        }
        if matches!(self.text.byte(at), Some(b'{' | b'[' | b'|' | b'>' | b'!' | b'&' | b'*')) {
            return None;
        }
        let line = self.text.slice(at..end);
        let plain = self.plain(at, end);
        let mut colons = line.match_indices(':').map(|(offset, _)| at + offset);
        let colon = colons.find(|colon| self.text.is_blank(colon + 1, end))?;
        // A colon in a comment is none.
        if colon > plain.end {
            return None;
        }
        let key = self.text.slice(at..colon).trim_end();
        (!key.is_empty()).then_some((at..at + key.len(), colon + 1))
    }

    /// Sets the context to a comment if a line has one and the cursor is in it.
    fn comment(&mut self, at: usize, end: usize) {
        let line = self.text.slice(at..end);
        if end == self.text.len() && [" #", "\t#"].iter().any(|it| line.contains(it)) {
            self.context = CursorContext::Other;
        }
    }

    fn set_value(&mut self, node: usize, value: Range<usize>) {
        self.context =
            CursorContext::Value { node, typed: value.start..value.end.max(value.start) };
        // After a blank, the cursor is no longer in the scalar.
        if !value.is_empty() && value.end < self.text.len() && value.end >= self.content_end {
            self.context = CursorContext::Other;
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.value = value;
        }
    }

    /// Returns the node whose children have this column.
    fn parent_at(&self, column: usize) -> Option<usize> {
        let is_before = |it: &usize| self.nodes[*it].column.is_some_and(|own| own < column);
        let count = self.open.partition_point(is_before);
        self.open[..count].last().copied()
    }

    fn key_context(&self, column: usize, typed: Range<usize>) -> CursorContext {
        let parent = self.parent_at(column);
        let is_scalar = parent.is_some_and(|it| {
            let node = &self.nodes[it];
            !node.value.is_empty() && node.value.end < typed.start
        });
        if is_scalar { CursorContext::Other } else { CursorContext::Key { parent, typed } }
    }

    fn open_item(&mut self, column: usize, key: Range<usize>) {
        let mut index = 0;
        while let Some(top) = self.open.last().copied() {
            let node = &self.nodes[top];
            let own = node.column.unwrap_or_default();
            match node.step {
                Step::Item(number) if own == column => {
                    self.open.pop();
                    index = number + 1;
                    break;
                }
                Step::Key(_) if own == column && node.value.is_empty() => break,
                _ if own >= column => {
                    self.open.pop();
                }
                _ => break,
            }
        }
        self.push(column, Step::Item(index), key);
    }

    fn open_key(&mut self, column: usize, name: String, key: Range<usize>) -> usize {
        while let Some(top) = self.open.last().copied() {
            if self.nodes[top].column.is_some_and(|own| own < column) {
                break;
            }
            self.open.pop();
        }
        self.push(column, Step::Key(name), key)
    }

    fn push(&mut self, column: usize, step: Step, key: Range<usize>) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node {
            parent: self.open.last().copied(),
            step,
            value: key.end..key.end,
            key,
            column: Some(column),
        });
        self.open.push(index);
        index
    }
}

/// Adds an item of a flow collection.
fn push_item(nodes: &mut Vec<Node>, level: &mut Flow, key: Range<usize>) -> usize {
    let index = nodes.len();
    nodes.push(Node {
        parent: level.node,
        step: Step::Item(level.items),
        value: key.end..key.end,
        key,
        column: None,
    });
    level.items += 1;
    index
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::editor::scanned_text::visited;

    fn paths(text: &str) -> Vec<(String, String)> {
        let outline = Outline::of(text);
        let nodes = outline.nodes.iter().enumerate();
        nodes
            .map(|(index, node)| {
                (pointer(&outline.path(index)), text[node.value.clone()].to_owned())
            })
            .collect()
    }

    /// Texts with many parts of one type.
    #[rstest]
    #[case::blanks_at_the_end(|n| format!("{}{}", "a: b\n".repeat(n), " ".repeat(20 * n)))]
    #[case::blanks_after_keys(|n| "a:              \t\n".repeat(n))]
    #[case::blanks_after_an_item(|n| format!("-{}\n{}", " ".repeat(20 * n), "x\n".repeat(n)))]
    #[case::empty_lines(|n| "\n".repeat(20 * n))]
    #[case::carriage_returns(|n| "a: b\r".repeat(n))]
    #[case::comments(|n| "a: b # c # d\n".repeat(n))]
    #[case::one_line(|n| format!("{{{}}}", "\"a\": 1, ".repeat(n)))]
    #[case::one_line_with_blanks(|n| format!("{{{}}}", "\"a\"           : 1, ".repeat(n)))]
    #[case::long_list(|n| format!("a: [{}]", "1, ".repeat(n)))]
    #[case::deep_flow(|n| "[".repeat(20 * n))]
    #[case::deep_flow_again(|n| format!("{}\n", "[".repeat(99)).repeat(n / 10))]
    #[case::deep_items(|n| format!("{}\n{}", "- ".repeat(n), "\n".repeat(n)))]
    #[case::words(|n| "word\n".repeat(n))]
    #[case::tags(|n| format!("a: {}b", "!t &x ".repeat(n)))]
    #[case::open_quotes(|n| "a: \"b\nc: 'd\n".repeat(n))]
    #[case::quoted_lines(|n| format!("'{}", "\"a\n".repeat(n)))]
    #[case::colons(|n| format!("a{}", ":".repeat(20 * n)))]
    #[case::block_scalars(|n| "a: |\n  b\n\n".repeat(n))]
    #[case::documents(|n| "---\na: b\n".repeat(n))]
    fn outline_visits_each_byte_a_few_times(#[case] text: fn(usize) -> String) {
        let text = text(2_000);
        for begin in ["", "- a\n", "a: {\n", "a:\n  b: 'c\n"] {
            let text = format!("{begin}{text}");
            let count = visited(|| drop(Outline::of(&text)));
            assert!(count <= 12 * text.len(), "{count} of {} bytes", text.len());
        }
    }

    #[rstest]
    #[case::block("a: 1\nb:\n  c: x # why\n", &[("/a", "1"), ("/b", ""), ("/b/c", "x")])]
    #[case::list("a:\n- b: 1\n  c: 2\n- d\n", &[("/a", ""), ("/a/0", ""), ("/a/0/b", "1"), ("/a/0/c", "2"), ("/a/1", "d")])]
    #[case::indented_list("a:\n  - 1\n  - 2\nb: 3", &[("/a", ""), ("/a/0", "1"), ("/a/1", "2"), ("/b", "3")])]
    #[case::nested_lists("- - a\n  - b\n- c", &[("/0", ""), ("/0/0", "a"), ("/0/1", "b"), ("/1", "c")])]
    #[case::quoted("\"a b\": 'c: d'\n", &[("/a b", "'c: d'")])]
    #[case::block_scalar("a: |\n  b: 1\n\n  c\nd: 2", &[("/a", ""), ("/d", "2")])]
    #[case::flow("a: {b: [1, {c: 2}], d: x}\ne: 3", &[("/a", ""), ("/a/b", ""), ("/a/b/0", "1"), ("/a/b/1", ""), ("/a/b/1/c", "2"), ("/a/d", "x"), ("/e", "3")])]
    #[case::json("{\"a\": {\"b\": \"c\"},\n \"d\": [true]}", &[("/a", ""), ("/a/b", "\"c\""), ("/d", ""), ("/d/0", "true")])]
    #[case::windows("a:\r\n  b: 1\r\n", &[("/a", ""), ("/a/b", "1")])]
    #[case::comments("# x: y\na: b#c # d: e\n", &[("/a", "b#c")])]
    #[case::marker("---\na: 1\n", &[("/a", "1")])]
    #[case::url("a: http://b:1/c\n", &[("/a", "http://b:1/c")])]
    #[case::anchors("a: &x !!str b\nc: *x", &[("/a", "b"), ("/c", "*x")])]
    #[case::broken("a:\n  b\n  c: 1\n d: [2\n", &[("/a", ""), ("/a/c", "1"), ("/a/d", ""), ("/a/d/0", "2")])]
    #[case::open_quote("a: \"b\nc: 1", &[("/a", "\"b"), ("/c", "1")])]
    #[case::emoji("😀: 😀\nb: 1", &[("/😀", "😀"), ("/b", "1")])]
    #[case::tabs("a:\t1\n", &[("/a", "1")])]
    fn nodes_have_paths_and_values(#[case] text: &str, #[case] expected: &[(&str, &str)]) {
        let expected: Vec<_> =
            expected.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        assert_eq!(paths(text), expected);
    }

    /// Returns the path of the cursor `|`, whether it is in a value, and the typed text.
    fn cursor(text: &str) -> Option<(String, bool, String)> {
        let before = text.split('|').next()?;
        let (outline, context) = Outline::before(before);
        match context {
            CursorContext::Key { parent, typed } => {
                let path = parent.map(|it| pointer(&outline.path(it))).unwrap_or_default();
                Some((path, false, before[typed].to_owned()))
            }
            CursorContext::Value { node, typed } => {
                Some((pointer(&outline.path(node)), true, before[typed].to_owned()))
            }
            CursorContext::Other => None,
        }
    }

    #[rstest]
    #[case::empty("|", Some(("", false, "")))]
    #[case::top("a: 1\n|", Some(("", false, "")))]
    #[case::top_partial("a: 1\nsp|", Some(("", false, "sp")))]
    #[case::inside("spec:\n  |", Some(("/spec", false, "")))]
    #[case::inside_partial("spec:\n  re|", Some(("/spec", false, "re")))]
    #[case::sibling("spec:\n  a: 1\n  |", Some(("/spec", false, "")))]
    #[case::back("spec:\n  a:\n    b: 1\n  |", Some(("/spec", false, "")))]
    #[case::deeper_than_a_scalar("spec:\n  a: 1\n    |", None)]
    #[case::value("spec:\n  region: |", Some(("/spec/region", true, "")))]
    #[case::value_without_space("spec:\n  region:|", Some(("/spec/region", true, "")))]
    #[case::value_partial("spec:\n  region: eu|", Some(("/spec/region", true, "eu")))]
    #[case::value_quoted("spec:\n  region: \"eu|", Some(("/spec/region", true, "\"eu")))]
    #[case::after_value("spec:\n  region: eu |", None)]
    #[case::comment("spec:\n  region: eu # |", None)]
    #[case::comment_line("spec:\n  # |", None)]
    #[case::item("zones:\n- |", Some(("/zones/0", false, "")))]
    #[case::item_partial("zones:\n- a\n- eu|", Some(("/zones/1", false, "eu")))]
    #[case::item_quoted("zones:\n- \"eu|", Some(("/zones/0", true, "\"eu")))]
    #[case::key_of_item("workers:\n- name: a\n  |", Some(("/workers/0", false, "")))]
    #[case::value_of_item("workers:\n- name: a\n- machine:\n    type: |", Some(("/workers/1/machine/type", true, "")))]
    #[case::in_a_block_scalar("a: >\n  x|", None)]
    #[case::after_a_block_scalar("a: >\n  x\n|", Some(("", false, "")))]
    #[case::after_a_comment("a: 1\n# x\n|", Some(("", false, "")))]
    #[case::flow_on_several_lines("a: {b: 1,\n|", Some(("/a", false, "")))]
    #[case::flow_key("a: {b: 1, |", Some(("/a", false, "")))]
    #[case::flow_key_partial("a: {b: 1, cd|", Some(("/a", false, "cd")))]
    #[case::flow_value("a: {b: x|", Some(("/a/b", true, "x")))]
    #[case::flow_value_empty("a: {b: |", Some(("/a/b", true, "")))]
    #[case::flow_item("a: [x, |", Some(("/a", false, "")))]
    #[case::flow_item_partial("a: [x, yz|", Some(("/a/1", true, "yz")))]
    #[case::after_flow("a: {b: 1}\n|", Some(("", false, "")))]
    #[case::json("{\"spec\": {\"region\": \"eu|", Some(("/spec/region", true, "\"eu")))]
    #[case::windows("spec:\r\n  |", Some(("/spec", false, "")))]
    fn cursor_has_a_place(#[case] text: &str, #[case] expected: Option<(&str, bool, &str)>) {
        let expected =
            expected.map(|(path, is_value, typed)| (path.to_owned(), is_value, typed.to_owned()));
        assert_eq!(cursor(text), expected);
    }

    #[test]
    fn node_at_an_offset_is_its_key_or_value() {
        let text = "spec:\n  region: eu\n  zones:\n  - a\n";
        let outline = Outline::of(text);
        let at = |word: &str| {
            let (node, is_value) = outline.at(text.find(word)?)?;
            Some((pointer(&outline.path(node)), is_value))
        };
        assert_eq!(at("region"), Some(("/spec/region".to_owned(), false)));
        assert_eq!(at("eu"), Some(("/spec/region".to_owned(), true)));
        assert_eq!(at("a\n"), Some(("/spec/zones/0".to_owned(), true)));
    }

    proptest! {
        #[test]
        fn any_text_has_an_outline(text in "[-a: {}\\[\\],'\"#|&!😀\\\\\t\r\n]{0,60}") {
            let outline = Outline::of(&text);
            for (index, node) in outline.nodes.iter().enumerate() {
                prop_assert!(node.parent.is_none_or(|it| it < index));
                prop_assert!(text.get(node.key.clone()).is_some());
                prop_assert!(text.get(node.value.clone()).is_some());
            }
            for (at, _) in text.char_indices() {
                let (outline, context) = Outline::before(&text[..at]);
                if let CursorContext::Value { node, typed } = context {
                    prop_assert!(node < outline.nodes.len() && text.get(typed).is_some());
                }
            }
        }
    }
}
