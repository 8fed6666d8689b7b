use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{GardenObject, Kind};

/// The model of the objects of one kind, which can be looked up by its type.
pub trait SnapshotObject: Send + Sized + Sync + 'static {
    /// The kind.
    const KIND: Kind;

    /// Returns the model of an object, if it is one of [`Self::KIND`].
    fn of(object: &GardenObject) -> Option<&Arc<Self>>;
}

/// A serialized object that can be decoded.
pub trait Form {
    /// The decoding error.
    type Error;

    /// Decodes the object as a `T`.
    ///
    /// # Errors
    /// Returns the error if the object does not match the schema of `T`.
    fn decode<T: DeserializeOwned>(&self) -> Result<T, Self::Error>;
}

/// JSON.
impl Form for str {
    type Error = serde_json::Error;

    fn decode<T: DeserializeOwned>(&self) -> Result<T, Self::Error> {
        serde_json::from_str(self)
    }
}
