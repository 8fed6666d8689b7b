// SPDX-License-Identifier: Apache-2.0
//! Objects of any kind in a garden directory, as in its files.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::garden::RawObject;
use garden_gate_model::api::ParamKind;
use garden_gate_text::yaml::{self, Document, SourceError};

/// Maximum size of all objects that are kept, in bytes of their JSON.
const MOST: usize = 64 << 20;

/// The objects of some kinds in a garden directory.
#[derive(Debug, Default)]
pub struct RawObjects {
    /// The objects in the order of their files.
    pub objects: Vec<RawObject>,
    /// The reason why there may be others; `None` if there are none.
    pub gap: Option<String>,
    bytes: usize,
}

impl RawObjects {
    /// Adds the objects of a file, or the reason why they are unknown.
    pub fn add(&mut self, read: Result<Vec<RawObject>, String>) {
        match read {
            Ok(objects) => {
                self.bytes += objects.iter().map(RawObject::size).sum::<usize>();
                self.objects.extend(objects);
            }
            Err(why) => self.gap = Some(why),
        }
    }

    /// Reports whether the objects of a directory are too many, so that no more may be added.
    pub fn is_full(&mut self, directory: &str) -> bool {
        let is_full = self.bytes > MOST;
        if is_full {
            let megabytes = MOST >> 20;
            let why = format!("`{directory}` has more than {megabytes} MiB of possible parameters");
            self.gap = Some(why);
        }
        is_full
    }
}

/// Returns the objects of some kinds, in any version, in a text.
///
/// Only a text that contains the name of a kind is parsed.
///
/// # Errors
/// Fails if the text is parsed and not valid.
pub fn raw_objects(text: &str, kinds: &BTreeSet<ParamKind>) -> Result<Vec<RawObject>, SourceError> {
    let names: BTreeSet<&str> = kinds.iter().map(|it| it.kind.as_str()).collect();
    if !names.iter().any(|name| text.contains(name)) {
        return Ok(Vec::new());
    }
    let documents = yaml::parse_keeping_repeated(text)?;
    let objects = documents.iter().flat_map(|it| objects_in(it, &names));
    Ok(objects.collect())
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
