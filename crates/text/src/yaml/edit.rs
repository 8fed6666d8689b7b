// SPDX-License-Identifier: Apache-2.0
//! Edits of YAML and JSON text that keep comments, layout and quoting of everything else.

use std::ops::Range;

use libyaml_safer::ScalarStyle;
use serde_json::Value;

use super::position::lines;
use super::scalar::{Scalar, scalar};
use super::spans::{self, Node, NodeKind};
use super::{Document, Position, parse_keeping_repeated};
use crate::json::{Edit, unescape_step};

/// Maximum size of an edited text, in bytes, because every edit is checked by parsing the result.
const LONGEST: usize = 1 << 20;

/// A replacement of a part of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TextEdit {
    /// The replaced bytes of the text.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

impl TextEdit {
    /// Returns the edit of a text in which the edited one begins at an offset.
    #[must_use]
    pub fn moved(self, begin: usize) -> Self {
        let Range { start, end } = self.range;
        Self { range: start + begin..end + begin, ..self }
    }

    /// Returns the positions of the beginning and the end of the replaced range in `text`.
    pub fn positions(&self, text: &str) -> [Position; 2] {
        [self.range.start, self.range.end].map(|at| {
            let before = text.get(..at).unwrap_or_default();
            Position::START.after(before.trim_start_matches('\u{feff}'))
        })
    }
}

/// Returns the lines that edits change: the old and the new ones.
///
/// The edits are in order.
pub fn edited_lines(text: &str, edits: &[TextEdit]) -> Option<(String, String)> {
    let (first, last) = (edits.first()?, edits.last()?);
    let before = text.get(..first.range.start)?;
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let is_whole = text.get(..last.range.end)?.ends_with(['\n', '\r']) && last.range.end > start;
    let end = if is_whole {
        last.range.end
    } else {
        let rest = text.get(last.range.end..)?;
        last.range.end + lines(rest).next().map_or(0, str::len)
    };
    let moved: Vec<TextEdit> = edits
        .iter()
        .map(|it| TextEdit {
            range: it.range.start - start..it.range.end - start,
            text: it.text.clone(),
        })
        .collect();
    let old = text.get(start..end)?;
    Some((old.to_owned(), edited(old, &moved)))
}

/// Returns the text after edits that are in order and do not overlap.
pub fn edited(text: &str, edits: &[TextEdit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        result.push_str(text.get(copied..edit.range.start).unwrap_or_default());
        result.push_str(&edit.text);
        copied = edit.range.end;
    }
    result.push_str(text.get(copied..).unwrap_or_default());
    result
}

/// Edits of a document as edits of the text, which may have another effect.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The number of the document in the text.
    index: usize,
    edits: Vec<Edit>,
    text_edits: Vec<TextEdit>,
}

impl Proposal {
    /// Returns the edits of the text: in order, without overlaps.
    pub fn text_edits(&self) -> &[TextEdit] {
        &self.text_edits
    }
}

/// A text whose documents can be edited.
#[derive(Debug)]
pub struct Editor<'t> {
    text: &'t str,
    /// The length of the byte order mark, which no offset of `body` includes.
    mark: usize,
    body: &'t str,
    roots: Vec<Node>,
    documents: Vec<Document>,
}

impl<'t> Editor<'t> {
    /// Parses a text; `None` if it is invalid or too long.
    pub fn new(text: &'t str) -> Option<Self> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > LONGEST {
            return None;
        }
        Some(Self {
            text,
            mark: text.len() - body.len(),
            body,
            roots: spans::read(body)?,
            documents: parse_keeping_repeated(text).ok()?,
        })
    }

    /// Returns the text edits that have the effect of `edits` on a document; in order, without overlaps.
    ///
    /// Pointers refer to the document, which may be an item of a list in the text.
    ///
    /// Returns `None` if an edit is impossible, or would change more than its value: in values that aliases or merge keys
    /// share, and where comments would be lost.
    pub fn edits(&self, document: &Document, edits: &[Edit]) -> Option<Vec<TextEdit>> {
        let proposal = self.propose(document, edits)?;
        self.is_right(&[&proposal]).then_some(proposal.text_edits)
    }

    /// Returns edits as [`Self::edits`], which may have another effect until [`Self::confirm`] excludes that.
    pub fn propose(&self, document: &Document, edits: &[Edit]) -> Option<Proposal> {
        let position = document.position("");
        let is_mapping = document.is_mapping();
        let mut roots = self.roots.iter();
        let (root, prefix) =
            roots.find_map(|root| Some((root, root.pointer_to(position, is_mapping)?)))?;
        let begin = root.position;
        let index = self.documents.iter().position(|it| it.position("") == begin)?;
        let edits: Vec<Edit> = edits.iter().map(|it| below(&prefix, it)).collect();
        let mut found = Vec::new();
        for edit in &edits {
            found.push(self.edit(root, edit)?);
        }
        found.sort_by_key(|it| it.range.start);
        let overlaps = |pair: &[TextEdit]| pair[1].range.start < pair[0].range.end;
        if found.windows(2).any(overlaps) {
            return None;
        }
        for edit in &mut found {
            edit.range = edit.range.start + self.mark..edit.range.end + self.mark;
        }
        Some(Proposal { index, edits, text_edits: found })
    }

    /// Reports for each proposal whether it has the intended effect. Proposals must not overlap.
    ///
    /// The text is parsed once if all of them have, and more often to find those that have not. `rest` is the number of bytes that
    /// may still be parsed; the remaining proposals are not confirmed.
    pub fn confirm(&self, proposals: &[&Proposal], rest: &mut usize) -> Vec<bool> {
        let is_right = rest.checked_sub(self.text.len()).is_some_and(|left| {
            *rest = left;
            self.is_right(proposals)
        });
        if is_right || proposals.len() < 2 {
            return vec![is_right; proposals.len()];
        }
        let (one, other) = proposals.split_at(proposals.len() / 2);
        let mut confirmed = self.confirm(one, rest);
        confirmed.extend(self.confirm(other, rest));
        confirmed
    }

    /// Reports whether the text edits of all proposals together have the effect of their edits.
    fn is_right(&self, proposals: &[&Proposal]) -> bool {
        let mut text_edits: Vec<TextEdit> =
            proposals.iter().flat_map(|it| it.text_edits.iter().cloned()).collect();
        text_edits.sort_by_key(|it| it.range.start);
        let expected = self.expected(proposals);
        expected.is_some() && expected == values(&edited(self.text, &text_edits))
    }

    /// Returns the documents after the edits, as JSON.
    fn expected(&self, proposals: &[&Proposal]) -> Option<Vec<Value>> {
        let mut expected: Vec<Value> = self.documents.iter().map(Document::to_value).collect();
        for Proposal { index, edits, .. } in proposals {
            let object = expected.get_mut(*index)?;
            edits.iter().try_for_each(|edit| edit.apply(object))?;
        }
        Some(expected)
    }

    fn edit(&self, root: &Node, edit: &Edit) -> Option<TextEdit> {
        let path = Path::to(root, edit.pointer());
        match edit {
            Edit::Replace { value, .. } => self.replace(&path.whole()?, value),
            Edit::Rename { key, .. } => rename(&path.whole()?, key),
            Edit::Remove { .. } => self.remove(&path.whole()?),
            Edit::Insert { value, .. } => self.insert(path, value),
        }
    }

    fn replace(&self, cursor: &NodeCursor<'_>, value: &Value) -> Option<TextEdit> {
        let old = cursor.value;
        let is_simple = |value: &Value| match value {
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => true,
        };
        if old.is_marked {
            return None;
        }
        // `010` is the number 8, and `yes` is `true`: the string that was meant is unknown.
        if let (NodeKind::Scalar(ScalarStyle::Plain, text), Value::String(new)) = (&old.kind, value)
            && text != new
            && json_of(text).is_some_and(|it| it == *new)
        {
            return None;
        }
        match &old.kind {
            NodeKind::Scalar(ScalarStyle::Plain, text)
                if old.start == old.end && text.is_empty() =>
            {
                let text = match (cursor.in_flow, is_simple(value)) {
                    (true, _) => format!(" {value}"),
                    (false, true) => format!(" {}", word(value, None)),
                    (false, false) => self.block(value, indent(cursor)?),
                };
                Some(TextEdit { range: old.start..old.end, text })
            }
            NodeKind::Scalar(style, text) if !old.is_block_scalar() && is_simple(value) => {
                let is_text = *style != ScalarStyle::Plain
                    || matches!(scalar(text, true, None), Ok(Scalar::Text(_)));
                let text = match (value, cursor.in_flow && !is_text) {
                    (Value::String(_), false) => word(value, Some(*style)),
                    _ => value.to_string(),
                };
                Some(TextEdit { range: old.start..old.end, text })
            }
            NodeKind::Alias => None,
            _ if cursor.in_flow => {
                let range = old.start..old.end;
                let text = value.to_string();
                (!self.has_comment(&range)).then_some(TextEdit { range, text })
            }
            _ => {
                let range = self.slot(cursor)?;
                let text = match (is_simple(value), cursor.key) {
                    (true, Some(_)) => format!(" {}", word(value, None)),
                    (true, None) => word(value, None),
                    (false, Some(_)) => self.block(value, indent(cursor)?),
                    (false, None) => self.item(value, old.position.column - 1),
                };
                (!self.has_comment(&range)).then_some(TextEdit { range, text })
            }
        }
    }

    fn remove(&self, cursor: &NodeCursor<'_>) -> Option<TextEdit> {
        let parent = cursor.parent?;
        let step = 1 + usize::from(cursor.key.is_some());
        let index = cursor.index;
        let first = cursor.key.unwrap_or(cursor.value);
        let (before, after) = (
            index.checked_sub(1).and_then(|it| parent.children.get(it)),
            parent.children.get(index + step),
        );
        let removal = |range: Range<usize>| TextEdit { range, text: String::new() };
        if parent.is_flow() {
            let range = match (before, after) {
                (_, Some(next)) => first.start..next.start,
                (Some(last), None) => last.end..cursor.value.end,
                (None, None) => first.start..cursor.value.end,
            };
            return (!self.has_comment(&range)).then(|| removal(range));
        }
        let end = cursor.value.end;
        let rest = self.rest_of_line(end)?;
        if before.is_none() && after.is_none() {
            let range = self.slot(&self.place_of(parent)?)?.start..end + rest.len();
            let is_value = self.body.get(..range.start)?.ends_with(':');
            let text = match (parent.is_mapping(), is_value) {
                (true, true) => " {}",
                (true, false) => "{}",
                (false, true) => " []",
                (false, false) => "[]",
            };
            let between = range.start..parent.start;
            return (!self.has_comment(&between))
                .then_some(TextEdit { range, text: text.to_owned() });
        }
        let begin = match cursor.key {
            Some(key) => key.start,
            None => {
                let before = self.body.get(..first.start)?.trim_end_matches([' ', '\t']);
                before.ends_with('-').then(|| before.len() - 1)?
            }
        };
        let line = self.line_start(begin);
        if self.body.get(line..begin)?.trim().is_empty() {
            let until = self.next_line(end);
            return Some(if self.body.get(..until)?.ends_with(['\n', '\r']) {
                removal(line..until)
            } else {
                // The last line has no line break: that of the line before it is removed.
                removal(self.body.get(..line)?.trim_end_matches(['\n', '\r']).len()..until)
            });
        }
        // The first key of an item, behind its dash.
        let next = after.filter(|_| cursor.key.is_some())?.start;
        let between = self.body.get(end + rest.len()..next)?;
        between.trim().is_empty().then(|| removal(begin..next))
    }

    fn insert(&self, path: Path<'_>, value: &Value) -> Option<TextEdit> {
        let mut missing = path.missing;
        let mut cursor = path.found;
        // A key without a value is as good as a missing one.
        if let NodeKind::Scalar(ScalarStyle::Plain, text) = &cursor.value.kind
            && matches!(scalar(text, true, None), Ok(Scalar::Null))
        {
            let nested = nested(&missing, value);
            return self.replace(&cursor, &nested);
        }
        if missing.is_empty() || !cursor.value.is_mapping() {
            return None;
        }
        let key = missing.remove(0);
        let value = nested(&missing, value);
        let mapping = cursor.value;
        cursor.in_flow |= mapping.is_flow();
        let Some((last_key, last)) = mapping.entries().last() else {
            // `{}`
            let at = mapping.end.checked_sub(1)?;
            let inner = self.body.get(mapping.start..mapping.end)?;
            let is_empty = inner.strip_prefix('{')?.strip_suffix('}')?.trim().is_empty();
            let text = format!("{}: {value}", Value::from(key));
            return is_empty.then_some(TextEdit { range: at..at, text });
        };
        if cursor.in_flow {
            let is_quoted = last_key.kind_of_quotes() == Some(ScalarStyle::DoubleQuoted);
            let key =
                if is_quoted { Value::from(key).to_string() } else { word(&key.into(), None) };
            // On its own line, if the other members are.
            let gap_start = match mapping.children.len() {
                0..=2 => mapping.start + 1,
                count => mapping.children.get(count - 3)?.end,
            };
            let gap = self.body.get(gap_start..last_key.start)?.trim_start_matches(',');
            let gap = match gap.trim().is_empty() {
                true if mapping.children.len() > 2 || gap.contains(['\n', '\r']) => gap,
                true => " ",
                false => return None,
            };
            let text = format!(",{gap}{key}: {value}");
            return Some(TextEdit { range: last.end..last.end, text });
        }
        let (first, _) = mapping.entries().next()?;
        let indent = first.position.column - 1;
        let key = word(&key.into(), None);
        let member = format!("{key}:{}", self.member(&value, indent));
        let margin = " ".repeat(indent);
        if last.last().is_block_scalar() || first.is_marked {
            let range = first.start..first.start;
            let text = format!("{member}{}{margin}", self.line_break());
            return Some(TextEdit { range, text });
        }
        let at = last.end + self.rest_of_line(last.end)?.len();
        let text = format!("{}{margin}{member}", self.line_break());
        Some(TextEdit { range: at..at, text })
    }

    /// Returns the range from the end of the key, or from the beginning of the item, to the end of a value.
    fn slot(&self, cursor: &NodeCursor<'_>) -> Option<Range<usize>> {
        let start = match cursor.key {
            Some(key) => {
                let rest = self.body.get(key.end..)?;
                let blanks = rest.len() - rest.trim_start().len();
                rest.trim_start().starts_with(':').then(|| key.end + blanks + 1)?
            }
            // The indicator of a block scalar is before its span.
            None if cursor.value.is_block_scalar() => return None,
            None => cursor.value.start,
        };
        Some(start..cursor.value.end)
    }

    fn place_of<'n>(&'n self, node: &Node) -> Option<NodeCursor<'n>> {
        let mut cursors: Vec<NodeCursor<'n>> = self.roots.iter().map(NodeCursor::root).collect();
        while let Some(cursor) = cursors.pop() {
            if std::ptr::eq(cursor.value, node) {
                return Some(cursor);
            }
            cursors.extend(cursor.children());
        }
        None
    }

    /// Returns the blanks and the comment after a value on its line; `None` if there is something else.
    fn rest_of_line(&self, end: usize) -> Option<&'t str> {
        let rest = self.body.get(end..)?;
        let rest = lines(rest).next().unwrap_or_default().trim_end_matches(['\n', '\r']);
        let trimmed = rest.trim_start_matches([' ', '\t']);
        let is_comment = trimmed.starts_with('#') && trimmed.len() < rest.len();
        (trimmed.is_empty() || is_comment).then_some(rest)
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.body.get(..at).unwrap_or_default();
        before.rfind(['\n', '\r']).map_or(0, |it| it + 1)
    }

    fn next_line(&self, at: usize) -> usize {
        let rest = self.body.get(at..).unwrap_or_default();
        at + lines(rest).next().map_or(0, str::len)
    }

    fn line_break(&self) -> &'static str {
        match lines(self.body).next() {
            Some(line) if line.ends_with("\r\n") => "\r\n",
            Some(line) if line.ends_with('\r') => "\r",
            _ => "\n",
        }
    }

    /// Reports whether a range may contain a comment.
    fn has_comment(&self, range: &Range<usize>) -> bool {
        let text = self.body.get(range.clone()).unwrap_or_default();
        text.starts_with('#')
            || text.contains([' ', '\t', '\n', '\r']) && {
                let mut pairs = text.chars().zip(text.chars().skip(1));
                pairs.any(|(before, it)| it == '#' && before.is_whitespace())
            }
    }

    /// Formats a value after `key:`, whose key has this indentation.
    fn member(&self, value: &Value, indent: usize) -> String {
        match value {
            Value::Object(members) if !members.is_empty() => self.block(value, indent),
            Value::Array(items) if !items.is_empty() => self.block(value, indent),
            _ => format!(" {}", word(value, None)),
        }
    }

    /// Formats a collection in the lines after `key:`, whose key has this indentation.
    fn block(&self, value: &Value, indent: usize) -> String {
        let (line_break, margin) = (self.line_break(), " ".repeat(indent));
        match value {
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| {
                    let key = word(&key.as_str().into(), None);
                    let value = self.member(value, indent + 2);
                    format!("{line_break}{margin}  {key}:{value}")
                })
                .collect(),
            Value::Array(items) => items
                .iter()
                .map(|item| format!("{line_break}{margin}- {}", self.item(item, indent + 2)))
                .collect(),
            _ => self.member(value, indent),
        }
    }

    /// Formats an item after its dash, with this indentation.
    fn item(&self, value: &Value, indent: usize) -> String {
        let text = match value {
            Value::Object(members) if !members.is_empty() => {
                self.block(value, indent.saturating_sub(2))
            }
            Value::Array(items) if !items.is_empty() => self.block(value, indent),
            _ => word(value, None),
        };
        text.trim_start().to_owned()
    }
}

impl Node {
    /// Returns the style of a quoted scalar.
    fn kind_of_quotes(&self) -> Option<ScalarStyle> {
        match self.kind {
            NodeKind::Scalar(style, _) if style != ScalarStyle::Plain => Some(style),
            _ => None,
        }
    }
}

/// A value with the collection that contains it.
#[derive(Clone, Copy, Debug)]
struct NodeCursor<'n> {
    parent: Option<&'n Node>,
    /// The index in the parent; for a member, that of its key.
    index: usize,
    /// The key of a member.
    key: Option<&'n Node>,
    value: &'n Node,
    /// Whether it is in a flow collection.
    in_flow: bool,
}

impl<'n> NodeCursor<'n> {
    fn root(value: &'n Node) -> Self {
        Self { parent: None, index: 0, key: None, value, in_flow: false }
    }

    /// Returns the child with an index from [`Node::index_of`].
    fn child(self, index: usize) -> Option<NodeCursor<'n>> {
        let first = self.value.children.get(index)?;
        let (key, value) = if self.value.is_mapping() {
            (Some(first), self.value.children.get(index + 1)?)
        } else {
            (None, first)
        };
        Some(NodeCursor {
            parent: Some(self.value),
            index,
            key,
            value,
            in_flow: self.in_flow || self.value.is_flow(),
        })
    }

    fn children(self) -> impl Iterator<Item = NodeCursor<'n>> {
        let step = 1 + usize::from(self.value.is_mapping());
        let indices = (0..self.value.children.len()).step_by(step);
        indices.filter_map(move |index| self.child(index))
    }
}

/// The existing and the missing steps of a JSON pointer.
struct Path<'n> {
    found: NodeCursor<'n>,
    missing: Vec<String>,
}

impl<'n> Path<'n> {
    fn to(root: &'n Node, pointer: &str) -> Self {
        let mut path = Path { found: NodeCursor::root(root), missing: Vec::new() };
        for step in pointer.split('/').skip(1).map(unescape_step) {
            let child =
                if path.missing.is_empty() { path.found.value.index_of(&step) } else { None };
            match child.and_then(|index| path.found.child(index)) {
                Some(child) => path.found = child,
                None => path.missing.push(step),
            }
        }
        path
    }

    /// Returns the value, if all steps exist.
    fn whole(self) -> Option<NodeCursor<'n>> {
        self.missing.is_empty().then_some(self.found)
    }
}

/// Returns the value inside of mappings with the missing keys.
fn nested(missing: &[String], value: &Value) -> Value {
    let steps = missing.iter().rev();
    steps.fold(value.clone(), |value, key| {
        Value::Object([(key.clone(), value)].into_iter().collect())
    })
}

/// Returns an edit of a part as an edit of the whole.
fn below(prefix: &str, edit: &Edit) -> Edit {
    let mut edit = edit.clone();
    let (Edit::Replace { pointer, .. }
    | Edit::Rename { pointer, .. }
    | Edit::Insert { pointer, .. }
    | Edit::Remove { pointer }) = &mut edit;
    pointer.insert_str(0, prefix);
    edit
}

/// Returns the documents of a text as JSON.
fn values(text: &str) -> Option<Vec<Value>> {
    let documents = parse_keeping_repeated(text).ok()?;
    Some(documents.iter().map(Document::to_value).collect())
}

/// Returns the JSON notation of a plain number or boolean.
fn json_of(text: &str) -> Option<String> {
    match scalar(text, true, None).ok()? {
        Scalar::Bool(value) => Some(value.to_string()),
        Scalar::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Reports whether a string needs no quotes.
fn is_plain(text: &str) -> bool {
    let is_simple = |char: char| char.is_ascii_alphanumeric() || "._+-/:=@".contains(char);
    let begins = |char: char| char.is_ascii_alphanumeric() || "./".contains(char);
    text.starts_with(begins)
        && text.chars().all(is_simple)
        && !text.ends_with(':')
        && matches!(scalar(text, true, None), Ok(Scalar::Text(_)))
}

/// Returns the indentation of a value below its key.
fn indent(cursor: &NodeCursor<'_>) -> Option<usize> {
    Some(cursor.key?.position.column - 1)
}

/// Formats a scalar or an empty collection; strings in quotes of a style, or if they must be.
fn word(value: &Value, style: Option<ScalarStyle>) -> String {
    let Value::String(text) = value else {
        return value.to_string();
    };
    let is_clean = !text.contains(['\'', '\\', '"']) && !text.chars().any(char::is_control);
    match style {
        Some(ScalarStyle::SingleQuoted) if is_clean => format!("'{text}'"),
        Some(ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) => value.to_string(),
        _ if is_plain(text) => text.clone(),
        _ => value.to_string(),
    }
}

fn rename(cursor: &NodeCursor<'_>, key: &str) -> Option<TextEdit> {
    let old = cursor.key.filter(|key| !key.is_marked)?;
    let NodeKind::Scalar(style, _) = &old.kind else {
        return None;
    };
    Some(TextEdit { range: old.start..old.end, text: word(&key.into(), Some(*style)) })
}
