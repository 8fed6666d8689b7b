// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::Arc;

use super::object_names::{FileNames, KnownData, Named, NamedObject};
use super::{Knowledge, ObjectKey, Snapshot, Unknown};
use garden_gate_model::api::{ConfigMapData, GARDEN_NAMESPACE, Kind, Retrieval};

impl Snapshot {
    /// Looks up a referenced object by name.
    ///
    /// An object is not considered absent only because the garden was dumped without Secrets or ConfigMaps.
    ///
    /// # Errors
    /// Fails with the reason if its existence is unknown.
    pub fn named(&self, key: &ObjectKey) -> Result<Option<Named>, Unknown> {
        if let Some(answers) = self.names.answers.get(key) {
            return Ok(answers.clone()?.then(Named::default));
        }
        if let Some(named) = self.names.files.names.get(key) {
            return Ok(Some(*named));
        }
        if self.objects.contains_key(key) {
            return Ok(Some(Named::default()));
        }
        let is_missed = match key.kind.known() {
            Retrieval::Labelled { .. } => self.names.files.misses(key),
            // A watch may lag behind.
            _ if self.knowledge() == Knowledge::Watched => false,
            _ => self.absence_is_known_in(key.kind, &key.namespace) && self.knows_all(key.kind),
        };
        if is_missed { Ok(None) } else { Err(self.why_unnamed(key)) }
    }

    /// Returns the Secret for managed issuers of service-account tokens, if the landscape has one.
    ///
    /// # Errors
    /// Fails with the reason if its existence is unknown.
    pub fn issuer(&self) -> Result<Option<Named>, Unknown> {
        let anybody = ObjectKey::new(Kind::Secret, GARDEN_NAMESPACE, "");
        let files = &self.names.files;
        match files.beside(&anybody).find(|it| it.is_issuer) {
            Some(issuer) => Ok(Some(*issuer)),
            None if files.misses(&anybody) => Ok(None),
            None => Err(self.why_unnamed(&anybody)),
        }
    }

    fn why_unnamed(&self, key: &ObjectKey) -> Unknown {
        let doubt = self.names.files.doubt.clone();
        let gap = || self.gap(key.kind).map(str::to_owned);
        let why = doubt.or_else(gap).unwrap_or_else(|| {
            let place = match key.namespace.as_str() {
                "" => String::new(),
                namespace => format!(" of namespace `{namespace}`"),
            };
            format!("the garden tells of no {}{place}", key.kind)
        });
        Unknown::Reason(why)
    }

    /// Looks up the values of a ConfigMap that may configure the API server of a Shoot.
    ///
    /// # Errors
    /// Fails with the reason if its existence or its values are unknown.
    pub fn config_map_data(&self, key: &ObjectKey) -> Result<Option<Arc<ConfigMapData>>, Unknown> {
        let added = self.names.data.get(key);
        if let Some(known) = added.or_else(|| self.names.files.data.get(key)) {
            let differ = || Unknown::Reason(format!("the data of {key} is not known"));
            return known.clone().map(Some).ok_or_else(differ);
        }
        match self.named(key)? {
            None => Ok(None),
            Some(_) => Err(Unknown::Reason(format!("the garden has no data of {key}"))),
        }
    }

    /// Returns this garden with added objects of which only the names matter, or the values of ConfigMaps.
    ///
    /// Costs O(log n) for each. Values of copies that differ are unknown.
    pub fn with_named(&self, objects: impl IntoIterator<Item = NamedObject>) -> Self {
        let mut garden = self.clone();
        let mut data: BTreeMap<ObjectKey, KnownData> = BTreeMap::new();
        for NamedObject { key, data: own } in objects {
            garden.names.answers.insert(key.clone(), Ok(true));
            if key.kind == Kind::ConfigMap {
                let known = data.entry(key).or_insert_with(|| own.clone());
                if *known != own {
                    *known = None;
                }
            }
        }
        garden.names.data.extend(data);
        garden
    }

    /// Adds the values of a ConfigMap that was requested; `None` if it does not exist, `Err` is the reason why that is unknown.
    pub fn answer_config_map(
        &mut self,
        key: ObjectKey,
        answer: Result<Option<ConfigMapData>, String>,
    ) {
        let exists = answer.as_ref().map(Option::is_some);
        self.names.answers.insert(key.clone(), exists.map_err(Clone::clone));
        if let Ok(Some(data)) = answer {
            self.names.data.insert(key, Some(Arc::new(data)));
        }
    }

    /// Adds the result of looking up a referenced object; `Err` is the reason why it is unknown.
    pub fn answer_named(&mut self, key: ObjectKey, answer: Result<bool, String>) {
        self.names.answers.insert(key, answer);
    }

    /// Sets the names from files.
    pub fn file_names(&mut self, filed: FileNames) {
        self.names.files = Arc::new(filed);
    }
}
