// SPDX-License-Identifier: Apache-2.0
//! The credentials of a Shoot. Source: `getCloudProviderCredentialsForShoot` in `pkg/admission/validator/shoot.go`.

use super::judged::CREDENTIALS;
use crate::admission::{Context, ErrorType, FieldPath, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::references::kind_of_credentials;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::{CredentialsBinding, Kind, ObjectKey, SecretBinding, Shoot};

/// The first version that distinguishes kinds of credentials; earlier ones look up Secrets.
const KNOWS_KINDS: ExtensionVersion = ExtensionVersion::new(1, 56);

/// Credentials to which a binding refers.
struct Credentials {
    api_version: String,
    namespace: String,
    name: String,
}

/// Checks that the credentials exist and have a supported kind; their contents are not judged.
///
/// Skips unknown objects, and bindings that do not exist, which `shoot/binding-missing` refuses.
pub(super) fn check(
    context: &Context<'_>,
    shoot: &Shoot,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    let Some((field, credentials)) = credentials(context, shoot) else {
        return;
    };
    let known = kind_of_credentials(&credentials.api_version);
    let kind = if version >= KNOWS_KINDS { known } else { Some(Kind::Secret) };
    let key = kind.map(|it| ObjectKey::new(it, &credentials.namespace, &credentials.name));
    let is_missing = key.as_ref().is_some_and(|key| context.named(key) == Ok(None));
    let (message, help) = match (key, kind) {
        (Some(key), _) if is_missing => (
            format!("{key} with the credentials does not exist"),
            "create it, or name another binding",
        ),
        (_, Some(Kind::Secret | Kind::InternalSecret)) => return,
        _ => (
            format!(
                "provider-openstack does not support credentials of `{}`",
                short(&credentials.api_version)
            ),
            "name a binding of a Secret",
        ),
    };
    findings
        .report(&CREDENTIALS, ErrorType::Denied, FieldPath::root(), message)
        .at(&FieldPath::new(field))
        .help(help);
}

/// Returns the credentials of the binding that a Shoot names, with the field that names it.
fn credentials(context: &Context<'_>, shoot: &Shoot) -> Option<(&'static str, Credentials)> {
    let namespace = context.request.namespace.as_str();
    if let Some(name) = &shoot.spec.secret_binding_name {
        let key = (namespace, name.as_str());
        let binding = context.get::<SecretBinding>(key).ok()??;
        let credentials = Credentials {
            api_version: "v1".to_owned(),
            namespace: binding.secret_ref.namespace_or(namespace).to_owned(),
            name: binding.secret_ref.name.clone(),
        };
        return Some(("spec.secretBindingName", credentials));
    }
    let name = shoot.spec.credentials_binding_name.as_deref()?;
    let binding = context.get::<CredentialsBinding>((namespace, name)).ok()??;
    let reference = &binding.credentials_ref;
    let credentials = Credentials {
        api_version: reference.api_version.clone(),
        namespace: reference.namespace_or(namespace).to_owned(),
        name: reference.name.clone(),
    };
    Some(("spec.credentialsBindingName", credentials))
}
