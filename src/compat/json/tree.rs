use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Json;

/// JSON that is completed where it stands: as text, or as a tree of it.
pub trait Tree: Sized {
    /// Whether this is `null`.
    fn is_nothing(&self) -> bool;

    /// The field of that name, if this is an object that has it.
    fn field(&mut self, name: &str) -> Option<&mut Self>;

    /// The field of that name, `null` if it was not there; `None` if this is no object.
    fn entry(&mut self, name: &str) -> Option<&mut Self>;

    /// The elements; none if this is no list.
    fn items(&mut self) -> &mut [Self];

    /// Puts a value of ours in the place of what is there.
    fn put(&mut self, value: &Value);

    /// What it means as a `T`.
    ///
    /// # Errors
    /// When it means no `T`. Text that was looked into is none, either: read it before.
    fn meaning<T: DeserializeOwned>(&self) -> serde_json::Result<T>;

    /// What stands at a path of field names, if all of it is there.
    fn find(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |part, name| part.field(name))
    }

    /// Puts a field in, unless this is no object or has a value there.
    fn fill(&mut self, name: &str, value: &Value) {
        if let Some(field) = self.entry(name).filter(|field| field.is_nothing()) {
            field.put(value);
        }
    }

    /// Puts in what is absent; of what is there, objects are completed and the rest stays.
    fn complete(&mut self, default: &Value) {
        if self.is_nothing() {
            return self.put(default);
        }
        let Value::Object(defaults) = default else {
            return;
        };
        for (name, default) in defaults {
            // What is there needs no name of its own.
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
