// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::table::for_each_kind;
use super::{Compressed, Kind, ObjectKey};
use crate::api::{
    AdmissionPolicy, AdmissionPolicyBinding, BackupBucket, BackupEntry, CloudProfile,
    ControllerDeployment, ControllerRegistration, CredentialsBinding, DomainSecret, ExposureClass,
    ManagedSeed, MutatingPolicy, MutatingPolicyBinding, Named, NamespacedCloudProfile, Project,
    Quota, RegionConfig, ResourceQuota, Role, RoleBinding, SecretBinding, Seed, ShootUse,
    WebhookConfiguration, WorkloadIdentity,
};
use garden_gate_text::yaml::{Document, SourceError};

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
        garden_gate_text::json::decode(self)
    }
}

/// A document of YAML or JSON.
impl Form for Document {
    type Error = SourceError;

    fn decode<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        Document::decode(self)
    }
}

macro_rules! declare_objects {
    ($(
        $(#[$_doc:meta])*
        $kind:ident $(($model:ident))? $([$shared:ident])? { $($_columns:tt)+ }
    )+) => {
        /// The model of an object of the garden, as its source returns it.
        #[derive(Clone, Debug)]
        pub enum GardenObject {
            /// The parts of a Shoot that rules look up: there are too many Shoots to keep more.
            Shoot(Box<ShootUse>),
            /// An object that cannot be decoded, with the error.
            Unreadable(ObjectKey, String),
            /// A large object, compressed; it can be decoded.
            Compressed(Arc<Compressed>),
            $(
                $(#[doc = concat!("A ", stringify!($kind), ", defaulted.")] $kind(Arc<$model>),)?
                $(#[doc = concat!("A ", stringify!($kind), ".")] $kind(Arc<$shared>),)?
            )+
        }

        impl GardenObject {
            /// Decodes a stored object; returns `None` if objects of the kind are not kept.
            ///
            /// # Errors
            /// Returns the error if the object does not match the schema of its kind.
            pub fn read<F: Form + ?Sized>(kind: Kind, form: &F) -> Result<Option<Self>, F::Error> {
                Ok(Some(match kind {
                    Kind::Shoot => Self::of_shoot(form.decode()?, form)?,
                    $(
                        $(Kind::$kind => Self::$kind(Arc::new(form.decode::<$model>()?)),)?
                        $(Kind::$kind => Self::$kind(Arc::new(form.decode::<$shared>()?)),)?
                    )+
                    _ => return Ok(None),
                }))
            }

            /// Adds the settings on which a Seed in a Shoot depends; few Shoots can become one.
            ///
            /// # Errors
            /// Returns the error if a setting has another type.
            pub fn of_shoot<F: Form + ?Sized>(
                mut shoot: Box<ShootUse>,
                form: &F,
            ) -> Result<Self, F::Error> {
                if let Some(base) = shoot.seed_base.as_deref_mut() {
                    base.settings = form.decode()?;
                }
                Ok(Self::Shoot(shoot))
            }

            /// Returns the key of the object.
            pub fn key(&self) -> ObjectKey {
                let (kind, metadata) = match self {
                    Self::Shoot(shoot) => return ObjectKey::of_shoot(&shoot.name),
                    Self::Unreadable(key, _) => return key.clone(),
                    Self::Compressed(object) => return object.key().clone(),
                    $(
                        $(Self::$kind(object) => { let _: &$model = object; (Kind::$kind, &object.metadata) })?
                        $(Self::$kind(object) => { let _: &$shared = object; (Kind::$kind, &object.metadata) })?
                    )+
                };
                ObjectKey::of_object(kind, metadata)
            }
        }

        $($(
            impl SnapshotObject for $model {
                const KIND: Kind = Kind::$kind;

                fn of(object: &GardenObject) -> Option<&Arc<Self>> {
                    match object {
                        GardenObject::$kind(object) => Some(object),
                        _ => None,
                    }
                }
            }

            impl From<$model> for GardenObject {
                fn from(object: $model) -> Self {
                    Self::$kind(Arc::new(object))
                }
            }
        )?)+
    };
}

for_each_kind!(declare_objects);
