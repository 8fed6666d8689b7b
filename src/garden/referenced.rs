use std::sync::Arc;

use super::object_names::{FileNames, Named};
use super::{Lookup, ObjectKey, Snapshot};
use crate::model::{GARDEN_NAMESPACE, Kind, Retrieval};

impl Snapshot {
    /// Looks up a referenced object by name.
    ///
    /// An object is not considered absent only because the garden was dumped without Secrets or ConfigMaps.
    #[must_use]
    pub fn named(&self, key: &ObjectKey) -> Lookup<Named> {
        if let Some(told) = self.names.told.get(key) {
            return match told {
                Ok(true) => Lookup::Found(Named::default()),
                Ok(false) => Lookup::Absent,
                Err(why) => Lookup::Unknown(why.clone()),
            };
        }
        if let Some(named) = self.names.files.names.get(key) {
            return Lookup::Found(*named);
        }
        if self.objects.contains_key(key) {
            return Lookup::Found(Named::default());
        }
        let is_missed = match key.kind.known() {
            Retrieval::Labelled { .. } => self.names.files.misses(key),
            _ => self.tells_of_in(key.kind, &key.namespace) && self.knows_all(key.kind),
        };
        match is_missed {
            true => Lookup::Absent,
            false => Lookup::Unknown(self.why_unnamed(key)),
        }
    }

    /// Returns the Secret for managed issuers of service-account tokens, if the landscape has one.
    #[must_use]
    pub fn issuer(&self) -> Lookup<Named> {
        let anybody = ObjectKey::new(Kind::Secret, GARDEN_NAMESPACE, "");
        let files = &self.names.files;
        match files.beside(&anybody).find(|it| it.is_issuer) {
            Some(issuer) => Lookup::Found(*issuer),
            None if files.misses(&anybody) => Lookup::Absent,
            None => Lookup::Unknown(self.why_unnamed(&anybody)),
        }
    }

    fn why_unnamed(&self, key: &ObjectKey) -> String {
        let doubt = self.names.files.doubt.clone();
        let gap = || self.gap(key.kind).map(str::to_owned);
        doubt.or_else(gap).unwrap_or_else(|| {
            format!(
                "the garden tells of no {} of namespace `{}`",
                key.kind, key.namespace
            )
        })
    }

    /// Returns this garden with added objects of which only the names matter.
    ///
    /// Costs O(log n) for each.
    #[must_use]
    pub fn with_named(&self, keys: impl IntoIterator<Item = ObjectKey>) -> Self {
        let mut garden = self.clone();
        let told = keys.into_iter().map(|key| (key, Ok(true)));
        garden.names.told.extend(told);
        garden
    }

    /// Adds the result of looking up a referenced object; `Err` is the reason why it is unknown.
    pub fn tell_named(&mut self, key: ObjectKey, answer: Result<bool, String>) {
        self.names.told.insert(key, answer);
    }

    /// Sets the names from files.
    pub(super) fn file_names(&mut self, filed: FileNames) {
        self.names.files = Arc::new(filed);
    }
}
