// SPDX-License-Identifier: Apache-2.0
//! Location of the object that the value at the cursor refers to.

use std::fs;

use gen_lsp_types::{Location, Uri};
use serde_json::Value;

use super::document::OpenDocument;
use super::garden::{Located, locate};
use super::references::{Target, target};
use super::session::Session;
use super::source::SourceText;
use super::uri;
use crate::files;
use garden_gate_core::garden::ObjectKey;
use garden_gate_products::editor::{Outline, View, unquoted};

/// Returns the location of the object that the value at an offset refers to.
///
/// It is in an open document, else in the workspace, else in the garden directory.
pub(super) fn definition(
    session: &Session<'_>,
    document: &OpenDocument,
    offset: usize,
    view: &View<'_>,
) -> Option<Location> {
    let part = document.part_at(offset);
    let text = &document.source.as_str()[part.clone()];
    let outline = Outline::of(text);
    let (node, _) = outline.at(offset - part.start)?;
    let value = unquoted(&text[outline.nodes[node].value.clone()]);
    if value.is_empty() {
        return None;
    }
    let target = target(view, &outline.path(node), &value)?;
    let (uri, located) = find(session, &target.key)?;
    let object = located.value().unwrap_or(Value::Null);
    let position = located.position(&pointer(&target, &object));
    let source = SourceText::new(located.text, session.encoding);
    let at = source.offset_of(position);
    Some(Location { uri, range: source.range(at..at) })
}

fn find(session: &Session<'_>, key: &ObjectKey) -> Option<(Uri, Located)> {
    for document in session.documents() {
        let path = document.path.clone().unwrap_or_default();
        let has_it = document.objects.subjects.iter().any(|it| it.key().as_ref() == Some(key));
        if has_it && let Some(found) = locate(&path, document.source.as_str().to_owned(), key) {
            return Some((document.uri.clone(), found));
        }
    }
    let in_workspace = session.workspace().file_of(key).and_then(|path| {
        let text = String::from_utf8(files::read(path).ok()?).ok()?;
        locate(path, text, key)
    });
    let located = in_workspace.or_else(|| session.garden()?.find(key))?;
    let path = fs::canonicalize(&located.path).ok()?;
    Some((uri::uri(&path), located))
}

/// Returns the pointer to a part of an object; to its nearest existing parent, if it is missing.
fn pointer(target: &Target, object: &Value) -> String {
    let mut pointer = String::new();
    for (list, key, wanted) in &target.part {
        let items = object.pointer(&format!("{pointer}{list}")).and_then(Value::as_array);
        let index = items.and_then(|it| it.iter().position(|it| it[*key] == **wanted));
        pointer += list;
        let Some(index) = index else { break };
        pointer += &format!("/{index}");
    }
    pointer
}
