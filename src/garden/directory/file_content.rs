//! What one file of a garden directory says, whatever the others say.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::dump::DumpRecord;
use super::identity::{Hidden, Identified, Identity, identify, name};
use super::kind_hints::{kept, mentioned, mentioned_if_cut};
use super::{Problem, Wanted};
use crate::compat::escape_step;
use crate::files;
use crate::garden::read::read;
use crate::garden::{GardenObject, Named, ObjectKey};
use crate::model::{Kind, Known, Shoot, group_and_version};
use crate::source::{self, Document, Ending, Position, SourceError};

/// How a file ends.
#[derive(Clone, Debug, Default)]
pub(super) struct FileEnding {
    pub(super) last: Ending,
    pub(super) has_newline: bool,
}

/// What is kept of a Shoot takes about this much memory, with all that it is found by. Bytes.
const SHOOT: usize = 1024;
/// As much for what else there is to a file, a problem, or an object. Bytes.
const OTHER: usize = 256;
/// What a value of an object takes at least that is kept whole. Bytes.
const VALUE: usize = 32;

/// What a file says, in its order, and what there is to remark about it.
#[derive(Debug, Default)]
pub(super) struct FileContent {
    pub(super) items: Vec<Item>,
    pub(super) remarks: Remarks,
    /// About how much memory it takes to keep all this, in bytes.
    pub(super) weight: usize,
    pub(super) ending: FileEnding,
}

/// An object, or what is in the way of knowing one.
#[derive(Debug)]
pub(super) enum Item {
    Object(Box<Object>),
    /// A problem, and the kinds of which it may hide objects.
    Trouble(Problem, Vec<Kind>),
}

/// An object of a garden.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) key: ObjectKey,
    /// Where its name stands.
    pub(super) position: Position,
    /// Tells it from other variants of it.
    pub(super) hash: u64,
    /// What is kept of it, if anything is, or why it cannot be read.
    pub(super) read: Result<Option<GardenObject>, Problem>,
    /// As it is in the file, if that was wanted.
    pub(super) whole: Option<Value>,
}

/// What a file says about no single object.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    /// As in [`Item::Trouble`], and problems that hide no others, in order.
    pub(super) troubles: Vec<(Problem, Vec<Kind>)>,
    /// Why the file holds no manifests.
    pub(super) no_manifests: Option<Problem>,
    /// How many objects of which other kinds it holds.
    pub(super) skipped: BTreeMap<String, usize>,
    /// How many documents that are no objects.
    pub(super) others: usize,
    /// Of which kinds it says that there are no objects besides those that are there.
    pub(super) complete: Vec<Kind>,
    /// Kinds of which objects may be missing, with the reasons.
    pub(super) incomplete: Vec<(Kind, String)>,
    /// Objects of which nothing but their names is of interest.
    pub(super) named: Vec<(ObjectKey, Named)>,
    /// Whether there may be others of these in it, in a document that is none of our business.
    pub(super) hides_names: bool,
}

impl Remarks {
    /// Whether there may be other objects of which nothing but their names is of interest.
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
    /// What a file says that holds these bytes; objects that are `wanted` are kept whole.
    pub(super) fn of(path: &Path, bytes: Vec<u8>, wanted: &Wanted) -> Self {
        let mut content = Self::default();
        match files::text(path, bytes) {
            Ok(text) => content.text(path, &text, wanted),
            Err((problem, legible)) => content.no_manifests(problem, "", &legible),
        }
        content
    }

    /// Something that nobody can look into: it may hold anything.
    pub(super) fn closed(problem: Problem) -> Self {
        let mut content = Self::default();
        content.trouble(problem, kept().collect());
        content
    }

    fn text(&mut self, path: &Path, text: &str, wanted: &Wanted) {
        // A Secret with a key twice is none of our business, and must not hide what stands beside it.
        match source::parse_keeping_repeated(text) {
            Ok(documents) => {
                let mut file = File {
                    path,
                    wanted,
                    content: self,
                };
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
                let remedy = match text.contains("{{") {
                    true => "; render the template, or name it in .garden-gate-ignore",
                    false => "; repair the file, or name it in .garden-gate-ignore",
                };
                self.no_manifests(Problem::at(path, error), remedy, text);
            }
        }
    }

    /// Leaves out a file that is no text or no YAML: harmless if no object of a garden can stand in it.
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

/// A file whose documents are gone through.
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
            Hidden::Kinds(kinds) => self.content.trouble(problem, kinds),
            Hidden::Object(key) => self.object(document, key, Err(problem)),
        }
    }

    fn any(
        &mut self,
        document: &Document,
        inherited: Option<&Identity>,
    ) -> Result<(), (SourceError, Hidden)> {
        let (kind, api_version) = match identify(document, inherited)? {
            Identified::List(item) => return self.list(document, item.as_ref()),
            Identified::OfGarden(kind, api_version) => (kind, api_version),
            Identified::Named(kind) => {
                self.named(kind, document);
                return Ok(());
            }
            Identified::Dump => {
                let record: DumpRecord = document
                    .decode()
                    .map_err(|error| (error, Hidden::Kinds(kept().collect())))?;
                self.content.remarks.incomplete.extend(record.gaps());
                return Ok(());
            }
            Identified::Other(kind) => {
                self.content.skip(kind);
                return Ok(());
            }
            Identified::Nothing => {
                self.content.remarks.others += 1;
                return Ok(());
            }
        };
        let key = name(document, kind)?;
        match kept_of(document, kind, &api_version) {
            Ok(read) => self.object(document, key, Ok(read)),
            Err(error) => return Err((error, Hidden::Object(key))),
        }
        Ok(())
    }

    /// Whatever else is wrong with the object is none of our business.
    fn named(&mut self, kind: Kind, document: &Document) {
        let remarks = &mut self.content.remarks;
        match name(document, kind) {
            Ok(key) => {
                let named = Named {
                    has_kubeconfig: has_kubeconfig(document),
                    is_issuer: kind == Kind::Secret && is_issuer(document),
                };
                remarks.named.push((key, named));
                self.content.weight += OTHER;
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
        let whole = self.wanted.contains(&key) && read.is_ok();
        self.content.items.push(Item::Object(Box::new(Object {
            position: document.position("/metadata/name"),
            hash: digest.hash,
            whole: whole.then(|| document.to_value()),
            key,
            read,
        })));
    }

    /// Adds the items of a list. One of a certain kind says, if it is empty, that there are none.
    fn list(
        &mut self,
        document: &Document,
        item: Option<&Identity>,
    ) -> Result<(), (SourceError, Hidden)> {
        let part = document.part("/items");
        let items = part.as_ref().and_then(Document::items);
        let is_absent = part.is_none_or(|part| part.to_value().is_null());
        let items = match items {
            Some(items) => items,
            None if is_absent => Vec::new(),
            None => {
                let error = SourceError {
                    position: document.position("/items"),
                    message: "`items` is not a list".to_owned(),
                };
                return match mentioned(&document.to_value().to_string()) {
                    kinds if kinds.is_empty() => {
                        self.content.remarks.others += 1;
                        Ok(())
                    }
                    kinds => Err((error, Hidden::Kinds(kinds))),
                };
            }
        };
        let token = document.text("/metadata/continue");
        let has_more = token.is_some_and(|it| !it.is_empty());
        let remarks = &mut self.content.remarks;
        match item.and_then(Identity::kind) {
            Some(kind) if has_more => {
                let why = format!(
                    "the list in `{}` is one of several pages",
                    self.path.display()
                );
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

/// Whether a text that is no manifest may have been one of an object of which the name is of interest.
fn may_name(text: &str) -> bool {
    let mut kinds = Kind::ALL.iter().filter(|kind| is_named(**kind));
    text.contains('\0') || kinds.any(|kind| text.contains(kind.as_str()))
}

/// Whether of most objects of a kind nothing but their names is of interest.
pub(super) fn is_named(kind: Kind) -> bool {
    matches!(kind.known(), Known::Labelled { .. })
}

/// Whether a Secret has something under the name `kubeconfig`; `None` if it has nothing at all, as if that had been left out.
fn has_kubeconfig(secret: &Document) -> Option<bool> {
    let parts = ["/data", "/stringData"].map(|pointer| secret.part(pointer));
    let mut parts = parts.into_iter().flatten().peekable();
    parts.peek()?;
    Some(parts.any(|it| it.part("/kubeconfig").is_some()))
}

fn is_issuer(secret: &Document) -> bool {
    let (label, value) = Named::ISSUER;
    let found = secret.text(&format!("/metadata/labels/{}", escape_step(label)));
    found.as_deref() == Some(value)
}

/// What is kept of an object of a garden, if anything is.
fn kept_of(
    document: &Document,
    kind: Kind,
    api_version: &str,
) -> Result<Option<GardenObject>, SourceError> {
    document.check_keys()?;
    check_version(document, kind, api_version)?;
    if kind == Kind::Shoot {
        // Less is kept of Shoots than what their manifests should be right in.
        let shoot: Shoot = document.decode()?;
        return Ok(Some(GardenObject::Shoot(Box::new((&shoot).into()))));
    }
    read(kind, document)
}

/// Fails where an object of a garden is written in another version than the one that we read.
fn check_version(document: &Document, kind: Kind, api_version: &str) -> Result<(), SourceError> {
    let (_, version) = group_and_version(api_version);
    if kind.api().1 == version {
        return Ok(());
    }
    let served = kind.api_version();
    let message = format!("`{api_version}` of {kind} is not known; write it as `{served}`");
    let position = document.position("/apiVersion");
    Err(SourceError { position, message })
}
