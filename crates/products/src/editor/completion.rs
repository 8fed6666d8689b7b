// SPDX-License-Identifier: Apache-2.0
//! Completion of fields and values.

use std::collections::BTreeMap;
use std::ops::Range;

use super::candidates::{View, kinds};
use super::field::{FieldAt, Member, members};
use super::outline::{CursorContext, Outline, Step, unquoted};
use garden_gate_model::api::{Constraint, Object, Presence, Shape, field_description};

/// Maximum number of items; a list of images may have thousands of versions.
const MOST: usize = 500;

/// A document of a text, and a cursor in it.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    /// The text.
    pub text: &'a str,
    /// The range of the document.
    pub document: Range<usize>,
    /// The offset of the cursor in the text.
    pub offset: usize,
}

/// The type of a proposed text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProposalKind {
    /// The name of a field.
    Field,
    /// The value of a field.
    Value,
    /// A new manifest.
    Manifest,
}

/// A proposed text.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The name or the value.
    pub label: String,
    /// The text that replaces the range.
    pub text: String,
    /// The type.
    pub kind: ProposalKind,
    /// A few words; may be empty.
    pub detail: String,
    /// Markdown; may be empty.
    pub documentation: String,
    /// Whether new manifests should not use it.
    pub is_deprecated: bool,
}

/// The proposals for a cursor, the best first.
#[derive(Clone, Debug, Default)]
pub struct Completions {
    /// The range of the text that a proposal replaces.
    pub range: Range<usize>,
    /// The proposals.
    pub proposals: Vec<Proposal>,
}

/// Returns the proposals for a cursor; none where nothing can be completed.
///
/// `view` is `None` if the document has no known kind yet.
pub fn complete(cursor: &Cursor<'_>, view: Option<&View<'_>>) -> Completions {
    let text = cursor.text;
    let begin = cursor.document.start;
    let before = &text[begin..cursor.offset];
    let (outline, context) = Outline::before(before);
    let (mut proposals, typed) = match (context, view) {
        (CursorContext::Other, _) => return Completions::default(),
        (CursorContext::Key { parent, typed }, Some(view)) => {
            let path = parent.map(|it| outline.path(it)).unwrap_or_default();
            (keys(cursor, view, &path, &typed), typed)
        }
        (CursorContext::Value { node, typed }, Some(view)) => {
            (values(view, &outline.path(node), &before[typed.clone()]), typed)
        }
        (CursorContext::Key { parent: None, typed }, None) => {
            (headers(&text[cursor.document.clone()]), typed)
        }
        (CursorContext::Value { node, typed }, None) => {
            (header_values(&text[cursor.document.clone()], &outline.path(node)), typed)
        }
        _ => return Completions::default(),
    };
    let range = begin + typed.start..token_end(cursor, begin + typed.start);
    proposals.truncate(MOST);
    // A value needs a blank after its colon.
    if text[..range.start].ends_with(':') {
        proposals = prefixed(proposals, " ");
    }
    Completions { range, proposals }
}

/// Returns the end of the token at the cursor, so that the rest of a name is replaced as well.
fn token_end(cursor: &Cursor<'_>, start: usize) -> usize {
    let text = cursor.text;
    let rest = &text[cursor.offset..cursor.document.end.max(cursor.offset)];
    let is_quoted = text[start..].starts_with(['"', '\'']);
    let ends = |it: char| !(it.is_alphanumeric() || "-_./+".contains(it));
    let end = rest.find(ends).unwrap_or(rest.len());
    let has_quote = is_quoted && rest[end..].starts_with(['"', '\'']);
    cursor.offset + end + usize::from(has_quote)
}

/// Returns the fields of the mapping at a path, or the values of the list.
fn keys(
    cursor: &Cursor<'_>,
    view: &View<'_>,
    path: &[Step],
    typed: &Range<usize>,
) -> Vec<Proposal> {
    let Some(at) = FieldAt::of(view.kind, path, view.object, view.version) else {
        return Vec::new();
    };
    let layout = Layout::of(cursor, typed);
    match at.shape {
        Shape::Object(object) => fields(object, &at, &siblings(cursor, path), &layout),
        Shape::List(item, _) => {
            let mut item_path = path.to_vec();
            item_path.push(Step::Item(0));
            let dash = if layout.is_flow { "" } else { "- " };
            match item {
                Shape::Object(object) => {
                    let inner = layout.deeper();
                    let proposals = fields(object, &at, &[], &inner);
                    prefixed(proposals, dash)
                }
                _ => prefixed(values(view, &item_path, ""), dash),
            }
        }
        Shape::Map(_) => Vec::new(),
        // An item that is a value.
        _ => values(view, path, ""),
    }
}

fn prefixed(mut proposals: Vec<Proposal>, prefix: &str) -> Vec<Proposal> {
    for proposal in &mut proposals {
        proposal.text.insert_str(0, prefix);
    }
    proposals
}

/// The layout of a new field.
struct Layout {
    /// The column of the key.
    column: usize,
    is_flow: bool,
    is_json: bool,
    /// Whether the key already has its colon.
    has_colon: bool,
}

impl Layout {
    fn of(cursor: &Cursor<'_>, typed: &Range<usize>) -> Self {
        let text = cursor.text;
        let start = cursor.document.start + typed.start;
        let line = text[..start].rfind(['\n', '\r']).map_or(0, |it| it + 1);
        let rest = &text[token_end(cursor, start)..];
        let before = text[..start].trim_end();
        let is_json = text[cursor.document.clone()].trim_start().starts_with('{');
        Self {
            column: text[line..start].chars().count(),
            is_flow: before.ends_with(['{', '[', ',']),
            is_json,
            has_colon: rest.trim_start_matches(' ').starts_with(':'),
        }
    }

    fn deeper(&self) -> Self {
        Self { column: self.column + 2, ..*self }
    }

    /// Returns the text of a field up to its value.
    fn field(&self, name: &str, shape: Shape) -> String {
        let name = if self.is_json { format!("\"{name}\"") } else { name.to_owned() };
        if self.has_colon {
            return name;
        }
        let indent = " ".repeat(self.column);
        match shape {
            _ if self.is_flow || self.is_json => format!("{name}: "),
            Shape::Object(_) | Shape::Map(_) => format!("{name}:\n{indent}  "),
            Shape::List(..) => format!("{name}:\n{indent}- "),
            _ => format!("{name}: "),
        }
    }
}

/// Returns the names of the fields next to the cursor.
fn siblings(cursor: &Cursor<'_>, path: &[Step]) -> Vec<String> {
    let text = &cursor.text[cursor.document.clone()];
    let outline = Outline::of(text);
    let parent = match path {
        [] => None,
        path => match outline.find(path) {
            Some(node) => Some(node),
            None => return Vec::new(),
        },
    };
    let at = cursor.offset - cursor.document.start;
    let others = outline.children(parent).filter(|(_, node)| {
        let is_at_cursor = node.key.start <= at && at <= node.key.end;
        !is_at_cursor
    });
    let names = others.filter_map(|(_, node)| match &node.step {
        Step::Key(name) => Some(name.clone()),
        Step::Item(_) => None,
    });
    names.collect()
}

fn fields(
    object: &'static Object,
    at: &FieldAt,
    present: &[String],
    layout: &Layout,
) -> Vec<Proposal> {
    let mut missing: Vec<Member> = members(object, at.version)
        .filter(|it| !present.iter().any(|name| name == it.name()))
        .collect();
    missing.sort_by_key(|it| match it {
        Member::Field(field) if field.presence == Presence::Required => 0,
        Member::Field(field) if !is_deprecated(field.constraints) && field.name != "status" => 1,
        _ => 2,
    });
    let proposals = missing.into_iter().map(|it| {
        let (documentation, is_deprecated, required) = match it {
            Member::Field(field) => (
                field_description(field, at.owner),
                is_deprecated(field.constraints),
                field.presence == Presence::Required,
            ),
            Member::Removed(removed, _) => {
                let release = removed.release;
                let text = format!("Removed in Gardener {release}: {}.", removed.instead);
                (text, true, false)
            }
        };
        let shape = it.shape();
        let required = if required { ", required" } else { "" };
        Proposal {
            label: it.name().to_owned(),
            text: layout.field(it.name(), shape),
            kind: ProposalKind::Field,
            detail: format!("{}{required}", shape_name(shape)),
            documentation,
            is_deprecated,
        }
    });
    proposals.collect()
}

fn is_deprecated(constraints: &[Constraint]) -> bool {
    let is_removed = |it: &Constraint| matches!(it, Constraint::RemovedFrom(..));
    constraints.iter().any(is_removed)
}

/// Returns the values of the field at a path.
fn values(view: &View<'_>, path: &[Step], typed: &str) -> Vec<Proposal> {
    let Some(at) = FieldAt::of(view.kind, path, view.object, view.version) else {
        return Vec::new();
    };
    let quote = typed.chars().next().filter(|it| matches!(it, '"' | '\''));
    let candidates = view.candidates(path, &at).into_iter();
    let proposals = candidates.map(|it| Proposal {
        text: scalar(&it.value, at.shape, quote),
        label: it.value,
        kind: ProposalKind::Value,
        detail: it.detail,
        documentation: String::new(),
        is_deprecated: it.is_deprecated,
    });
    proposals.collect()
}

/// Formats a value, with quotes if it is a string that YAML reads as another type.
fn scalar(value: &str, shape: Shape, quote: Option<char>) -> String {
    let is_string =
        !matches!(shape, Shape::Boolean | Shape::Integer32 | Shape::Integer64 | Shape::Number);
    match quote {
        Some(quote) => format!("{quote}{value}{quote}"),
        None if is_string => garden_gate_text::yaml::plain_or_quoted(value),
        None => value.to_owned(),
    }
}

/// Returns the first fields of a new manifest.
fn headers(document: &str) -> Vec<Proposal> {
    let outline = Outline::of(document);
    let has = |name: &str| {
        let mut roots = outline.children(None);
        roots.any(|(_, node)| node.step == Step::Key(name.to_owned()))
    };
    let plain = |label: &str, text: String, detail: &str| Proposal {
        label: label.to_owned(),
        text,
        kind: ProposalKind::Field,
        detail: detail.to_owned(),
        documentation: String::new(),
        is_deprecated: false,
    };
    if outline.nodes.is_empty() {
        let manifests = kinds().map(|it| {
            let text = format!(
                "apiVersion: {}/{}\nkind: {}\nmetadata:\n  name: ",
                it.group, it.version, it.kind
            );
            Proposal {
                documentation: it.object.about(),
                kind: ProposalKind::Manifest,
                ..plain(it.kind, text, "new manifest")
            }
        });
        return manifests.collect();
    }
    // Another YAML file has no such fields.
    if !is_of_gardener(&outline, document) || !has("apiVersion") && !has("kind") {
        return Vec::new();
    }
    let names = ["apiVersion", "kind", "metadata"].into_iter().filter(|it| !has(it));
    names.map(|it| plain(it, format!("{it}: "), "")).collect()
}

/// Reports whether a document may become a manifest of Gardener: its API version, if it has one, is known.
fn is_of_gardener(outline: &Outline, document: &str) -> bool {
    let node = outline.find(&[Step::Key("apiVersion".to_owned())]);
    let value =
        node.map(|it| unquoted(&document[outline.nodes[it].value.clone()])).unwrap_or_default();
    kinds().any(|it| format!("{}/{}", it.group, it.version).starts_with(&value))
}

/// Returns the values of `apiVersion` and `kind` in a manifest without a known kind.
fn header_values(document: &str, path: &[Step]) -> Vec<Proposal> {
    if !is_of_gardener(&Outline::of(document), document) {
        return Vec::new();
    }
    let values: Vec<(String, String)> = match path {
        [Step::Key(name)] if name == "kind" => {
            kinds().map(|it| (it.kind.to_owned(), it.object.about())).collect()
        }
        [Step::Key(name)] if name == "apiVersion" => {
            let all = kinds().map(|it| (format!("{}/{}", it.group, it.version), String::new()));
            all.collect()
        }
        _ => Vec::new(),
    };
    // Most kinds share their API version.
    let values: BTreeMap<String, String> = values.into_iter().collect();
    let proposals = values.into_iter().map(|(value, documentation)| Proposal {
        label: value.clone(),
        text: value,
        kind: ProposalKind::Value,
        detail: String::new(),
        documentation,
        is_deprecated: false,
    });
    proposals.collect()
}

/// Returns the name of a shape for people.
pub(super) fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::String => "string",
        Shape::Boolean => "boolean",
        Shape::Integer32 | Shape::Integer64 => "integer",
        Shape::Number => "number",
        Shape::Time => "time",
        Shape::Duration => "duration",
        Shape::Quantity => "quantity",
        Shape::IntOrString => "integer or string",
        Shape::Any => "any",
        Shape::Object(_) => "object",
        Shape::List(..) => "list",
        Shape::Map(_) => "map",
    }
}
