// SPDX-License-Identifier: Apache-2.0
//! The credentials of the primary DNS provider. Source: `validateDNS` in `pkg/admission/validator/shoot.go`.

use super::judged::{DNS, Judged};
use crate::admission::{Context, ErrorType, FieldPath, Findings};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::{DNSProvider, Kind, ObjectKey};

/// The first version that checks the credentials of DNS providers.
const CHECKS: ExtensionVersion = ExtensionVersion::new(1, 53);
/// The first version that accepts `credentialsRef`, and prefers it.
const ACCEPTS_REFERENCES: ExtensionVersion = ExtensionVersion::new(1, 56);
const CLASS: &str = "openstack-designate";

/// Checks that the credentials are a Secret that exists; its contents are not judged.
pub(super) fn check(context: &Context<'_>, judged: &Judged<'_>, findings: &mut Findings) {
    if judged.version < CHECKS {
        return;
    }
    let accepts_references = judged.version >= ACCEPTS_REFERENCES;
    let providers = judged.shoot.spec.dns.iter().flat_map(|it| &it.providers);
    for (index, provider) in providers.enumerate() {
        if provider.primary != Some(true) || provider.kind.as_deref() != Some(CLASS) {
            continue;
        }
        let place = ReportedPath::same(FieldPath::new("spec.dns.providers").index(index));
        let Some((field, kind, name)) = credentials(provider, accepts_references) else {
            report_missing(&place, accepts_references, findings);
            continue;
        };
        let at = place.child(field);
        let known = [Kind::Secret, Kind::WorkloadIdentity];
        let kind = known.into_iter().find(|it| it.as_str() == kind);
        let key = kind.map(|it| ObjectKey::new(it, &context.request.namespace, name));
        let found = key.as_ref().and_then(|key| findings.known(context.named(key), &at.real, key));
        let (error, message, help) = match (key, found) {
            (Some(key), Some(None)) => {
                let error =
                    if accepts_references { ErrorType::NotFound } else { ErrorType::Invalid };
                let message = format!("{key} does not exist");
                (error, message, "create it, or correct the name")
            }
            _ if kind == Some(Kind::Secret) => continue,
            _ => {
                let message = format!("the credentials of `{CLASS}` are not a Secret");
                (ErrorType::Invalid, message, "use a Secret of the project")
            }
        };
        at.report((&DNS, error), message, findings).value(name).help(help);
    }
}

/// Returns the field that names the credentials, with their kind and name.
fn credentials(
    provider: &DNSProvider,
    accepts_references: bool,
) -> Option<(&'static str, &str, &str)> {
    if let Some(reference) = provider.credentials_ref.as_ref().filter(|_| accepts_references) {
        return Some(("credentialsRef", &reference.kind, &reference.name));
    }
    let secret = provider.secret_name.as_deref().filter(|it| !it.is_empty())?;
    Some(("secretName", Kind::Secret.as_str(), secret))
}

fn report_missing(place: &ReportedPath, accepts_references: bool, findings: &mut Findings) {
    let field = if accepts_references { "credentialsRef" } else { "secretName" };
    let message = format!("the primary DNS provider of type `{CLASS}` has no credentials");
    place
        .child(field)
        .report((&DNS, ErrorType::Required), message, findings)
        .help(format!("set `{field}` to a Secret of the project"));
}
