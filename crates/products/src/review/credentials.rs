// SPDX-License-Identifier: Apache-2.0
//! Lines of files with credentials, which no report shows.

use std::ops::Range;

use garden_gate_core::garden::texts::unescaped;
use garden_gate_model::api::Kind;
use garden_gate_text::json::escape_step;
use garden_gate_text::yaml::{self, Document};

/// The fields of references to objects.
const REFERENCE: [&str; 9] = [
    "apiGroup",
    "apiVersion",
    "fieldPath",
    "key",
    "kind",
    "name",
    "namespace",
    "resourceVersion",
    "uid",
];

/// Returns the lines of Secrets and InternalSecrets, and of the contents of ShootStates.
///
/// If the text is invalid, these are the lines of all its documents that may be such an object.
pub fn lines(text: &str) -> Vec<Range<usize>> {
    if !is_mentioned(text) {
        return Vec::new();
    }
    match yaml::parse_keeping_repeated(text) {
        Ok(documents) => lines_in(text, &documents),
        Err(_) => lines_of_invalid(text),
    }
}

/// Returns the lines like [`lines`], of a valid text with these documents.
pub(super) fn lines_in(text: &str, documents: &[Document]) -> Vec<Range<usize>> {
    if !is_mentioned(text) {
        return Vec::new();
    }
    let ends = documents.iter().skip(1).map(|it| it.lines().start + 1).chain([usize::MAX]);
    let documents = documents.iter().zip(ends);
    let lines = documents.flat_map(|(document, end)| {
        let parts: Vec<Document> = document.mappings().flat_map(|it| contents(&it)).collect();
        let lines = parts.into_iter().map(|it| it.lines());
        lines.map(move |lines| lines.start..lines.end.min(end))
    });
    lines.collect()
}

/// Returns the parts of an object that may contain credentials: all fields, since their names may be misspelt.
fn contents(object: &Document) -> Vec<Document> {
    let name = object.text("/kind").unwrap_or_default();
    let name = name.strip_suffix("List").unwrap_or(&name);
    let kind = Kind::ALL.iter().find(|kind| kind.as_str() == name);
    let Some(kind) = kind.filter(|kind| kind.holds_credentials()) else {
        // The kind may be misspelt.
        let is_secret = kind.is_none() && object.part("/stringData").is_some();
        return if is_secret { vec![object.clone()] } else { Vec::new() };
    };
    let value = object.to_value();
    let mut fields = value.as_object().into_iter().flat_map(|it| it.keys()).map(String::as_str);
    if *kind != Kind::ShootState {
        let is_reference = fields.all(|it| REFERENCE.contains(&it));
        return if is_reference { Vec::new() } else { vec![object.clone()] };
    }
    let open = ["apiVersion", "kind", "metadata"];
    let pointers = fields.filter(|it| !open.contains(it) && !REFERENCE.contains(it));
    let pointers = pointers.map(|it| format!("/{}", escape_step(it)));
    let annotations = "/metadata/annotations".to_owned();
    pointers.chain([annotations]).filter_map(|it| object.part(&it)).collect()
}

/// Returns the lines of the documents of an invalid text that mention a kind with credentials.
fn lines_of_invalid(text: &str) -> Vec<Range<usize>> {
    let parts = yaml::split(text);
    let ends = parts.iter().skip(1).map(|(before, _)| before + 1);
    let ends: Vec<usize> = ends.chain([usize::MAX]).collect();
    let parts =
        parts.into_iter().zip(ends).filter(|((_, range), _)| is_mentioned(&text[range.clone()]));
    parts.map(|((before, _), end)| before + 1..end).collect()
}

/// Reports whether a text may contain an object with credentials.
fn is_mentioned(text: &str) -> bool {
    let text = &*unescaped(text);
    let kinds = || Kind::ALL.iter().filter(|kind| kind.holds_credentials());
    let has_kind = has_word(text, "stringData")
        || kinds().any(|kind| {
            let list = format!("{kind}List");
            has_word(text, kind.as_str()) || has_word(text, &list)
        });
    has_kind && yaml::split(text).into_iter().any(|(_, part)| !is_of_other_kind(&text[part]))
}

/// Reports whether a document in block style has a kind without credentials, so that it only refers to such objects.
fn is_of_other_kind(document: &str) -> bool {
    if document.trim_start().starts_with(['{', '[']) {
        return false;
    }
    let kinds = document.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let plain = |it: &str| it.trim_end().trim_matches(['"', '\'']).to_owned();
        (plain(name) == "kind").then(|| plain(value.trim_start()))
    });
    let is_other = |name: String| {
        let kind = Kind::ALL.iter().find(|kind| kind.as_str() == name);
        kind.is_some_and(|kind| !kind.holds_credentials())
    };
    let kinds: Vec<String> = kinds.collect();
    !kinds.is_empty() && kinds.into_iter().all(is_other)
}

/// Reports whether a text contains a word that is not a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let mut found = text.match_indices(word);
    found.any(|(at, _)| {
        let after = text[at + word.len()..].chars().next();
        !is_part(text[..at].chars().next_back()) && !is_part(after)
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::lines;

    /// Returns the lines with the credential that are not hidden.
    fn shown(text: &str) -> Vec<&str> {
        let hidden = lines(text);
        let numbered = text.lines().zip(1..);
        let shown = numbered.filter(|(_, at)| !hidden.iter().any(|lines| lines.contains(at)));
        shown.map(|(line, _)| line).collect()
    }

    #[rstest]
    #[case::block("kind: Secret\nstringData:\n  a: |\n    x\n    canary\n---\nkind: Shoot\n")]
    #[case::flow("{kind: Secret, metadata: {annotations: {a: canary}}}\n---\nkind: Shoot\n")]
    #[case::list(
        "kind: List\nitems:\n- kind: Secret\n  data:\n    a:\n      canary\n- kind: Shoot\n"
    )]
    #[case::typed_list("kind: SecretList\nitems:\n- data:\n    a: canary\n---\nkind: Shoot\n")]
    #[case::one_line(
        "[{\"kind\": \"Secret\", \"data\": {\"a\": \"canary\"}}, {\"kind\": \"Shoot\"}]"
    )]
    #[case::shared_line(
        "[{\"kind\": \"Secret\", \"data\": {\n\"a\": \"canary\"}}, {\"kind\": \"Shoot\"}]"
    )]
    #[case::values(
        "{\"kind\": \"Secret\", \"data\": {\n\"a\": \"canary\"}}\n{\"kind\": \"Shoot\"}"
    )]
    #[case::review("{\"request\": {\"object\": {\"kind\": \"Secret\", \"data\":\n\"canary\"}}}")]
    #[case::internal("kind: InternalSecret\ndata:\n  a: canary\n")]
    #[case::state(
        "apiVersion: core.gardener.cloud/v1beta1\nkind: ShootState\nspec:\n  a: canary\n"
    )]
    #[case::misspelt("kind: InternalSecret\nmetadata: {name: a}\nstringDta:\n  a: canary\n")]
    #[case::misspelt_line("{\"kind\": \"Secret\", \"dta\": {\"a\": \"canary\"}}")]
    #[case::misspelt_in_list("kind: List\nitems:\n- kind: Secret\n  dta:\n    a: canary\n")]
    #[case::misspelt_kind("{\"kind\": \"InternalSecrt\", \"stringData\": {\"a\": \"canary\"}}")]
    #[case::misspelt_state("kind: ShootState\nsepc:\n  a: canary\n")]
    #[case::annotations_of_a_state("kind: ShootState\nmetadata:\n  annotations:\n    a: canary\n")]
    #[case::misspelt_and_invalid("kind: Secret\ndta:\n  a: \"canary\n")]
    #[case::second_kind("kind: Shoot\n\"k\\u0069nd\": Secret\ndta:\n  a: \"canary\n")]
    #[case::invalid("kind: Secret\nstringData:\n  a: \"canary\n---\nkind: Shoot\n")]
    #[case::invalid_json("{\"kind\": \"Secret\", \"data\": {\n\"a\": canary}}")]
    #[case::invalid_elsewhere("kind: Secret\ndata:\n  a: canary\n---\nkind: [Shoot\n")]
    fn lines_of_credentials_are_hidden(#[case] text: &str) {
        let shown = shown(text);
        assert!(!shown.iter().any(|line| line.contains("canary")), "{shown:?}");
    }

    #[rstest]
    #[case::other_document("kind: Secret\ndata: {}\n---\nkind: Shoot\nspec: canary\n")]
    #[case::other_item(
        "kind: List\nitems:\n- kind: Shoot\n  spec: canary\n- kind: Secret\n  data: {}\n"
    )]
    #[case::reference("kind: Shoot\nmetadata: {}\nref: {kind: Secret, name: canary}\n")]
    #[case::other_kind("kind: SecretBinding\nmetadata: {annotations: {a: canary}}\n")]
    #[case::invalid_reference("kind: Shoot\nref:\n  kind: Secret\n  name: [canary\n")]
    #[case::invalid_elsewhere("kind: Secret\ndata:\n  a: b\n---\nkind: [Shoot, canary\n")]
    fn lines_of_other_objects_are_shown(#[case] text: &str) {
        let shown = shown(text);
        assert!(shown.iter().any(|line| line.contains("canary")), "{shown:?}");
    }
}
