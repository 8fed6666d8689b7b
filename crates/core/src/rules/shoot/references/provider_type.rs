// SPDX-License-Identifier: Apache-2.0
use super::binding_missing::{Binding, Bindings};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("provider_type.md"),
    id: "shoot/provider-type",
    summary: "rejects a provider type that differs from that of the profile or binding",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile, SecretBinding, CredentialsBinding],
    only_if: Changed,
    findings: {
        PROFILE = "shoot/provider-type-of-profile": "the provider type of the Shoot differs from that of its profile",
        BINDING = "shoot/provider-type-of-binding": "the provider type of the Shoot is not among those of its binding",
    },
    check: Judge(check),
}

const FIELD: &str = "spec.provider.type";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new.filter(|new| !new.spec.provider.kind.is_empty()) else {
        return;
    };
    let own = new.spec.provider.kind.as_str();
    let offer = offer(context, new, findings);
    let offered = offer.as_ref().map(|it| it.spec().kind.clone());
    let bindings = Bindings::of(context, &new.spec, findings).0;
    if let Some(offered) = offered.filter(|it| !it.is_empty() && it != own) {
        let message = format!("the provider is `{own}`, but the profile is for `{offered}`");
        let is_stored = shoot.old.is_some_and(|old| old.spec.provider.kind == own);
        let is_refused = |it: &Binding<'_>| it.provider().is_some_and(|it| !is_for(it, &offered));
        let help = if is_stored || bindings.iter().any(is_refused) {
            format!("name a profile for `{own}`")
        } else {
            format!("write `{offered}`, or name another profile")
        };
        findings.invalid(&PROFILE, FieldPath::new(FIELD), message).value(own).help(help);
    }
    for binding in bindings {
        check_binding(&binding, own, findings);
    }
}

fn check_binding(binding: &Binding<'_>, own: &str, findings: &mut Findings) {
    let Binding { kind, name, .. } = binding;
    let Some(provider) = binding.provider() else {
        return;
    };
    if !is_for(provider, own) {
        let message = format!("the provider is `{own}`, but {kind} `{name}` is for `{provider}`");
        findings
            .invalid(&BINDING, FieldPath::new(FIELD), message)
            .value(own)
            .help(format!("name a {kind} for `{own}`"));
    }
}

/// Reports whether `provider` is among `providers`, which are separated by commas.
fn is_for(providers: &str, provider: &str) -> bool {
    providers.split(',').any(|it| it == provider)
}
