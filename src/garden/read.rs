use serde::de::DeserializeOwned;

use super::GardenObject;
use crate::defaults;
use crate::model::{Form, Kind};
use crate::source::{Document, SourceError};

impl Form for Document {
    type Error = SourceError;

    fn decode<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        Document::decode(self)
    }
}

/// Reads an object and defaults it; `None` if no object of the kind is ever kept.
///
/// # Errors
/// When it does not have the shape of its kind.
pub fn read<F: Form + ?Sized>(kind: Kind, form: &F) -> Result<Option<GardenObject>, F::Error> {
    let mut object = GardenObject::read(kind, form)?;
    if let Some(object) = &mut object {
        defaults::kept(object);
    }
    Ok(object)
}
