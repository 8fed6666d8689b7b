// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, Kind, rule};
use crate::garden::Unknown;
use crate::rules::shared::lists::instead_of_missing;
use garden_gate_model::api::{
    CredentialsBinding, CredentialsBindingProvider, ObjectMeta, ObjectReference, SecretBinding,
    Shoot, ShootSpec,
};

rule! {
    page: include_str!("binding_missing.md"),
    id: "shoot/binding-missing",
    summary: "rejects a Shoot whose SecretBinding or CredentialsBinding is not found",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]; Shoot [Delete]],
    reads: [SecretBinding, CredentialsBinding],
    findings: {
        MISSING = "shoot/binding-missing": "the binding that the Shoot references is not found",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = shoot.new.or(shoot.old) else {
        return;
    };
    // A Shoot that is being deleted and not changed is skipped: Gardener does not check its quota.
    if shoot.metadata.deletion_timestamp.is_some() && !context.changes(shoot) {
        return;
    }
    let bindings = Bindings::of(context, &shoot.spec, findings);
    for binding in bindings.0.iter().filter(|it| it.found.is_none()) {
        let Binding { kind, name, .. } = binding;
        let namespace = &context.request.namespace;
        let message = format!("there is no {kind} `{name}` in namespace `{namespace}`");
        let otherwise = if name.is_empty() {
            "remove the field"
        } else {
            "name a binding that exists, or create it first"
        };
        findings
            .forbid(&MISSING, FieldPath::new(binding.field), message)
            .value(*name)
            .help(instead_of_missing(context, *kind, name, otherwise));
    }
}

/// A binding that a Shoot names, of a kind that the garden has.
pub(super) struct Binding<'a> {
    /// The kind of the binding.
    pub kind: Kind,
    /// The field with its name.
    pub field: &'static str,
    /// Its name.
    pub name: &'a str,
    /// Its content; `None` if it does not exist.
    pub found: Option<Credentials>,
}

impl Binding<'_> {
    /// Returns the provider types of the binding; `None` if it does not exist.
    pub(super) fn provider(&self) -> Option<&str> {
        self.found.as_ref().map(|it| it.provider.as_str())
    }
}

/// The content of a binding.
pub(super) struct Credentials {
    /// The provider types that it is for, separated by commas.
    pub provider: String,
    /// The object with the credentials.
    pub reference: ObjectReference,
    /// Namespace and name of each Quota.
    pub quotas: Vec<(String, String)>,
}

/// The bindings that a Shoot names.
pub(super) struct Bindings<'a>(pub Vec<Binding<'a>>);

impl<'a> Bindings<'a> {
    /// Looks up the bindings that `spec` names; adds a finding for each unknown one.
    pub(super) fn of(context: &Context<'_>, spec: &'a ShootSpec, findings: &mut Findings) -> Self {
        let kinds = [
            (Kind::SecretBinding, "spec.secretBindingName", &spec.secret_binding_name),
            (
                Kind::CredentialsBinding,
                "spec.credentialsBindingName",
                &spec.credentials_binding_name,
            ),
        ];
        // Static validation refuses a Shoot that names no binding.
        let is_bound =
            kinds.iter().any(|(_, _, name)| name.as_ref().is_some_and(|it| !it.is_empty()));
        let named = kinds.into_iter().filter(|_| is_bound).filter_map(|(kind, field, name)| {
            let name = name.as_deref()?;
            context.absence_is_known(kind).then_some((kind, field, name))
        });
        let found = named.filter_map(|(kind, field, name)| {
            let found = credentials_of(context, kind, name);
            let what = format_args!("what {kind} `{name}` is for");
            let found = findings.known(found, &FieldPath::new(field), what)?;
            Some(Binding { kind, field, name, found })
        });
        Self(found.collect())
    }
}

fn credentials_of(
    context: &Context<'_>,
    kind: Kind,
    name: &str,
) -> Result<Option<Credentials>, Unknown> {
    let key = (context.request.namespace.as_str(), name);
    Ok(match kind {
        Kind::SecretBinding => {
            let binding = context.get::<SecretBinding>(key)?;
            binding.map(|it| {
                let secret = ObjectReference {
                    api_version: "v1".to_owned(),
                    kind: "Secret".to_owned(),
                    ..it.secret_ref.clone()
                };
                Credentials::new(&it.metadata, &it.provider, secret, &it.quotas)
            })
        }
        _ => {
            let binding = context.get::<CredentialsBinding>(key)?;
            binding.map(|it| {
                let reference = it.credentials_ref.clone();
                Credentials::new(&it.metadata, &it.provider, reference, &it.quotas)
            })
        }
    })
}

impl Credentials {
    /// Uses the binding's own namespace for references without one, as Gardener does.
    fn new(
        metadata: &ObjectMeta,
        provider: &CredentialsBindingProvider,
        reference: ObjectReference,
        quotas: &[ObjectReference],
    ) -> Self {
        let own = metadata.namespace.as_str();
        let quotas = quotas.iter().map(|it| (it.namespace_or(own).to_owned(), it.name.clone()));
        let namespace = reference.namespace_or(own).to_owned();
        Self {
            provider: provider.kind.clone(),
            reference: ObjectReference { namespace, ..reference },
            quotas: quotas.collect(),
        }
    }
}
