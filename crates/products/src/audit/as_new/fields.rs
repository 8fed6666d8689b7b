// SPDX-License-Identifier: Apache-2.0
//! Objects whose fields keep their JSON text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// The fields of an object in their order, with duplicates; unchanged values are borrowed.
#[derive(Debug)]
pub(super) struct Fields<'a>(Vec<(String, Cow<'a, RawValue>)>);

impl Fields<'_> {
    /// Returns an object with changed fields; `None` if the text is no object.
    pub(super) fn changed(
        object: &RawValue,
        change: impl FnOnce(&mut Fields<'_>),
    ) -> Option<Box<RawValue>> {
        let mut fields: Fields<'_> = serde_json::from_str(object.get()).ok()?;
        change(&mut fields);
        to_raw_value(&fields).ok()
    }

    /// Returns the value of a field; of duplicates, the last one counts.
    pub(super) fn get(&self, name: &str) -> Option<&RawValue> {
        let mut fields = self.0.iter().rev();
        fields.find_map(|(field, value)| (field == name).then_some(&**value))
    }

    /// Decodes the value of a field; `None` if that fails.
    pub(super) fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    /// Removes all other fields.
    pub(super) fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| keeps(name));
    }

    /// Changes the fields of the objects in a field.
    pub(super) fn change(&mut self, name: &str, mut change: impl FnMut(&mut Fields<'_>)) {
        for (field, value) in &mut self.0 {
            if field == name
                && let Some(changed) = Self::changed(value, &mut change)
            {
                *value = Cow::Owned(changed);
            }
        }
    }
}

/// Removes elements of a list in a field, and returns the indexes of the others; `None` if all stay.
///
/// Elements of another type stay.
pub(super) fn change_list<T: DeserializeOwned>(
    object: &mut Fields<'_>,
    name: &str,
    keeps: impl Fn(&T) -> bool,
) -> Option<Vec<usize>> {
    let list = object.get(name)?.to_owned();
    let list: Vec<&RawValue> = serde_json::from_str(list.get()).ok()?;
    let is_kept = |it: &RawValue| serde_json::from_str(it.get()).map_or(true, |it| keeps(&it));
    let kept: Vec<usize> = (0..list.len()).filter(|index| is_kept(list[*index])).collect();
    if kept.len() == list.len() {
        return None;
    }
    let others: Vec<&RawValue> = kept.iter().map(|index| list[*index]).collect();
    let others = to_raw_value(&others).ok()?;
    for (_, value) in object.0.iter_mut().filter(|(field, _)| field == name) {
        *value = Cow::Owned(others.clone());
    }
    Some(kept)
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    fields.push((name, Cow::Borrowed(value)));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
