// SPDX-License-Identifier: Apache-2.0
//! The credentials of the primary DNS provider. Source: `validateDNS` in `pkg/admission/validator/shoot.go` of providers.

use crate::admission::{Context, FieldPath, FindingKind, Findings, Kind};
use crate::rules::shared::lists::short;
use garden_gate_model::api::{ObjectKey, Shoot};

/// The check of the credentials of primary DNS providers of one type.
pub(crate) struct DnsCredentials {
    /// The type, such as `aws-route53`.
    pub(crate) class: &'static str,
    /// Whether a DNS provider without a reference to credentials is refused.
    pub(crate) is_required: bool,
    pub(crate) kind: &'static FindingKind,
}

impl DnsCredentials {
    /// Checks that the credentials of the primary DNS provider exist; their contents are not judged.
    pub(crate) fn check(&self, context: &Context<'_>, shoot: &Shoot, findings: &mut Findings) {
        let providers = shoot.spec.dns.iter().flat_map(|it| &it.providers);
        for (index, provider) in providers.enumerate() {
            let is_checked =
                provider.primary == Some(true) && provider.kind.as_deref() == Some(self.class);
            if !is_checked {
                continue;
            }
            let place = || {
                let providers = FieldPath::new("spec.dns.providers");
                providers.index(index).child("credentialsRef")
            };
            let Some(reference) = &provider.credentials_ref else {
                if self.is_required {
                    let message = format!(
                        "the primary DNS provider of type `{}` has no credentials",
                        self.class
                    );
                    findings.required(self.kind, place(), message).help(
                        "set `credentialsRef` to a Secret or WorkloadIdentity of the project",
                    );
                }
                continue;
            };
            let kind = match reference.kind.as_str() {
                "Secret" => Kind::Secret,
                "WorkloadIdentity" => Kind::WorkloadIdentity,
                other => {
                    let message = format!("`{}` is no kind of credentials", short(other));
                    findings
                        .invalid(self.kind, place(), message)
                        .help("use a `Secret` or a `WorkloadIdentity`");
                    continue;
                }
            };
            let key = ObjectKey::new(kind, &context.request.namespace, &reference.name);
            let found = findings.known(context.named(&key), &place(), &key);
            if found.is_some_and(|it| it.is_none()) {
                let message = format!("{key} does not exist");
                findings
                    .not_found(self.kind, place(), message)
                    .value(reference.name.as_str())
                    .help("create it, or correct the name");
            }
        }
    }
}
