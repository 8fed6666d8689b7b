// SPDX-License-Identifier: Apache-2.0
//! Rules about SecretBindings and CredentialsBindings.

mod credentials_unusable;
mod finalizer_removal;
mod form;
mod immutable_fields;
mod provider_of_shoots;
mod quotas_unusable;
mod secret_binding_deprecated;

use std::borrow::Cow;

use crate::admission::{Context, FieldPath, Kind, Rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Named;
use garden_gate_text::json::Json;

pub(crate) const RULES: &[&Rule] = &[
    &form::RULE,
    &immutable_fields::RULE,
    &credentials_unusable::RULE,
    &quotas_unusable::RULE,
    &provider_of_shoots::RULE,
    &finalizer_removal::RULE,
    &secret_binding_deprecated::RULE,
];

/// Reports whether a binding is a SecretBinding; all others are CredentialsBindings.
fn is_secret_binding(context: &Context<'_>) -> bool {
    context.request.kind() == Some(Kind::SecretBinding)
}

/// Returns the kind of the binding.
fn kind(context: &Context<'_>) -> Kind {
    if is_secret_binding(context) { Kind::SecretBinding } else { Kind::CredentialsBinding }
}

/// Returns the provider types of a binding; a SecretBinding may have several, or none.
fn provider_types(context: &Context<'_>) -> Vec<String> {
    let binding = Part::whole(context.new_opened());
    let provider = binding.text_at(&["provider", "type"]);
    match is_secret_binding(context) {
        true if binding.at(&["provider"]).is_none() => Vec::new(),
        true => provider.split(',').map(str::to_owned).collect(),
        false => vec![provider],
    }
}

const PROVIDER: &str = "provider.type";

fn provider_path() -> FieldPath {
    FieldPath::new(PROVIDER)
}

/// Reports whether the references of a binding are looked up.
fn is_wanted(new: Option<&Named>) -> bool {
    new.is_some_and(|new| new.metadata.deletion_timestamp.is_none())
}

/// Reports whether the requester may reference all objects of the binding's namespace.
///
/// This is the case for the user that sets up a self-hosted Shoot.
fn may_refer_to_all(context: &Context<'_>, namespace: &str) -> bool {
    const GROUP: &str = "gardener.cloud:system:shoots";
    const USER: &str = "gardener.cloud:gardenadm:shoot:";
    let user = &context.request.user_info;
    let is_gardenadm = user.username.starts_with(USER) && user.groups.iter().any(|it| it == GROUP);
    is_gardenadm && namespace == context.request.namespace
}

/// Returns a binding with the namespaces that the API server fills in for its references.
fn completed<'a>(binding: &'a Json<'a>, namespace: &str) -> Cow<'a, Json<'a>> {
    let mut completed = binding.clone();
    for field in ["secretRef", "credentialsRef"] {
        fill(completed.at(&[field]), namespace);
    }
    let quotas = completed.at(&["quotas"]).and_then(|it| it.elements());
    for quota in quotas.into_iter().flatten() {
        fill(Some(quota), namespace);
    }
    Cow::Owned(completed)
}

fn fill(reference: Option<&mut Json<'_>>, namespace: &str) {
    let fields = reference.and_then(|it| it.fields()).filter(|it| {
        let own = it.get("namespace");
        own.is_none_or(|own| own.is_null() || own.is_empty())
    });
    if let Some(fields) = fields {
        fields.set("namespace", &namespace);
    }
}
