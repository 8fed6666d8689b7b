// SPDX-License-Identifier: Apache-2.0
//! The documents of a file, as `gardenadm` reads them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::data;
use crate::report::clip;
use crate::review::kind_suggestions::{ManifestKind, meant};
use crate::review::subject::{self, DirectoryProblem, RefusedDocument, Subject};
use garden_gate_core::admission::{ErrorType, FieldPath, Kind};
use garden_gate_core::garden::NamedObject;
use garden_gate_core::rules::gardenadm::UNDECODABLE;
use garden_gate_model::api::group_and_version;
use garden_gate_text::yaml::{self, Document, Text};

/// The beginning of a line that separates documents.
const SEPARATOR: &str = "---";
/// Maximum size of an echoed string in bytes.
const LONGEST: usize = 200;

/// Kinds that `gardenadm` uses and that are judged; it also uses Secrets and ConfigMaps.
pub(super) const USED: [Kind; 10] = [
    Kind::CloudProfile,
    Kind::Project,
    Kind::Shoot,
    Kind::ShootState,
    Kind::SecretBinding,
    Kind::CredentialsBinding,
    Kind::ControllerRegistration,
    Kind::ControllerDeployment,
    Kind::Extension,
    Kind::WorkloadIdentity,
];

/// API groups whose kinds `gardenadm` can decode: those of Gardener, and those of client-go.
const GROUPS: [&str; 28] = [
    "",
    "admissionregistration.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "core.gardener.cloud",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "operations.gardener.cloud",
    "operator.gardener.cloud",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "security.gardener.cloud",
    "seedmanagement.gardener.cloud",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// The content of a file.
#[derive(Default)]
pub(super) struct FileContent {
    /// The objects that `gardenadm` uses, and the documents with which it fails.
    pub(super) subjects: Vec<Subject>,
    /// The Secrets and ConfigMaps.
    pub(super) named: Vec<NamedObject>,
    /// The number of objects that are not judged.
    pub(super) others: usize,
    /// The number of objects that `gardenadm` ignores, by kind.
    pub(super) ignored: BTreeMap<String, usize>,
}

impl FileContent {
    /// Returns the content of a file that cannot be read.
    pub(super) fn unreadable(file: &str, why: String) -> Self {
        Self { subjects: vec![Subject::unreadable(file, why)], ..Self::default() }
    }
}

/// The treatment of a document by `gardenadm`.
enum Treatment {
    Used,
    Ignored(String),
    /// It fails; the strings are the reason and the help.
    Fails(String, &'static str),
}

/// Parses a file. Documents stay in memory if `keeps` is set.
pub(super) fn read(file: &str, text: String, keeps: bool) -> FileContent {
    let file: Arc<str> = file.into();
    let text = Arc::new(text);
    let mut content = FileContent::default();
    for (index, part) in split(&text).into_iter().enumerate() {
        let read = |document: Option<&Document>| {
            let text = |pointer: &str| document.and_then(|it| it.text(pointer)).unwrap_or_default();
            let identity = ["/kind", "/metadata/namespace", "/metadata/name"].map(text);
            // Without a name, the heading is the file.
            if identity[2].is_empty() { <[String; 3]>::default() } else { identity }
        };
        let (treatment, identity) = match part.rest {
            Some(rest) => {
                let rest = clip(rest, LONGEST);
                let why = format!("gardenadm does not accept `{rest}` after `---`");
                (Treatment::Fails(why, "write it on the next line"), read(None))
            }
            None => match yaml::parse_keeping_repeated(&text[part.range.clone()]) {
                Ok(documents) => (treatment(documents.first()), read(documents.first())),
                // It is a subject that cannot be read.
                Err(_) => continue,
            },
        };
        match treatment {
            Treatment::Used => {}
            Treatment::Ignored(kind) => *content.ignored.entry(kind).or_default() += 1,
            Treatment::Fails(message, help) => {
                let document = RefusedDocument {
                    text: Text::part(Arc::clone(&text), part.range, part.before),
                    number: index + 1,
                    identity: identity.each_ref().map(String::as_str),
                };
                let problem = DirectoryProblem {
                    kind: &UNDECODABLE,
                    error: ErrorType::NotSupported,
                    field: FieldPath::root(),
                    message,
                    help: help.to_owned(),
                };
                content.subjects.push(Subject::refused(&file, document, problem));
            }
        }
    }
    let text = Arc::unwrap_or_clone(text);
    let held = subject::read(&file, text, keeps);
    let is_used = |it: &Subject| match it.key() {
        Some(key) => USED.contains(&key.kind),
        None => !it.is_review(),
    };
    content.others = held.others;
    content.subjects.extend(held.subjects.into_iter().filter(is_used));
    let is_named = |it: &NamedObject| matches!(it.key.kind, Kind::Secret | Kind::ConfigMap);
    content.named.extend(held.named.into_iter().filter(is_named));
    content
}

/// A part of a file that `gardenadm` decodes as one document.
struct Part<'t> {
    range: Range<usize>,
    /// The number of lines before the part.
    before: usize,
    /// The text after a separator on its line, which is an error.
    rest: Option<&'t str>,
}

/// Splits a text as `YAMLReader` in `k8s.io/apimachinery`.
///
/// A separator at the beginning of a document is part of it. Text after a separator is an error, and ends the file.
fn split(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut begin, mut before, mut offset) = (0, 0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        let rest = line.strip_prefix(SEPARATOR).map(str::trim);
        if let Some(rest) = rest.filter(|it| !it.is_empty() && !it.starts_with('#')) {
            parts.push(Part { range: offset..end, before: number, rest: Some(rest) });
            return parts;
        }
        if rest.is_some() && offset > begin {
            parts.push(Part { range: begin..offset, before, rest: None });
            (begin, before) = (end, number + 1);
        }
        offset = end;
    }
    if offset > begin {
        parts.push(Part { range: begin..offset, before, rest: None });
    }
    parts
}

fn treatment(document: Option<&Document>) -> Treatment {
    if document.is_some_and(|it| it.items().is_some()) {
        let why = "gardenadm fails on a document that is a list";
        return Treatment::Fails(why.to_owned(), "write each item as a document");
    }
    let Some(document) = document.filter(|it| it.is_mapping()) else {
        let why = "gardenadm fails on a document without an object, also with only comments";
        return Treatment::Fails(
            why.to_owned(),
            "remove the document with one of its separators; comments may be in the next one",
        );
    };
    let text = |pointer: &str| document.text(pointer).filter(|it| !it.is_empty());
    let (Some(api_version), Some(kind)) = (text("/apiVersion"), text("/kind")) else {
        let why = "gardenadm fails on a document without `apiVersion` and `kind`";
        return Treatment::Fails(why.to_owned(), "set them, or move the file");
    };
    if kind.ends_with("List") {
        let kind = clip(&kind, LONGEST);
        let why = format!("gardenadm fails on a list such as `{kind}`");
        return Treatment::Fails(why, "write each item as a document");
    }
    let (group, _) = group_and_version(&api_version);
    match meant(&api_version, &kind) {
        ManifestKind::Kind(kind) if USED.contains(&kind) => Treatment::Used,
        ManifestKind::Kind(kind) if GROUPS.contains(&kind.api().0) => {
            Treatment::Ignored(kind.to_string())
        }
        // The subject has the error.
        ManifestKind::Nothing(_) => Treatment::Used,
        _ if group.is_empty() && matches!(kind.as_str(), "Secret" | "ConfigMap") => {
            match data::problem(document, &kind) {
                Some((why, help)) => Treatment::Fails(why, help),
                None => Treatment::Used,
            }
        }
        _ if GROUPS.contains(&group) => Treatment::Ignored(clip(&kind, LONGEST)),
        _ => {
            let [api_version, kind] = [&api_version, &kind].map(|it| clip(it, LONGEST));
            let why = format!("gardenadm has no kind `{kind}` of `{api_version}`, and fails");
            Treatment::Fails(why, "move the file out of the directory")
        }
    }
}

/// Returns the subjects of a kind.
pub(super) fn of_kind(subjects: &mut [Subject], kind: Kind) -> impl Iterator<Item = &mut Subject> {
    subjects.iter_mut().filter(move |it| it.key().is_some_and(|it| it.kind == kind))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::split;

    #[rstest]
    #[case::one("a: 1\n", &[(0, "a: 1\n")])]
    #[case::leading("---\na: 1\n---\nb: 2\n---\n", &[(0, "---\na: 1\n"), (3, "b: 2\n")])]
    #[case::comment("# a\n--- # b\na: 1", &[(0, "# a\n"), (2, "a: 1")])]
    #[case::twice("---\n---\na: 1\n", &[(0, "---\n"), (2, "a: 1\n")])]
    #[case::blank("a: 1\n---\n\n", &[(0, "a: 1\n"), (2, "\n")])]
    #[case::text("a: 1\n--- b\nc: 2\n", &[(1, "--- b\n")])]
    #[case::empty("", &[])]
    fn documents_end_as_for_gardenadm(#[case] text: &str, #[case] expected: &[(usize, &str)]) {
        let parts = split(text).into_iter();
        let parts: Vec<_> = parts.map(|it| (it.before, &text[it.range])).collect();
        assert_eq!(parts, expected);
    }
}
