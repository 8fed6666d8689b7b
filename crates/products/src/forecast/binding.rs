// SPDX-License-Identifier: Apache-2.0
//! The step of maintenance that replaces a SecretBinding by a CredentialsBinding.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use garden_gate_core::garden::{GardenObject, Snapshot, Unknown};
use garden_gate_model::api::{
    CredentialsBinding, Kind, ObjectMeta, ObjectReference, SecretBinding,
};

/// The replacement of a Shoot's SecretBinding by a maintenance run.
#[derive(Clone, Debug)]
pub enum BindingMigration {
    /// The Shoot then uses the existing CredentialsBinding with this name.
    Existing(String),
    /// The Shoot then uses this CredentialsBinding, which the run creates.
    Created(Arc<CredentialsBinding>),
    /// The Shoot keeps its SecretBinding, for this reason.
    Impossible(String),
    /// The CredentialsBinding depends on objects that are unknown.
    Unknown {
        /// The name that a created CredentialsBinding would have.
        name: String,
        /// The reason why it is unknown.
        why: String,
    },
}

impl BindingMigration {
    /// Determines the replacement of the SecretBinding with this namespace and name.
    ///
    /// Mirrors migrateSecretBindingToCredentialsBinding in
    /// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
    pub fn of(namespace: &str, name: &str, garden: &Snapshot) -> Self {
        let migrated = format!("force-migrated-{name}");
        match replacement((namespace, name), &migrated, garden) {
            Ok(migration) => migration,
            Err(why) => Self::Unknown { name: migrated, why: why.to_string() },
        }
    }

    /// Returns the name of the CredentialsBinding that the Shoot references; `None` without a replacement.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Existing(name) | Self::Unknown { name, .. } => Some(name),
            Self::Created(binding) => Some(&binding.metadata.name),
            Self::Impossible(_) => None,
        }
    }

    /// Returns the garden in which the API server evaluates the update of the Shoot.
    pub(super) fn garden<'a>(&self, before: &'a Snapshot) -> Cow<'a, Snapshot> {
        match self {
            Self::Existing(_) | Self::Impossible(_) => Cow::Borrowed(before),
            // In a directory without such objects, the new one would be the only one that counts.
            Self::Created(_) if !before.absence_is_known(Kind::CredentialsBinding) => {
                Cow::Borrowed(before)
            }
            Self::Created(binding) => {
                let mut garden = before.clone();
                garden.apply(GardenObject::CredentialsBinding(Arc::clone(binding)));
                Cow::Owned(garden)
            }
            Self::Unknown { why, .. } => {
                let mut garden = before.clone();
                garden.note_gap(Kind::CredentialsBinding, || why.clone());
                Cow::Owned(garden)
            }
        }
    }
}

fn replacement(
    key: (&str, &str),
    migrated: &str,
    garden: &Snapshot,
) -> Result<BindingMigration, Unknown> {
    let (namespace, name) = key;
    if !garden.absence_is_known(Kind::SecretBinding) {
        return Err(format!("the garden does not contain SecretBinding `{name}`").into());
    }
    let Some(secret) = garden.get::<SecretBinding>(key)? else {
        let why = format!("SecretBinding `{name}` does not exist");
        return Ok(BindingMigration::Impossible(why));
    };
    if let Some(binding) = garden.get::<CredentialsBinding>((namespace, migrated))? {
        let difference = if !has_same_secret(&binding, &secret) {
            "Secret"
        } else if !has_same_quotas(&binding, &secret) {
            "Quotas"
        } else {
            return Ok(BindingMigration::Existing(migrated.to_owned()));
        };
        let why = format!("CredentialsBinding `{migrated}` exists with another {difference}");
        return Ok(BindingMigration::Impossible(why));
    }
    let bindings = garden.in_namespace::<CredentialsBinding>(namespace)?;
    let mut same = bindings.filter(|it| has_same_secret(it, &secret));
    Ok(match same.find(|it| has_same_quotas(it, &secret)) {
        Some(binding) => BindingMigration::Existing(binding.metadata.name.clone()),
        None => BindingMigration::Created(Arc::new(created(namespace, migrated, &secret))),
    })
}

fn created(namespace: &str, name: &str, secret: &SecretBinding) -> CredentialsBinding {
    CredentialsBinding {
        metadata: ObjectMeta {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            ..ObjectMeta::default()
        },
        provider: secret.provider.clone(),
        credentials_ref: ObjectReference {
            api_version: "v1".to_owned(),
            kind: "Secret".to_owned(),
            ..secret.secret_ref.clone()
        },
        quotas: secret.quotas.clone(),
    }
}

fn has_same_secret(binding: &CredentialsBinding, secret: &SecretBinding) -> bool {
    let (reference, secret) = (&binding.credentials_ref, &secret.secret_ref);
    (&*reference.api_version, &*reference.kind) == ("v1", "Secret")
        && (&reference.namespace, &reference.name) == (&secret.namespace, &secret.name)
}

/// Compares the Quotas as sets. Mirrors quotasEqual.
fn has_same_quotas(binding: &CredentialsBinding, secret: &SecretBinding) -> bool {
    let key = |it: &ObjectReference| (it.namespace.clone(), it.name.clone());
    let kind = |it: &ObjectReference| (it.api_version.clone(), it.kind.clone());
    let known: BTreeMap<_, _> = binding.quotas.iter().map(|it| (key(it), kind(it))).collect();
    let mut quotas = secret.quotas.iter();
    binding.quotas.len() == secret.quotas.len()
        && quotas.all(|it| known.get(&key(it)) == Some(&kind(it)))
}
