// SPDX-License-Identifier: Apache-2.0
//! Outline of a document for editors.

use std::ops::Range;

use gen_lsp_types::{DocumentSymbol, SymbolKind};

use super::source::SourceText;
use garden_gate_products::editor::{Outline, Step, unquoted};

/// Maximum depth of symbols.
const DEPTH: usize = 6;
/// Maximum number of symbols of a text.
const MOST: usize = 10_000;

/// Returns one symbol for each object, with its fields.
pub(super) fn symbols(source: &SourceText, documents: &[Range<usize>]) -> Vec<DocumentSymbol> {
    let mut left = MOST;
    let symbols = documents.iter().filter_map(|document| {
        let text = &source.as_str()[document.clone()];
        let outline = Outline::of(text);
        let tree = Tree {
            source,
            text,
            begin: document.start,
            ends: outline.ends(),
            children: children(&outline),
            outline,
        };
        tree.object(&mut left)
    });
    symbols.collect()
}

/// Returns the children of each node, and the roots as the last entry.
fn children(outline: &Outline) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); outline.nodes.len() + 1];
    for (index, node) in outline.nodes.iter().enumerate() {
        children[node.parent.unwrap_or(outline.nodes.len())].push(index);
    }
    children
}

struct Tree<'a> {
    source: &'a SourceText,
    text: &'a str,
    begin: usize,
    outline: Outline,
    ends: Vec<usize>,
    children: Vec<Vec<usize>>,
}

impl Tree<'_> {
    /// Returns the symbol of the object; `None` if the document has no kind.
    fn object(&self, left: &mut usize) -> Option<DocumentSymbol> {
        let value = |path: &[&str]| {
            let path: Vec<Step> = path.iter().map(|it| Step::Key((*it).to_owned())).collect();
            let node = &self.outline.nodes[self.outline.find(&path)?];
            let value = unquoted(&self.text[node.value.clone()]);
            (!value.is_empty()).then_some((value, node.key.clone()))
        };
        let (kind, at) = value(&["kind"])?;
        let name = value(&["metadata", "name"]).map(|it| it.0);
        let namespace = value(&["metadata", "namespace"]).map(|it| format!("{}/", it.0));
        let roots = self.children.last()?;
        let begin = self.outline.nodes[*roots.first()?].key.start;
        let end = roots.iter().map(|it| self.ends[*it]).max()?;
        let title = match name {
            Some(name) => format!("{kind} {}{name}", namespace.unwrap_or_default()),
            None => kind,
        };
        Some(DocumentSymbol {
            kind: SymbolKind::Class,
            children: Some(self.nodes(roots, 1, left)),
            ..self.symbol(title, begin..end, at)
        })
    }

    fn nodes(&self, nodes: &[usize], depth: usize, left: &mut usize) -> Vec<DocumentSymbol> {
        let mut symbols = Vec::new();
        for index in nodes.iter().copied() {
            if *left == 0 {
                break;
            }
            *left -= 1;
            let node = &self.outline.nodes[index];
            let inner = &self.children[index];
            let detail = unquoted(&self.text[node.value.clone()]);
            let (name, kind) = match &node.step {
                Step::Key(name) if inner.is_empty() => (name.clone(), SymbolKind::Field),
                Step::Key(name) => (name.clone(), SymbolKind::Object),
                Step::Item(number) => (self.item_name(inner, *number), SymbolKind::Struct),
            };
            let whole = node.key.start..self.ends[index];
            let children = if depth < DEPTH && !inner.is_empty() {
                Some(self.nodes(inner, depth + 1, left))
            } else {
                None
            };
            symbols.push(DocumentSymbol {
                detail: (!detail.is_empty()).then_some(detail),
                kind,
                children,
                ..self.symbol(name, whole, node.key.clone())
            });
        }
        symbols
    }

    /// Returns the name of an item: the value of its key, or its number.
    fn item_name(&self, inner: &[usize], number: usize) -> String {
        let names = ["name", "type", "version", "key"];
        let named = names.iter().find_map(|wanted| {
            inner
                .iter()
                .map(|it| &self.outline.nodes[*it])
                .find(|it| it.step == Step::Key((*wanted).to_owned()))
        });
        let name = named.map(|it| unquoted(&self.text[it.value.clone()]));
        name.filter(|it| !it.is_empty()).unwrap_or_else(|| number.to_string())
    }

    #[expect(deprecated, reason = "the field is part of the struct")]
    fn symbol(&self, name: String, whole: Range<usize>, key: Range<usize>) -> DocumentSymbol {
        let moved = |it: Range<usize>| self.begin + it.start..self.begin + it.end;
        // Editors refuse symbols without a name.
        let name = if name.trim().is_empty() { "\"\"".to_owned() } else { name };
        DocumentSymbol {
            name,
            detail: None,
            kind: SymbolKind::Key,
            tags: None,
            deprecated: None,
            range: self.source.range(moved(whole)),
            selection_range: self.source.range(moved(key)),
            children: None,
        }
    }
}
