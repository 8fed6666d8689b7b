use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Json;

/// JSON to which defaults are added: unparsed text, or a tree.
pub trait Tree: Sized {
    /// Reports whether the value is `null`.
    fn is_nothing(&self) -> bool;

    /// Returns the field of that name, if this is an object that has it.
    fn field(&mut self, name: &str) -> Option<&mut Self>;

    /// Returns the field of that name, which is created as `null` if necessary; `None` for other values.
    fn entry(&mut self, name: &str) -> Option<&mut Self>;

    /// Returns the elements of a list; none for other values.
    fn items(&mut self) -> &mut [Self];

    /// Replaces the value.
    fn put(&mut self, value: &Value);

    /// Decodes the value as a `T`.
    ///
    /// # Errors
    /// Fails if the value is no `T`, or is already parsed.
    fn meaning<T: DeserializeOwned>(&self) -> serde_json::Result<T>;

    /// Returns the value at a path of field names, if it exists.
    fn find(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |part, name| part.field(name))
    }

    /// Sets a field, unless this is no object or the field has a value.
    fn fill(&mut self, name: &str, value: &Value) {
        if let Some(field) = self.entry(name).filter(|field| field.is_nothing()) {
            field.put(value);
        }
    }

    /// Adds missing values; existing objects are completed, and other existing values stay.
    fn complete(&mut self, default: &Value) {
        if self.is_nothing() {
            return self.put(default);
        }
        let Value::Object(defaults) = default else {
            return;
        };
        for (name, default) in defaults {
            // An existing field needs no copy of its name.
            if let Some(field) = self.field(name) {
                field.complete(default);
            } else if let Some(field) = self.entry(name) {
                field.put(default);
            }
        }
    }
}

impl Tree for Json<'_> {
    fn is_nothing(&self) -> bool {
        self.is_null()
    }

    fn field(&mut self, name: &str) -> Option<&mut Self> {
        self.fields()?.get_mut(name)
    }

    fn entry(&mut self, name: &str) -> Option<&mut Self> {
        Some(self.fields()?.entry(name))
    }

    fn items(&mut self) -> &mut [Self] {
        self.elements().map_or(&mut [], Vec::as_mut_slice)
    }

    fn put(&mut self, value: &Value) {
        *self = Json::of(value);
    }

    fn meaning<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        self.read()
    }
}

impl Tree for Value {
    fn is_nothing(&self) -> bool {
        self.is_null()
    }

    fn field(&mut self, name: &str) -> Option<&mut Self> {
        self.get_mut(name)
    }

    fn entry(&mut self, name: &str) -> Option<&mut Self> {
        Some(self.as_object_mut()?.entry(name).or_insert(Value::Null))
    }

    fn items(&mut self) -> &mut [Self] {
        self.as_array_mut().map_or(&mut [], Vec::as_mut_slice)
    }

    fn put(&mut self, value: &Value) {
        value.clone_into(self);
    }

    fn meaning<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(self)
    }
}
