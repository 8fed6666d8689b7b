use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{GardenObject, Kind};

/// What is kept of the objects of one kind, so that they can be looked up by their type.
pub trait Kept: Send + Sized + Sync + 'static {
    /// The kind.
    const KIND: Kind;

    /// What is kept of an object, if it is one of [`Self::KIND`].
    fn of(object: &GardenObject) -> Option<&Arc<Self>>;
}

/// Something that an object is written in.
pub trait Form {
    /// What does not have the shape that it should have, and where.
    type Error;

    /// The object as a `T`.
    ///
    /// # Errors
    /// When it does not have the shape of `T`.
    fn decode<T: DeserializeOwned>(&self) -> Result<T, Self::Error>;
}

/// JSON.
impl Form for str {
    type Error = serde_json::Error;

    fn decode<T: DeserializeOwned>(&self) -> Result<T, Self::Error> {
        serde_json::from_str(self)
    }
}
