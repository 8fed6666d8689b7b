// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Kind, Update, rule};
use crate::rules::shared::profiles::Users;
use garden_gate_model::api::{BindingKey, BindingKind, Named};

rule! {
    page: include_str!("finalizer_removal.md"),
    id: "binding/finalizer-removal",
    summary: "rejects removal of the finalizer `gardener` from a binding in use",
    phase: Admission,
    level: Deny,
    scopes: [SecretBinding [Update]; CredentialsBinding [Update]],
    reads: [Shoot],
    findings: {
        REMOVED = "binding/finalizer-removal": "Gardener's finalizer is removed from a binding that Shoots use",
    },
    check: Judge(check),
}

const GARDENER: &str = "gardener";

fn check(context: &Context<'_>, binding: Update<'_, Named>, findings: &mut Findings) {
    let Update { new, old } = binding;
    if !has_finalizer(old) || has_finalizer(new) {
        return;
    }
    let (kind, word) = match context.request.kind() {
        Some(Kind::SecretBinding) => (BindingKind::Secret, Kind::SecretBinding),
        Some(Kind::CredentialsBinding) => (BindingKind::Credentials, Kind::CredentialsBinding),
        _ => return,
    };
    let (namespace, name) = (&old.metadata.namespace, &old.metadata.name);
    let path = FieldPath::new("metadata.finalizers");
    let key = BindingKey { kind, namespace: namespace.as_str().into(), name: name.as_str().into() };
    let what = format_args!("which Shoots use {word} `{namespace}/{name}`");
    if let Some(shoots) =
        findings.known(context.shoots(), &path, what).and_then(|shoots| shoots.of_binding(&key))
    {
        let mut users = Users::default();
        users.add(shoots, shoots.len());
        let listed = users.describe("Shoot");
        let message = format!(
            "finalizer `{GARDENER}` cannot be removed, because {word} `{namespace}/{name}` is used by {listed}"
        );
        let help = "put it back; delete the Shoots first, or let them use another binding";
        findings.forbid(&REMOVED, path, message).value(GARDENER).help(help);
    }
}

fn has_finalizer(binding: &Named) -> bool {
    let mut finalizers = binding.metadata.finalizers.iter();
    finalizers.any(|finalizer| finalizer == GARDENER)
}
