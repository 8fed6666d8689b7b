// SPDX-License-Identifier: Apache-2.0
//! Code actions: fixes of findings, silences for warnings, and the pages of rules.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use gen_lsp_types::{
    Code, CodeAction, CodeActionKind, Command, Diagnostic, Range, TextEdit, WorkspaceEdit,
};
use serde_json::json;

use super::diagnostics::{diagnostics, findings, page};
use super::document::OpenDocument;
use super::session::Session;
use super::source::SourceText;
use garden_gate_core::admission::{Applicability, Fix};
use garden_gate_core::config::Level;
use garden_gate_products::review::Subject;
use garden_gate_products::review::silences::silenced;
use garden_gate_text::escape;
use garden_gate_text::yaml::Editor;

/// The command that opens the page of a rule.
pub(super) const OPEN_RULE: &str = "garden-gate.openRule";

/// Maximum size of all texts that are parsed to check the fixes and silences of an answer, in bytes.
///
/// Each fix and each silence parses its document, however many findings the range has.
const PARSED: usize = 16 << 20;

/// The reason of a silence, which the author replaces.
const REASON: &str = "write the reason here";

/// Returns the actions for the diagnostics in a range of a document.
///
/// A document has none until the verdict about its current text is known.
pub(super) fn actions(
    session: &Session<'_>,
    document: &OpenDocument,
    range: Range,
) -> Vec<CodeAction> {
    let Some(verdict) = session.verdict(document) else {
        return Vec::new();
    };
    let mut actions = Vec::new();
    let mut left = PARSED / document.source.as_str().len().max(1);
    let mut rules = BTreeSet::new();
    for (subject, object) in &verdict.objects {
        if !subject.exists_after() {
            continue;
        }
        let editor = OnceCell::new();
        let editor = || editor.get_or_init(|| subject.editor()).as_ref();
        let findings = findings(&document.source, object);
        let found = diagnostics(&document.source, object, session.rule_url())
            .into_iter()
            .filter(|it| touches(it.range, range));
        let mut silences = BTreeSet::new();
        for diagnostic in found {
            let Some(Code::String(id)) = &diagnostic.code else {
                continue;
            };
            let own = findings
                .iter()
                .filter(|(it, range)| it.finding == id && *range == diagnostic.range);
            let fixes = own.clone().flat_map(|(it, _)| &it.fixes).take(left);
            for it in fixes {
                left -= 1;
                actions.extend(
                    editor().and_then(|editor| fix(document, editor, subject, it, &diagnostic)),
                );
            }
            let is_warning = own.clone().any(|(it, _)| it.level == Level::Warn);
            if is_warning && left > 0 && silences.insert(id.clone()) {
                left -= 1;
                actions.extend(silence(document, subject, id, &diagnostic));
            }
            let rule = diagnostic.data.as_ref().and_then(|it| it["rule"].as_str());
            let page = rule.and_then(|it| Some((it.to_owned(), page(it, session.rule_url())?)));
            if let Some((rule, page)) = page.filter(|_| session.opens_urls)
                && rules.insert(rule.clone())
            {
                actions.push(open(&rule, &page.0, diagnostic));
            }
        }
    }
    actions
}

fn touches(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// Returns the action that applies a fix; `None` if it cannot be applied to the text alone.
fn fix(
    document: &OpenDocument,
    editor: &Editor<'_>,
    subject: &Subject,
    fix: &Fix,
    diagnostic: &Diagnostic,
) -> Option<CodeAction> {
    // Parts that cannot be parsed are not in the text of the object.
    if !document.broken.is_empty() {
        return None;
    }
    let edits = subject
        .text_edits(editor, &fix.edits)?
        .into_iter()
        .map(|it| it.moved(subject.range().start))
        .map(|it| TextEdit { range: document.source.range(it.range), new_text: it.text });
    Some(CodeAction {
        title: escape::value(&fix.title).into_owned(),
        is_preferred: Some(fix.applicability == Applicability::Safe),
        ..edited(document, edits.collect(), diagnostic)
    })
}

/// Returns an action with edits of a document.
fn edited(document: &OpenDocument, edits: Vec<TextEdit>, diagnostic: &Diagnostic) -> CodeAction {
    CodeAction {
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(document.uri.clone(), edits)])),
            ..WorkspaceEdit::default()
        }),
        ..empty()
    }
}

/// Returns the action that adds an annotation, as `review --add-silences` does.
fn silence(
    document: &OpenDocument,
    subject: &Subject,
    id: &str,
    diagnostic: &Diagnostic,
) -> Option<CodeAction> {
    // Parts that cannot be parsed are not in the text of the object.
    if !document.broken.is_empty() {
        return None;
    }
    let after = silenced(subject, id, REASON)?;
    let edit = edit(&document.source, &after);
    Some(CodeAction {
        title: format!("Silence `{id}` with an annotation"),
        ..edited(document, vec![edit], diagnostic)
    })
}

fn open(rule: &str, page: &str, diagnostic: Diagnostic) -> CodeAction {
    let title = format!("Open the page of `{rule}`");
    CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic]),
        command: Some(Command {
            title,
            tooltip: None,
            command: OPEN_RULE.to_owned(),
            arguments: Some(vec![json!(page)]),
        }),
        ..empty()
    }
}

fn empty() -> CodeAction {
    CodeAction {
        title: String::new(),
        kind: None,
        diagnostics: None,
        is_preferred: None,
        disabled: None,
        edit: None,
        command: None,
        data: None,
        tags: None,
    }
}

/// Returns the smallest edit that gives a text.
pub(super) fn edit(source: &SourceText, after: &str) -> TextEdit {
    let before = source.as_str();
    let same = |(a, b): &(char, char)| a == b;
    let start: usize =
        before.chars().zip(after.chars()).take_while(same).map(|(it, _)| it.len_utf8()).sum();
    let (old, new) = (&before[start..], &after[start..]);
    let end: usize = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(same)
        .map(|(it, _)| it.len_utf8())
        .sum();
    TextEdit {
        range: source.range(start..before.len() - end),
        new_text: new[..new.len() - end].to_owned(),
    }
}

/// Returns the URL of the command that opens a page, which must be a page of a rule.
pub(super) fn page_to_open(
    arguments: Option<Vec<serde_json::Value>>,
    rule_url: Option<&str>,
) -> Option<String> {
    let url = arguments.unwrap_or_default().first()?.as_str()?.to_owned();
    let (prefix, _) = rule_url?.split_once("{rule}")?;
    url.starts_with(prefix).then_some(url)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::lsp::source::Encoding;

    #[rstest]
    #[case::inserted("a\nc\n", "a\nb\nc\n", "b\n")]
    #[case::replaced("a: 😀", "a: x", "x")]
    #[case::repeated("aa", "aaa", "a")]
    #[case::removed("abc", "ac", "")]
    #[case::same("a", "a", "")]
    fn smallest_edit_gives_the_text(
        #[case] before: &str,
        #[case] after: &str,
        #[case] inserted: &str,
    ) {
        let mut source = SourceText::new(before.to_owned(), Encoding::Utf16);
        let edit = edit(&source, after);
        assert_eq!(edit.new_text, inserted);
        source.edit(Some(edit.range), edit.new_text);
        assert_eq!(source.as_str(), after);
    }

    #[test]
    fn only_pages_of_rules_are_opened() {
        let template = Some("https://example.com/{rule}.html");
        let open = |url: &str| page_to_open(Some(vec![json!(url)]), template);
        assert!(open("https://example.com/shoot/x.html").is_some());
        assert!(open("file:///etc/passwd").is_none());
        assert!(page_to_open(None, template).is_none());
    }
}
