// SPDX-License-Identifier: Apache-2.0
//! References of objects by name, and types for which extensions are registered.

mod object;
mod referred;
pub(crate) mod registered;
mod shoot;

pub(crate) use object::{check_exists, check_right, known_identity};
pub use referred::Referred;
pub(crate) use referred::{Collected, RESOURCES, resources};

pub(crate) use shoot::{AUTHORIZATION, PLUGINS, of_shoot};

use crate::garden::ObjectKey;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{GARDEN_NAMESPACE, Kind};
use garden_gate_text::json::Json;

/// Returns the objects that an object references by name only, given its JSON.
pub fn named_in(kind: Kind, namespace: &str, text: &str) -> Vec<ObjectKey> {
    let json = Json::text(text).opened();
    let referred = referred(kind, &Part::whole(&json), namespace);
    referred.into_iter().map(|it| it.key).collect()
}

/// Returns all objects that an object of a kind and namespace references by name.
pub fn referred(kind: Kind, object: &Part<'_>, namespace: &str) -> Vec<Referred> {
    match kind {
        Kind::Shoot => of_shoot(object, namespace),
        Kind::Seed => resources(object, GARDEN_NAMESPACE),
        Kind::SecretBinding | Kind::CredentialsBinding => {
            let credentials = credentials(kind, object, namespace);
            credentials.into_iter().collect()
        }
        Kind::BackupBucket => of_bucket(object),
        Kind::ControllerRegistration => of_registration(object),
        _ => Vec::new(),
    }
}

/// Returns the credentials of a binding; `None` if they cannot be looked up.
pub(crate) fn credentials(kind: Kind, binding: &Part<'_>, namespace: &str) -> Option<Referred> {
    let mut all = Collected::new(namespace);
    match kind {
        Kind::SecretBinding => {
            let reference = binding.at(&["secretRef"])?;
            all.add_of_any_namespace(Kind::Secret, &reference);
        }
        _ => {
            let reference = binding.at(&["credentialsRef"])?;
            let credentials = kind_of_credentials(&reference.text_at(&["apiVersion"]))?;
            all.add_of_any_namespace(credentials, &reference);
        }
    }
    all.all.pop()
}

/// Returns the credentials of a BackupBucket, except an InternalSecret, which it cannot use.
fn of_bucket(bucket: &Part<'_>) -> Vec<Referred> {
    let mut all = Collected::new("");
    if let Some(reference) = bucket.at(&["spec", "credentialsRef"]) {
        let [version, name] = ["apiVersion", "kind"].map(|field| reference.text_at(&[field]));
        if let Some(kind) = kind_of_credentials(&version)
            .filter(|it| it.as_str() == name && *it != Kind::InternalSecret)
        {
            all.add_of_any_namespace(kind, &reference);
        }
    }
    all.all
}

/// Returns the ControllerDeployments of a ControllerRegistration.
fn of_registration(registration: &Part<'_>) -> Vec<Referred> {
    let mut all = Collected::new("");
    for deployment in registration.items_at(&["spec", "deployment", "deploymentRefs"]) {
        all.add(&[], Kind::ControllerDeployment, deployment.at(&["name"]));
    }
    all.all
}

/// Returns the kind of a CredentialsBinding's credentials by their API version.
///
/// Static validation checks the kind.
pub(crate) fn kind_of_credentials(api_version: &str) -> Option<Kind> {
    match api_version {
        "v1" => Some(Kind::Secret),
        "security.gardener.cloud/v1alpha1" => Some(Kind::WorkloadIdentity),
        "core.gardener.cloud/v1beta1" => Some(Kind::InternalSecret),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::named_in;
    use crate::garden::ObjectKey;
    use garden_gate_model::api::Kind;

    #[rstest]
    #[case::seed(Kind::Seed, json!({"spec": {"resources": [{"resourceRef": {"apiVersion": "v1", "kind": "Secret", "name": "a"}}]}}), "garden")]
    #[case::secret_binding(Kind::SecretBinding, json!({"secretRef": {"name": "a"}}), "garden-p")]
    #[case::credentials_binding(Kind::CredentialsBinding, json!({"credentialsRef": {"apiVersion": "v1", "name": "a", "namespace": "garden-q"}}), "garden-q")]
    fn secret_is_named(#[case] kind: Kind, #[case] object: Value, #[case] namespace: &str) {
        let found = named_in(kind, "garden-p", &object.to_string());
        assert_eq!(found, [ObjectKey::new(Kind::Secret, namespace, "a")]);
    }
}
