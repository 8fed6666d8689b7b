//! Objects of any kind in a garden directory, as in its files.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;

use super::stored_objects;
use crate::files;
use garden_gate_core::garden::RawObject;
use garden_gate_model::api::ParamKind;
use garden_gate_text::yaml::{self, Document};

/// Number of files that are read as one batch.
const AT_ONCE: usize = 256;
/// Maximum size of all objects that are kept, in bytes of their JSON.
const MOST: usize = 64 << 20;

/// The objects of some kinds in a garden directory.
#[derive(Debug, Default)]
pub struct RawObjects {
    /// The objects in the order of their files.
    pub objects: Vec<RawObject>,
    /// The reason why there may be others; `None` if there are none.
    pub gap: Option<String>,
}

/// Returns the objects of some kinds, in any version, in the files of a directory.
///
/// Only files that contain the name of a kind are parsed.
pub fn raw_objects(directory: &Path, kinds: &BTreeSet<ParamKind>) -> RawObjects {
    let names: BTreeSet<&str> = kinds.iter().map(|it| it.kind.as_str()).collect();
    let mut found = RawObjects::default();
    if names.is_empty() {
        return found;
    }
    let (mut paths, mut bytes) = (stored_objects::files(directory).peekable(), 0);
    while paths.peek().is_some() {
        let some: Vec<_> = paths.by_ref().take(AT_ONCE).collect();
        let read = some.into_par_iter().map(|path| of_file(&path, &names));
        let read: Vec<Result<Vec<RawObject>, String>> = read.collect();
        for read in read {
            match read {
                Ok(objects) => {
                    bytes += objects.iter().map(RawObject::size).sum::<usize>();
                    found.objects.extend(objects);
                }
                Err(why) => found.gap = Some(why),
            }
        }
        if bytes > MOST {
            let megabytes = MOST >> 20;
            let why = format!(
                "`{}` has more than {megabytes} MiB of possible parameters",
                directory.display()
            );
            found.gap = Some(why);
            break;
        }
    }
    found
}

/// Returns the objects of a document whose kind has one of these names, also those in lists.
fn objects_in(document: &Document, names: &BTreeSet<&str>) -> Vec<RawObject> {
    let kind = document.text("/kind").unwrap_or_default();
    let items = document.items().or_else(|| {
        let is_list = kind.ends_with("List");
        document.part("/items").filter(|_| is_list)?.items()
    });
    match items {
        Some(items) => {
            let item_kind = kind.strip_suffix("List").unwrap_or_default();
            let api_version = document.text("/apiVersion").unwrap_or_default();
            let objects = items.iter().filter_map(|it| object(it, &api_version, item_kind, names));
            objects.collect()
        }
        None => object(document, "", "", names).into_iter().collect(),
    }
}

/// Returns an object, which may inherit `apiVersion` and `kind` from its list, if its kind has one of these names.
fn object(
    document: &Document,
    api_version: &str,
    kind: &str,
    names: &BTreeSet<&str>,
) -> Option<RawObject> {
    let own = document.text("/kind").filter(|it| !it.is_empty());
    let is_wanted = names.contains(own.as_deref().unwrap_or(kind));
    let mut value = is_wanted.then(|| document.to_value())?;
    if let Value::Object(fields) = &mut value {
        for (name, inherited) in [("apiVersion", api_version), ("kind", kind)] {
            fields.entry(name).or_insert_with(|| Value::from(inherited));
        }
    }
    RawObject::of(value)
}

fn of_file(path: &Path, names: &BTreeSet<&str>) -> Result<Vec<RawObject>, String> {
    // Loading the garden has reported what cannot be read.
    let unread = |why: &str| format!("`{}` cannot be read: {why}", path.display());
    let bytes = files::read(path).map_err(|problem| unread(&problem.message))?;
    let Ok(text) = files::text(path, bytes) else {
        return Ok(Vec::new());
    };
    if !names.iter().any(|name| text.contains(name)) {
        return Ok(Vec::new());
    }
    let documents = yaml::parse_keeping_repeated(&text).map_err(|error| unread(&error.message))?;
    let objects = documents.iter().flat_map(|it| objects_in(it, names));
    Ok(objects.collect())
}
