// SPDX-License-Identifier: Apache-2.0
//! Proposals of completion as items of the protocol.

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionItemTextEdit, Documentation,
    InsertTextMode, MarkupContent, MarkupKind, Range, TextEdit,
};

use super::source::SourceText;
use garden_gate_products::editor::{Completions, Proposal, ProposalKind};

/// Returns the items of completions in a text, the best first.
pub(super) fn items(source: &SourceText, completions: Completions) -> Vec<CompletionItem> {
    let range = source.range(completions.range);
    let proposals = completions.proposals.into_iter().enumerate();
    proposals.map(|(index, it)| item(range, index, it)).collect()
}

fn item(range: Range, index: usize, it: Proposal) -> CompletionItem {
    CompletionItem {
        filter_text: Some(it.label.clone()),
        kind: Some(match it.kind {
            ProposalKind::Field => CompletionItemKind::Field,
            ProposalKind::Value => CompletionItemKind::Value,
            ProposalKind::Manifest => CompletionItemKind::Class,
        }),
        tags: it.is_deprecated.then(|| vec![CompletionItemTag::Deprecated]),
        detail: Some(it.detail).filter(|it| !it.is_empty()),
        documentation: Some(it.documentation).filter(|it| !it.is_empty()).map(markdown),
        sort_text: Some(format!("{index:04}")),
        insert_text_mode: Some(InsertTextMode::AsIs),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: it.text })),
        label: it.label,
        ..CompletionItem::default()
    }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}
