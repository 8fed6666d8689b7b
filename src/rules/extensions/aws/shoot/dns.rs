//! The credentials of the primary DNS provider. Source: `pkg/admission/validator/shoot.go`.

use super::judged::{DNS, Judged};
use crate::admission::{Context, FieldPath, Findings, Kind};
use crate::api::ObjectKey;
use crate::api::extensions::ExtensionVersion;
use crate::rules::shared::lists::short;

/// The first version that checks references to all kinds of credentials.
const CHECKS_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 71);

/// Checks that the credentials of the primary DNS provider exist; their contents are not judged.
pub(super) fn check(context: &Context<'_>, judged: &Judged<'_>, findings: &mut Findings) {
    if judged.version < CHECKS_CREDENTIALS {
        return;
    }
    let providers = judged.shoot.spec.dns.iter().flat_map(|it| &it.providers);
    for (index, provider) in providers.enumerate() {
        let is_checked =
            provider.primary == Some(true) && provider.kind.as_deref() == Some("aws-route53");
        if !is_checked {
            continue;
        }
        let place = || {
            let providers = FieldPath::new("spec.dns.providers");
            providers.index(index).child("credentialsRef")
        };
        let Some(reference) = &provider.credentials_ref else {
            let message = "the primary DNS provider of type `aws-route53` has no credentials";
            findings
                .required(&DNS, place(), message)
                .help("set `credentialsRef` to a Secret or WorkloadIdentity of the project");
            continue;
        };
        let kind = match reference.kind.as_str() {
            "Secret" => Kind::Secret,
            "WorkloadIdentity" => Kind::WorkloadIdentity,
            other => {
                let message = format!("`{}` is no kind of credentials", short(other));
                findings
                    .invalid(&DNS, place(), message)
                    .help("use a `Secret` or a `WorkloadIdentity`");
                continue;
            }
        };
        let key = ObjectKey::new(kind, &context.request.namespace, &reference.name);
        let found = findings.known(context.named(&key), &place(), &key);
        if found.is_some_and(|it| it.is_none()) {
            let message = format!("{key} does not exist");
            findings
                .not_found(&DNS, place(), message)
                .value(reference.name.as_str())
                .help("create it, or correct the name");
        }
    }
}
