// SPDX-License-Identifier: Apache-2.0
use garden_gate_cel::{Made, Schema};
use garden_gate_model::api::{GardenerVersion, Object, Removed, Shape};

/// The fields of the API, for expressions.
#[derive(Clone, Copy, Debug)]
pub struct KnownShape {
    shape: Shape,
    /// The version whose fields count; all fields count without one.
    version: Option<GardenerVersion>,
}

impl KnownShape {
    /// Returns the schema of an object with the fields of all versions.
    pub fn of(object: &'static Object) -> Self {
        Self { shape: Shape::Object(object), version: None }
    }

    /// Returns the schema of an object in a version of Gardener.
    pub fn in_version(object: &'static Object, version: GardenerVersion) -> Self {
        Self { shape: Shape::Object(object), version: Some(version) }
    }

    /// Returns the shape of a value.
    pub(super) fn shape(self) -> Shape {
        self.shape
    }

    fn with(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }
}

impl Schema for KnownShape {
    fn made(self) -> Made<Self> {
        match self.shape {
            Shape::Any => Made::Any,
            Shape::Object(_) => Made::Object,
            Shape::Map(inner) => Made::Map(self.with(*inner)),
            Shape::List(inner, _) => Made::List(self.with(*inner)),
            Shape::Number => Made::Number,
            _ => Made::Other,
        }
    }

    fn field(self, name: &str) -> Option<Self> {
        let Shape::Object(object) = self.shape else {
            return None;
        };
        let shape = match self.version {
            None => object.field(name).map(|it| it.shape),
            Some(version) => {
                let field = object.fields_in(version).find(|it| it.name == name);
                let removed = || Removed::had(object, name, version).map(|(_, shape)| shape);
                field.map(|it| it.shape).or_else(removed)
            }
        };
        shape.map(|it| self.with(it))
    }

    fn field_names(self) -> Vec<&'static str> {
        match (self.shape, self.version) {
            (Shape::Object(object), Some(version)) => {
                object.fields_in(version).map(|it| it.name).collect()
            }
            (Shape::Object(object), None) => object.fields.iter().map(|it| it.name).collect(),
            _ => Vec::new(),
        }
    }
}
