// SPDX-License-Identifier: Apache-2.0
use super::{is_wanted, kind, provider_path, provider_types};
use crate::admission::{Change, Context, Findings, Kind, rule};
use crate::rules::shared::effective_profile::find_profile;
use garden_gate_model::api::{BindingKey, BindingKind, Named, ShootName};

rule! {
    page: include_str!("provider_of_shoots.md"),
    id: "binding/provider-of-shoots",
    summary: "rejects a binding whose provider type differs from that of its Shoots",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [SecretBinding [Create, Update]; CredentialsBinding [Create, Update]],
    reads: [Shoot, CloudProfile, NamespacedCloudProfile],
    findings: {
        OTHER = "binding/provider-of-shoots": "the binding has another provider type than a Shoot that references it",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, binding: Change<'_, Named>, findings: &mut Findings) {
    let Some(new) = binding.new.filter(|new| is_wanted(Some(*new))) else {
        return;
    };
    let key = BindingKey {
        kind: match kind(context) {
            Kind::SecretBinding => BindingKind::Secret,
            _ => BindingKind::Credentials,
        },
        namespace: context.request.namespace.as_str().into(),
        name: new.metadata.name.as_str().into(),
    };
    // Unless all Shoots are known, `review` lists this check as not judged.
    let shoots = context.shoots().ok();
    let users = shoots.and_then(|shoots| shoots.of_binding(&key));
    let types = provider_types(context);
    for shoot in users.into_iter().flatten() {
        let Some(provider) = provider_of(context, shoot).filter(|it| !types.contains(it)) else {
            continue;
        };
        let message = format!("Shoot `{shoot}` names the binding, and is for `{provider}`");
        findings
            .forbid(&OTHER, provider_path(), message)
            .value(types.join(","))
            .help(format!("write `{provider}`, or choose another name"));
        return;
    }
}

/// Returns the provider of a Shoot's profile, if it is known.
fn provider_of(context: &Context<'_>, shoot: &ShootName) -> Option<String> {
    let shoots = context.shoots().ok()?;
    let profile = shoots.get(shoot)?.profile.as_ref()?;
    let key = (profile.kind, &*profile.namespace, &*profile.name);
    let offer = find_profile(context, key).ok()?;
    let provider = offer.spec().kind.clone();
    (!provider.is_empty()).then_some(provider)
}
