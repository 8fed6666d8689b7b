// SPDX-License-Identifier: Apache-2.0
//! Documentation of the field at the cursor, and facts about its value.

use super::candidates::View;
use super::completion::shape_name;
use super::field::FieldAt;
use super::outline::{Outline, Step, unquoted};
use super::usage::used_by;
use garden_gate_model::api::{Constraint, Presence, field_description};
use garden_gate_text::escape;

/// Maximum number of listed values.
const MOST: usize = 20;

/// Returns the documentation of the node at an offset of a document as Markdown, with its range.
pub fn hover(
    document: &str,
    offset: usize,
    view: &View<'_>,
) -> Option<(String, std::ops::Range<usize>)> {
    let outline = Outline::of(document);
    let (index, is_value) = outline.at(offset)?;
    let path = outline.path(index);
    let at = FieldAt::of(view.kind, &path, view.object, view.version)?;
    let node = &outline.nodes[index];
    let value = unquoted(&document[node.value.clone()]);
    let mut parts = vec![heading(&path, &at), about(&at)];
    parts.extend(constraints(&at));
    parts.extend(values(view, &path, &at, &value));
    let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    let range = if is_value { &node.value } else { &node.key };
    Some((parts.join("\n\n"), range.clone()))
}

fn heading(path: &[Step], at: &FieldAt) -> String {
    let mut name = String::new();
    for step in path {
        match step {
            Step::Key(key) if name.is_empty() => name.push_str(key),
            Step::Key(key) => name += &format!(".{key}"),
            Step::Item(index) => name += &format!("[{index}]"),
        }
    }
    let presence = match at.field.map(|it| it.presence) {
        Some(Presence::Required) => ", required",
        Some(Presence::Filled) => ", filled in if omitted",
        _ => "",
    };
    let owner = match at.owner {
        "" => String::new(),
        owner => format!(", of the extension `{owner}`"),
    };
    format!("{}: {}{presence}{owner}", code(&name), shape_name(at.shape))
}

fn about(at: &FieldAt) -> String {
    match (at.field, at.removed, at.shape.object()) {
        (Some(field), ..) => field_description(field, at.owner),
        (None, Some(removed), _) => {
            format!("Removed in Gardener {}: {}.", removed.release, removed.instead)
        }
        (None, None, Some(object)) => object.about(),
        (None, None, None) => String::new(),
    }
}

/// Returns the constraints of a field as a list, without those in its description.
fn constraints(at: &FieldAt) -> Option<String> {
    let constraints = at.field?.constraints.iter().filter_map(|it| {
        Some(match it {
            Constraint::Filled | Constraint::FilledWithWorkers | Constraint::NotEmpty => {
                "not empty".to_owned()
            }
            Constraint::AtLeast(least) => format!("at least {least}"),
            Constraint::AtMost(most) => format!("at most {most}"),
            Constraint::Below(most) => format!("less than {most}"),
            Constraint::Positive => "greater than 0".to_owned(),
            Constraint::LastsAtLeast(seconds) => format!("at least {seconds}s"),
            Constraint::LastsAtMost(seconds) => format!("at most {seconds}s"),
            Constraint::MaxBytes(most) => format!("at most {most} bytes"),
            Constraint::Distinct => "distinct items".to_owned(),
            Constraint::DistinctBy(field) => format!("items with distinct `{field}`"),
            Constraint::Immutable => "immutable".to_owned(),
            Constraint::ImmutableOnceSet => "immutable once it is set".to_owned(),
            Constraint::Format(format) => format.help("", |_| false),
            Constraint::Enum(_)
            | Constraint::RemovedFrom(..)
            | Constraint::AddedIn(_)
            | Constraint::WithWorkers
            | Constraint::Called(_)
            | Constraint::Since(_)
            | Constraint::Until(_)
            | Constraint::ValueSince(..)
            | Constraint::AnyType => return None,
        })
    });
    let constraints: Vec<String> = constraints.map(|it| format!("- {it}")).collect();
    (!constraints.is_empty()).then(|| constraints.join("\n"))
}

/// Returns facts about the value, and the possible values.
fn values(view: &View<'_>, path: &[Step], at: &FieldAt, value: &str) -> Option<String> {
    let candidates = view.candidates(path, at);
    let mut parts = Vec::new();
    if !value.is_empty() {
        let chosen = candidates.iter().find(|it| it.value == value);
        let detail = chosen.map_or("", |it| it.detail.as_str());
        let users = used_by(view, path, value).map(|count| match count {
            1 => "used by 1 Shoot".to_owned(),
            count => format!("used by {count} Shoots"),
        });
        let facts: Vec<String> = [Some(detail.to_owned()), users]
            .into_iter()
            .flatten()
            .filter(|it| !it.is_empty())
            .collect();
        if !facts.is_empty() {
            parts.push(format!("{}: {}", code(value), escape::value(&facts.join("; "))));
        }
    }
    if candidates.len() > 1 {
        let listed: Vec<String> = candidates
            .iter()
            .take(MOST)
            .map(|it| {
                if it.is_deprecated { format!("~~{}~~", code(&it.value)) } else { code(&it.value) }
            })
            .collect();
        let more = match candidates.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        parts.push(format!("Values: {}{more}", listed.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Formats a value as code in Markdown.
fn code(text: &str) -> String {
    format!("`{}`", escape::value(text).replace('`', "'"))
}
