//! What objects refer to by name, and what extensions are registered for.

mod object;
mod referred;
pub(in crate::rules) mod registered;
mod shoot;

pub(in crate::rules) use object::{check_exists, check_right};
pub(crate) use referred::{Collected, RESOURCES, Referred, resources};

pub(in crate::rules) use shoot::{PLUGINS, of_shoot};

use crate::compat::Json;
use crate::garden::ObjectKey;
use crate::model::{GARDEN_NAMESPACE, Kind};
use crate::rules::shared::validation::Part;

/// The objects of which only the names matter to an object of a kind and namespace, given its JSON.
#[must_use]
pub fn named_in(kind: Kind, namespace: &str, text: &str) -> Vec<ObjectKey> {
    let json = Json::text(text).opened();
    let referred = referred(kind, &Part::whole(&json), namespace);
    referred.into_iter().map(|it| it.key).collect()
}

/// All objects that an object of a kind and namespace refers to by their names.
pub(crate) fn referred(kind: Kind, object: &Part<'_>, namespace: &str) -> Vec<Referred> {
    match kind {
        Kind::Shoot => of_shoot(object, namespace),
        Kind::Seed => resources(object, GARDEN_NAMESPACE),
        Kind::SecretBinding | Kind::CredentialsBinding => {
            let credentials = credentials(kind, object, namespace);
            credentials.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The credentials that a binding is for; `None` if they are nothing that could be looked up.
pub(in crate::rules) fn credentials(
    kind: Kind,
    binding: &Part<'_>,
    namespace: &str,
) -> Option<Referred> {
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

/// What credentials of a CredentialsBinding are: their version says so, and static validation that the kind agrees.
pub(in crate::rules) fn kind_of_credentials(api_version: &str) -> Option<Kind> {
    match api_version {
        "v1" => Some(Kind::Secret),
        "security.gardener.cloud/v1alpha1" => Some(Kind::WorkloadIdentity),
        "core.gardener.cloud/v1beta1" => Some(Kind::InternalSecret),
        _ => None,
    }
}
