// SPDX-License-Identifier: Apache-2.0
//! The parsed content of one file of a garden directory, independent of other files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::dump::DumpRecord;
use super::identity::{DocumentIdentity, Identity, UnknownObjects, identify, name};
use super::kind_hints::{kept, mentioned, mentioned_if_cut};
use super::problem::Problem;
use super::wanted::Wanted;
use crate::garden::{GardenObject, Named, ObjectKey, read, read_with_configuration};
use garden_gate_model::api::{ConfigMapData, Kind, Retrieval, Shoot, ShootUse, group_and_version};
use garden_gate_text::json::escape_step;
use garden_gate_text::yaml::{self, Document, Ending, Position, SourceError};

/// The ending of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileEnding {
    pub(super) last: Ending,
    pub(super) has_newline: bool,
}

/// Estimated memory of a Shoot, including its index entries, in bytes.
const SHOOT: usize = 1024;
/// Estimated memory of any other entry: a file, a problem or an object, in bytes.
const OTHER: usize = 256;
/// Minimum memory per JSON value of an object that is kept as a whole, in bytes.
const VALUE: usize = 32;

/// The objects of a file in order, and notes about the file.
#[derive(Debug, Default)]
pub struct FileContent {
    /// The objects and problems in order.
    pub items: Vec<Item>,
    pub(super) remarks: FileProblems,
    /// Estimated memory in bytes.
    pub weight: usize,
    pub(super) ending: FileEnding,
}

/// An object, or a problem that may hide one.
#[derive(Debug)]
pub enum Item {
    /// An object.
    Object(Box<Object>),
    /// A problem, and the kinds whose objects it may hide.
    Trouble(Problem, Vec<Kind>),
}

/// An object of a garden.
#[derive(Debug)]
pub struct Object {
    /// The kind, the namespace and the name.
    pub key: ObjectKey,
    /// The position of its name.
    pub(super) position: Position,
    /// A digest of the object, to detect different variants with the same key.
    pub(super) hash: u64,
    /// The parsed object (`None` if the kind is not kept), or the reason why it is invalid.
    pub(super) read: Result<Option<GardenObject>, Problem>,
    /// The whole object as in the file, if it was requested.
    pub whole: Option<Value>,
}

/// Notes about a file that do not belong to a single object.
#[derive(Clone, Debug, Default)]
pub struct FileProblems {
    /// Problems in order, with the kinds as in [`Item::Trouble`]; the list is empty if nothing is hidden.
    pub(super) troubles: Vec<(Problem, Vec<Kind>)>,
    /// The reason why the file contains no manifests.
    pub no_manifests: Option<Problem>,
    /// The number of objects of other kinds, by kind.
    pub skipped: BTreeMap<String, usize>,
    /// The number of documents that are not objects.
    pub others: usize,
    /// Kinds for which the file declares further objects nonexistent.
    pub(super) complete: Vec<Kind>,
    /// Kinds of which objects may be missing, with the reasons.
    pub(super) incomplete: Vec<(Kind, String)>,
    /// Objects of which only the name is kept.
    pub(super) named: Vec<(ObjectKey, Named)>,
    /// The values of ConfigMaps in `named`, if they are kept and known.
    pub(super) data: Vec<(ObjectKey, Arc<ConfigMapData>)>,
    /// Whether an unreadable part of the file may contain further objects for `named`.
    pub(super) hides_names: bool,
}

impl FileProblems {
    /// Reports whether the file may contain further objects of which only the name is kept.
    pub(super) fn may_name_others(&self) -> bool {
        let mut hidden = self.troubles.iter().flat_map(|(_, kinds)| kinds);
        self.hides_names || hidden.any(|kind| is_named(*kind))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.troubles.is_empty()
            && self.no_manifests.is_none()
            && self.skipped.is_empty()
            && self.others == 0
            && self.complete.is_empty()
            && self.incomplete.is_empty()
            && self.named.is_empty()
            && !self.hides_names
    }
}

impl FileContent {
    /// Parses the text of a file. Objects in `wanted` are kept as a whole.
    pub fn of(path: &Path, text: &str, wanted: &Wanted) -> Self {
        let mut content = Self::default();
        content.text(path, text, wanted);
        content
    }

    /// Returns the content of a file that is no text, of which some parts are legible.
    pub fn of_no_text(problem: Problem, legible: &str) -> Self {
        let mut content = Self::default();
        content.no_manifests(problem, "", legible);
        content
    }

    /// Returns the content of an entry that cannot be read and may contain any object.
    pub fn closed(problem: Problem) -> Self {
        let mut content = Self::default();
        content.trouble(problem, kept().collect());
        content
    }

    fn text(&mut self, path: &Path, text: &str, wanted: &Wanted) {
        // A Secret with a duplicate key is irrelevant and must not hide other documents of the file.
        match yaml::parse_keeping_repeated(text) {
            Ok(documents) => {
                let mut file = File { path, wanted, content: self };
                for document in &documents {
                    file.document(document, None);
                }
                self.ending = FileEnding {
                    last: documents.last().map(Document::ending).unwrap_or_default(),
                    has_newline: text.ends_with('\n'),
                };
                self.weight += self.ending.last.weight();
            }
            Err(error) => {
                let remedy = if text.contains("{{") {
                    "; render the template, or name it in .garden-gate-ignore"
                } else {
                    "; repair the file, or name it in .garden-gate-ignore"
                };
                self.no_manifests(Problem::at(path, error), remedy, text);
            }
        }
    }

    /// Records a file that is not text or YAML.
    ///
    /// It is skipped if it cannot contain an object of a garden.
    fn no_manifests(&mut self, mut problem: Problem, remedy: &str, text: &str) {
        self.remarks.hides_names = may_name(text);
        match mentioned_if_cut(text) {
            kinds if kinds.is_empty() => {
                self.weight += OTHER + problem.message.len();
                self.remarks.no_manifests = Some(problem);
            }
            kinds => {
                problem.message += remedy;
                self.trouble(problem, kinds);
            }
        }
    }

    fn trouble(&mut self, problem: Problem, kinds: Vec<Kind>) {
        self.weight += OTHER + problem.message.len();
        self.items.push(Item::Trouble(problem, kinds));
    }

    fn skip(&mut self, kind: String) {
        if !self.remarks.skipped.contains_key(&kind) {
            self.weight += OTHER + kind.len();
        }
        *self.remarks.skipped.entry(kind).or_default() += 1;
    }
}

/// A file whose documents are being parsed.
struct File<'a> {
    path: &'a Path,
    wanted: &'a Wanted,
    content: &'a mut FileContent,
}

impl File<'_> {
    fn document(&mut self, document: &Document, inherited: Option<&Identity>) {
        let Err((error, hidden)) = self.any(document, inherited) else {
            return;
        };
        let problem = Problem::at(self.path, error);
        match hidden {
            UnknownObjects::Kinds(kinds) => self.content.trouble(problem, kinds),
            UnknownObjects::Object(key) => self.object(document, key, Err(problem)),
        }
    }

    fn any(
        &mut self,
        document: &Document,
        inherited: Option<&Identity>,
    ) -> Result<(), (SourceError, UnknownObjects)> {
        let (kind, api_version) = match identify(document, inherited)? {
            DocumentIdentity::List(item) => return self.list(document, item.as_ref()),
            DocumentIdentity::OfGarden(kind, api_version) => (kind, api_version),
            DocumentIdentity::Named(kind) => {
                self.named(kind, document);
                return Ok(());
            }
            DocumentIdentity::Dump => {
                let record: DumpRecord = document
                    .decode()
                    .map_err(|error| (error, UnknownObjects::Kinds(kept().collect())))?;
                self.content.remarks.incomplete.extend(record.gaps());
                return Ok(());
            }
            DocumentIdentity::Other(kind) => {
                self.content.skip(kind);
                return Ok(());
            }
            DocumentIdentity::Nothing => {
                self.content.remarks.others += 1;
                return Ok(());
            }
        };
        let key = name(document, kind)?;
        match kept_of(document, kind, &api_version) {
            Ok(read) => self.object(document, key, Ok(read)),
            Err(error) => return Err((error, UnknownObjects::Object(key))),
        }
        Ok(())
    }

    /// Records the name of an object.
    ///
    /// Other errors in the object are irrelevant.
    fn named(&mut self, kind: Kind, document: &Document) {
        let remarks = &mut self.content.remarks;
        match name(document, kind) {
            Ok(key) => {
                let named = Named {
                    has_kubeconfig: has_kubeconfig(document),
                    is_issuer: kind == Kind::Secret && is_issuer(document),
                };
                self.content.weight += OTHER;
                if self.wanted.config_map_data
                    && let Some(data) = config_map_data(kind, document)
                {
                    self.content.weight += OTHER + data.bytes();
                    remarks.data.push((key.clone(), Arc::new(data)));
                }
                remarks.named.push((key, named));
            }
            Err(_) => remarks.hides_names = true,
        }
    }

    fn object(
        &mut self,
        document: &Document,
        key: ObjectKey,
        read: Result<Option<GardenObject>, Problem>,
    ) {
        let digest = document.digest();
        self.content.weight += match (&read, key.kind) {
            (Ok(_), Kind::Shoot) => SHOOT,
            (Ok(_), _) => OTHER + digest.bytes + digest.values * VALUE,
            (Err(problem), _) => 2 * (OTHER + problem.message.len()),
        };
        let object = read.as_ref().ok();
        let whole = object.is_some_and(|it| self.wanted.contains(&key, it.as_ref()));
        self.content.items.push(Item::Object(Box::new(Object {
            position: document.position("/metadata/name"),
            hash: digest.hash,
            whole: whole.then(|| document.to_value()),
            key,
            read,
        })));
    }

    /// Adds the items of a list.
    ///
    /// An empty typed list declares the kind to have no objects.
    fn list(
        &mut self,
        document: &Document,
        item: Option<&Identity>,
    ) -> Result<(), (SourceError, UnknownObjects)> {
        let part = document.part("/items");
        let items = part.as_ref().and_then(Document::items);
        let is_absent = part.is_none_or(|part| part.to_value().is_null());
        let items = match items {
            Some(items) => items,
            None if is_absent => Vec::new(),
            None => {
                let error = SourceError::new(document.position("/items"), "`items` is not a list");
                return match mentioned(&document.to_value().to_string()) {
                    kinds if kinds.is_empty() => {
                        self.content.remarks.others += 1;
                        Ok(())
                    }
                    kinds => Err((error, UnknownObjects::Kinds(kinds))),
                };
            }
        };
        let token = document.text("/metadata/continue");
        let has_more = token.is_some_and(|it| !it.is_empty());
        let remarks = &mut self.content.remarks;
        match item.and_then(Identity::kind) {
            Some(kind) if has_more => {
                let why = format!("the list in `{}` is one of several pages", self.path.display());
                remarks.incomplete.push((kind, why));
            }
            Some(kind) if items.is_empty() => remarks.complete.push(kind),
            _ => {}
        }
        for document in &items {
            self.document(document, item);
        }
        Ok(())
    }
}

/// Reports whether text that is not a manifest may contain an object of which the name is kept.
fn may_name(text: &str) -> bool {
    let mut kinds = Kind::ALL.iter().filter(|kind| is_named(**kind));
    text.contains('\0') || kinds.any(|kind| text.contains(kind.as_str()))
}

/// Reports whether only the name is kept of most objects of a kind.
pub(super) fn is_named(kind: Kind) -> bool {
    matches!(kind.known(), Retrieval::Labelled { .. })
}

/// Returns the values of a ConfigMap; `None` if it has no data, which may have been omitted, or too much.
pub fn config_map_data(kind: Kind, document: &Document) -> Option<ConfigMapData> {
    let data = document.part("/data").filter(|_| kind == Kind::ConfigMap)?;
    ConfigMapData::of(|key| data.text(&format!("/{}", escape_step(key))))
}

/// Reports whether a Secret has the key `kubeconfig`.
///
/// Returns `None` if it has no data, which may have been omitted.
fn has_kubeconfig(secret: &Document) -> Option<bool> {
    let mut parts = ["/data", "/stringData"]
        .map(|pointer| secret.part(pointer))
        .into_iter()
        .flatten()
        .peekable();
    parts.peek()?;
    Some(parts.any(|it| it.part("/kubeconfig").is_some()))
}

fn is_issuer(secret: &Document) -> bool {
    let (label, value) = Named::ISSUER;
    let found = secret.text(&format!("/metadata/labels/{}", escape_step(label)));
    found.as_deref() == Some(value)
}

/// Returns the model of an object, or `None` if the kind is not kept.
fn kept_of(
    document: &Document,
    kind: Kind,
    api_version: &str,
) -> Result<Option<GardenObject>, SourceError> {
    document.check_keys()?;
    check_version(document, kind, api_version)?;
    if kind.holds_credentials() {
        return without_values(kind, read(kind, document));
    }
    if kind == Kind::Shoot {
        // The model of a Shoot omits fields, but its whole manifest must be valid.
        let shoot: Shoot = document.decode()?;
        let kept = Box::new(ShootUse::from(&shoot));
        return GardenObject::of_shoot(kept, document).map(Some);
    }
    read_with_configuration(kind, document)
}

/// Replaces the message of an error, which may quote credentials.
fn without_values<T>(kind: Kind, read: Result<T, SourceError>) -> Result<T, SourceError> {
    read.map_err(|error| SourceError {
        message: format!("a field of the {kind} has another type than expected"),
        ..error
    })
}

/// Fails if an object of a garden has an API version other than the supported one.
fn check_version(document: &Document, kind: Kind, api_version: &str) -> Result<(), SourceError> {
    let (_, version) = group_and_version(api_version);
    if kind.api().1 == version || kind.is_read_as(version) {
        return Ok(());
    }
    let served = kind.api_version();
    let message = format!("`{api_version}` of {kind} is not known; write it as `{served}`");
    let position = document.position("/apiVersion");
    Err(SourceError::new(position, message))
}
