// SPDX-License-Identifier: Apache-2.0
//! The objects of the API server with their history, like etcd: one revision counter for all of them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use tokio::time::Instant;

use garden_gate_core::garden::{GardenObject, read};
use garden_gate_model::api::{Kind, ObjectKey};
use garden_gate_text::json::without_position;

/// One version of an object.
pub(super) struct Version {
    pub(super) value: Value,
    pub(super) json: String,
    parsed: OnceLock<GardenObject>,
}

/// One write of an object; `after` is `None` for a deletion.
#[derive(Clone)]
pub(super) struct Write {
    pub(super) revision: u64,
    pub(super) time: Instant,
    pub(super) key: ObjectKey,
    pub(super) before: Option<Arc<Version>>,
    pub(super) after: Option<Arc<Version>>,
}

type History = Vec<(u64, Option<Arc<Version>>)>;

pub(super) struct Store {
    revision: u64,
    /// The revision up to which watches and continue tokens have expired.
    compacted: u64,
    log: Vec<Write>,
    histories: BTreeMap<ObjectKey, History>,
}

impl Version {
    fn new(value: Value) -> Self {
        Self { json: value.to_string(), value, parsed: OnceLock::new() }
    }

    /// Returns the object as a garden stores it, read without the code of watches.
    pub(super) fn object(&self, key: &ObjectKey) -> GardenObject {
        let read = || match read(key.kind, self.json.as_str()) {
            Ok(Some(object)) => object,
            Ok(None) => GardenObject::Unreadable(key.clone(), "not kept".to_owned()),
            Err(error) => GardenObject::Unreadable(key.clone(), without_position(&error)),
        };
        self.parsed.get_or_init(read).clone()
    }

    pub(super) fn field(&self, pointer: &str) -> &str {
        let field = self.value.pointer(pointer).and_then(Value::as_str);
        field.unwrap_or_default()
    }

    pub(super) fn has_label(&self, name: &str, value: &str) -> bool {
        self.value["metadata"]["labels"][name] == value
    }

    /// Returns the object without `spec`, `data` and `status`.
    pub(super) fn metadata(&self) -> String {
        json!({"metadata": self.value["metadata"]}).to_string()
    }
}

impl Store {
    pub(super) fn new() -> Self {
        Self { revision: 100, compacted: 0, log: Vec::new(), histories: BTreeMap::new() }
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn compacted(&self) -> u64 {
        self.compacted
    }

    /// Creates or replaces an object, and returns the new revision.
    pub(super) fn put(&mut self, key: ObjectKey, mut value: Value) -> u64 {
        let revision = self.revision + 1;
        value["metadata"]["name"] = json!(key.name);
        if !key.namespace.is_empty() {
            value["metadata"]["namespace"] = json!(key.namespace);
        }
        value["metadata"]["resourceVersion"] = json!(revision.to_string());
        self.write(key, Some(Arc::new(Version::new(value))));
        revision
    }

    /// Deletes an object; returns `false` if there is none.
    pub(super) fn delete(&mut self, key: &ObjectKey) -> bool {
        let exists = self.get(key).is_some();
        if exists {
            self.write(key.clone(), None);
        }
        exists
    }

    fn write(&mut self, key: ObjectKey, after: Option<Arc<Version>>) {
        self.revision += 1;
        let (revision, before) = (self.revision, self.get(&key).cloned());
        let history = self.histories.entry(key.clone()).or_default();
        history.push((revision, after.clone()));
        self.log.push(Write { revision, time: Instant::now(), key, before, after });
    }

    /// Forgets all versions that were replaced before the current revision.
    pub(super) fn compact(&mut self) {
        self.compacted = self.revision;
    }

    /// Drops compacted writes and versions, so that a long run does not need more and more memory.
    pub(super) fn drop_compacted(&mut self) {
        let compacted = self.compacted;
        self.log.retain(|write| write.revision > compacted);
        for history in self.histories.values_mut() {
            let current = history.partition_point(|(revision, _)| *revision <= compacted);
            history.drain(..current.saturating_sub(1));
        }
        self.histories.retain(|_, history| history.iter().any(|(_, version)| version.is_some()));
    }

    pub(super) fn get(&self, key: &ObjectKey) -> Option<&Arc<Version>> {
        self.histories.get(key)?.last()?.1.as_ref()
    }

    /// Returns the objects of a kind in `namespace` (empty for all) at a revision, by key.
    pub(super) fn list<'a>(
        &'a self,
        kind: Kind,
        namespace: &'a str,
        revision: u64,
    ) -> impl Iterator<Item = (&'a ObjectKey, &'a Arc<Version>)> {
        let of_kind = self
            .histories
            .range(ObjectKey::new(kind, "", "")..)
            .take_while(move |(key, _)| key.kind == kind);
        let of_namespace =
            of_kind.filter(move |(key, _)| namespace.is_empty() || key.namespace == namespace);
        of_namespace.filter_map(move |(key, history)| {
            let until = history.partition_point(|(written, _)| *written <= revision);
            let (_, version) = history.get(until.checked_sub(1)?)?;
            Some((key, version.as_ref()?))
        })
    }

    /// Returns the first write of a kind after a revision, of an object with this name if it is given.
    pub(super) fn next_write(
        &self,
        kind: Kind,
        name: Option<&str>,
        revision: u64,
    ) -> Option<&Write> {
        let start = self.log.partition_point(|it| it.revision <= revision);
        let is_named = |key: &ObjectKey| name.is_none_or(|name| key.name == name);
        let mut writes = self.log[start..].iter();
        writes.find(|write| write.key.kind == kind && is_named(&write.key))
    }

    /// Returns the revision of the last write of a kind.
    pub(super) fn last_write(&self, kind: Kind) -> Option<u64> {
        let last = self.log.iter().rev().find(|write| write.key.kind == kind);
        last.map(|write| write.revision)
    }

    /// Returns the revisions after `first` and until `last` at which a kind changed, with `first` itself.
    pub(super) fn revisions(&self, kind: Kind, first: u64, last: u64) -> Vec<u64> {
        let start = self.log.partition_point(|it| it.revision <= first);
        let writes = self.log[start..]
            .iter()
            .take_while(|write| write.revision <= last)
            .filter(|write| write.key.kind == kind);
        std::iter::once(first).chain(writes.map(|write| write.revision)).collect()
    }
}
