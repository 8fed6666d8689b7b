use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::error::Place;
use super::{DirectoryError, LoadedGarden, Problem};
use crate::compat::escape_step;
use crate::garden::read::read;
use crate::garden::{Knowledge, ObjectKey, Snapshot};
use crate::model::{Kind, Known, Shoot};
use crate::source::{self, Document, Position, SourceError};

/// The garden as far as it was read, and everything that is wrong with it.
pub(super) struct Manifests {
    snapshot: Snapshot,
    skipped: BTreeMap<String, usize>,
    wanted: HashSet<ObjectKey>,
    kept: HashMap<ObjectKey, Value>,
    seen: HashMap<ObjectKey, (Arc<Path>, Position)>,
    problems: Vec<Problem>,
}

/// What an item of a typed list, say a ShootList, leaves unsaid.
struct Inherited {
    api_version: String,
    kind: String,
}

impl Manifests {
    /// Nothing yet; objects that are `wanted` will be kept whole.
    pub(super) fn keeping(wanted: HashSet<ObjectKey>) -> Self {
        Self {
            snapshot: Snapshot::new(Knowledge::Everything),
            skipped: BTreeMap::new(),
            wanted,
            kept: HashMap::new(),
            seen: HashMap::new(),
            problems: Vec::new(),
        }
    }

    /// Adds what a file holds.
    pub(super) fn file(&mut self, path: &Path, text: Result<String, Problem>) {
        let parsed =
            text.and_then(|text| source::parse(&text).map_err(|error| Problem::at(path, error)));
        match parsed {
            Ok(documents) => {
                let path: Arc<Path> = path.into();
                for document in documents {
                    self.document(&path, &document, None);
                }
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub(super) fn finish(self, dir: &Path) -> Result<LoadedGarden, DirectoryError> {
        if self.problems.is_empty() {
            return Ok(LoadedGarden {
                snapshot: self.snapshot,
                skipped: self.skipped,
                files: 0,
                kept: self.kept,
            });
        }
        Err(DirectoryError::Problems {
            dir: PathBuf::from(dir),
            problems: self.problems,
        })
    }

    fn document(&mut self, path: &Arc<Path>, document: &Document, inherited: Option<&Inherited>) {
        if let Err(error) = self.object(path, document, inherited) {
            self.problems.push(Problem::at(path, error));
        }
    }

    fn object(
        &mut self,
        path: &Arc<Path>,
        document: &Document,
        inherited: Option<&Inherited>,
    ) -> Result<(), SourceError> {
        let kind = required(document, "kind", inherited.map(|inherited| &inherited.kind))?;
        let api_version = required(
            document,
            "apiVersion",
            inherited.map(|inherited| &inherited.api_version),
        )?;
        if let Some(item_kind) = kind.strip_suffix("List")
            && self.list(path, document, &api_version, item_kind)?
        {
            return Ok(());
        }
        let Some(known) = known(document, &api_version, &kind)? else {
            *self.skipped.entry(kind).or_default() += 1;
            return Ok(());
        };
        let key = key(document, known)?;
        self.refuse_duplicate(path, document, &key)?;
        if known == Kind::Shoot {
            // Less is kept of Shoots than what their manifests should be right in.
            document.decode::<Shoot>()?;
        }
        if self.wanted.contains(&key) {
            self.kept.insert(key, document.to_value());
        }
        if let Some(object) = read(known, document)? {
            self.snapshot.apply(object);
        }
        Ok(())
    }

    /// Adds the items of a list; whether it is one.
    fn list(
        &mut self,
        path: &Arc<Path>,
        document: &Document,
        api_version: &str,
        item_kind: &str,
    ) -> Result<bool, SourceError> {
        let generic = item_kind.is_empty();
        let items = document.part("/items");
        let Some(items) = items.as_ref().and_then(Document::items) else {
            let absent = items.is_none_or(|items| items.to_value().is_null());
            if generic && !absent {
                return Err(SourceError {
                    position: document.position("/items"),
                    message: "`items` is not a list".to_owned(),
                });
            }
            return Ok(generic);
        };
        let inherited = Inherited {
            api_version: api_version.to_owned(),
            kind: item_kind.to_owned(),
        };
        for item in &items {
            self.document(path, item, (!generic).then_some(&inherited));
        }
        Ok(true)
    }

    fn refuse_duplicate(
        &mut self,
        path: &Arc<Path>,
        document: &Document,
        key: &ObjectKey,
    ) -> Result<(), SourceError> {
        let position = document.position("/metadata/name");
        let Some((file, first)) = self.seen.get(key) else {
            self.seen.insert(key.clone(), (path.clone(), position));
            return Ok(());
        };
        let first = Place {
            file,
            position: Some(*first),
        };
        let message = format!("{key} is there twice, first at {first}; remove one");
        Err(SourceError { position, message })
    }
}

/// The kind of an object; `None` if it is not part of a garden.
fn known(document: &Document, api_version: &str, kind: &str) -> Result<Option<Kind>, SourceError> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let known = Kind::of_manifest(group, kind);
    let Some(known) = known.filter(|known| is_of_interest(*known, document)) else {
        return Ok(None);
    };
    let served = known.api().1;
    if served != version {
        let separator = if group.is_empty() { "" } else { "/" };
        let message = format!(
            "`{api_version}` of {kind} is not known; write it as `{group}{separator}{served}`"
        );
        return Err(SourceError {
            position: document.position("/apiVersion"),
            message,
        });
    }
    Ok(Some(known))
}

fn is_of_interest(kind: Kind, document: &Document) -> bool {
    match kind.known() {
        Known::Never => false,
        Known::Labelled { label, .. } => {
            let (label, value) = (escape_step(label.0), label.1);
            let found = document.text(&format!("/metadata/labels/{label}"));
            found.as_deref() == Some(value)
        }
        _ => true,
    }
}

fn key(document: &Document, kind: Kind) -> Result<ObjectKey, SourceError> {
    let name = required(document, "metadata.name", None)?;
    let namespace = match kind.is_namespaced() {
        true => required(document, "metadata.namespace", None)?,
        false => String::new(),
    };
    Ok(ObjectKey::new(kind, namespace, name))
}

/// The text of a field that every object must have.
fn required(
    document: &Document,
    field: &str,
    inherited: Option<&String>,
) -> Result<String, SourceError> {
    let pointer = format!("/{}", field.replace('.', "/"));
    let message = match document.part(&pointer).map(|part| part.to_value()) {
        Some(Value::String(text)) if !text.is_empty() => return Ok(text),
        None | Some(Value::Null | Value::String(_)) => match inherited {
            Some(inherited) => return Ok(inherited.clone()),
            None if document.is_mapping() => format!("`{field}` is missing"),
            None => "this is no object; every document needs `apiVersion`, `kind` and `metadata`"
                .to_owned(),
        },
        Some(_) => format!("`{field}` is not a text; put it in quotes"),
    };
    Err(SourceError {
        position: document.position(&pointer),
        message,
    })
}
