use serde::de::DeserializeOwned;

use super::GardenObject;
use crate::api::{Form, Kind};
use crate::gardener::defaults;
use crate::yaml::{Document, SourceError};

impl Form for Document {
    type Error = SourceError;

    fn decode<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        Document::decode(self)
    }
}

/// Parses an object and applies defaults; returns `None` if objects of the kind are not kept.
///
/// # Errors
/// Fails if the object does not match the schema of its kind.
pub fn read<F: Form + ?Sized>(kind: Kind, form: &F) -> Result<Option<GardenObject>, F::Error> {
    let mut object = GardenObject::read(kind, form)?;
    if let Some(object) = &mut object {
        defaults::kept(object);
    }
    Ok(object)
}
