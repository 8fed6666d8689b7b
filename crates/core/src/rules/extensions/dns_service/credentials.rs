// SPDX-License-Identifier: Apache-2.0
//! The credentials of DNS providers. Source: `pkg/apis/service/validation/validation.go`.

use super::findings::{CREDENTIALS, IDENTITY, MISSING, TYPE};
use crate::admission::{Context, ErrorType, FindingKind, Findings, Reported};
use crate::rules::extensions::resources::{Resource, Resources, missing_object};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::dns_service::DNSProvider;
use garden_gate_model::api::{Kind, WorkloadIdentity};

/// The first version that checks whether the Secret exists.
const EXISTENCE: ExtensionVersion = ExtensionVersion::new(1, 68);
/// The first version with `credentials` and WorkloadIdentities.
const IDENTITIES: ExtensionVersion = ExtensionVersion::new(1, 78);
/// The types of DNS providers that support WorkloadIdentities, with the types of these.
const IDENTITY_TYPES: [(&str, &str); 4] = [
    ("aws-route53", "aws"),
    ("google-clouddns", "gcp"),
    ("azure-dns", "azure"),
    ("azure-private-dns", "azure"),
];

/// Judges the credentials of DNS providers.
pub(super) struct Judge<'c, 'a> {
    pub(super) context: &'c Context<'a>,
    pub(super) version: ExtensionVersion,
    pub(super) resources: Resources,
    /// Whether the configuration is new or changed; otherwise the credentials are not looked up.
    pub(super) is_changed: bool,
}

impl Judge<'_, '_> {
    pub(super) fn check_credentials(
        &self,
        provider: &DNSProvider,
        place: &ReportedPath,
        findings: &mut Findings,
    ) {
        let secret = provider.secret_name.as_deref().unwrap_or_default();
        let credentials = if self.version >= IDENTITIES {
            provider.credentials.as_deref().unwrap_or_default()
        } else {
            ""
        };
        let (name, field) = match (secret, credentials) {
            ("", "") => {
                self.report_none(place, findings);
                return;
            }
            (name, "") => (name, "secretName"),
            ("", name) => (name, "credentials"),
            (_, _) => {
                for (field, name) in [("secretName", secret), ("credentials", credentials)] {
                    place
                        .child(field)
                        .report(
                            (&CREDENTIALS, ErrorType::Invalid),
                            "`secretName` and `credentials` are both set",
                            findings,
                        )
                        .value(name)
                        .help("keep only `credentials`");
                }
                return;
            }
        };
        let place = (place, field);
        let Some(resource) = self.resources.named(name) else {
            let message = format!("`spec.resources` lists nothing with the name `{}`", short(name));
            refuse(place, "", (&CREDENTIALS, message), findings)
                .value(name)
                .help("add the credentials to `spec.resources` with this `name`");
            return;
        };
        if resource.object.is_empty() && self.version >= EXISTENCE {
            let message = format!("`{}` in `spec.resources` refers to no object", short(name));
            refuse(place, "", (&CREDENTIALS, message), findings)
                .value(name)
                .help("set `resourceRef.name` of this entry");
            return;
        }
        let kind = provider.kind.as_deref().unwrap_or_default();
        self.check_object(resource, kind, place, findings);
    }

    fn report_none(&self, place: &ReportedPath, findings: &mut Findings) {
        let (error, fields, help): (_, &[&'static str], _) = if self.version >= IDENTITIES {
            (
                ErrorType::Invalid,
                &["secretName", "credentials"],
                "set `credentials` to the name of a Secret in `spec.resources`",
            )
        } else {
            (
                ErrorType::Required,
                &["secretName"],
                "set `secretName` to the name of a Secret in `spec.resources`",
            )
        };
        for field in fields {
            let message = "the DNS provider has no credentials";
            place.child(field).report((&CREDENTIALS, error), message, findings).help(help);
        }
    }

    /// Checks the object that `spec.resources` refers to.
    fn check_object(
        &self,
        resource: &Resource,
        kind: &str,
        place: (&ReportedPath, &'static str),
        findings: &mut Findings,
    ) {
        if self.version < IDENTITIES {
            if self.version >= EXISTENCE && self.is_changed && !kind.is_empty() {
                self.check_exists(Kind::Secret, resource, place, findings);
            }
            return;
        }
        let (_, field) = place;
        match (resource.api_version.as_str(), resource.kind.as_str()) {
            ("v1", "Secret") => {
                if self.is_changed && !kind.is_empty() {
                    self.check_exists(Kind::Secret, resource, place, findings);
                }
            }
            ("security.gardener.cloud/v1alpha1", "WorkloadIdentity") if field == "secretName" => {
                let message = "`secretName` names a WorkloadIdentity, not a Secret".to_owned();
                refuse(place, "kind", (&CREDENTIALS, message), findings)
                    .value(resource.kind.as_str())
                    .help("name it in `credentials` instead of `secretName`");
            }
            ("security.gardener.cloud/v1alpha1", "WorkloadIdentity") => {
                if self.is_changed && !kind.is_empty() {
                    self.check_identity(resource, kind, place, findings);
                }
            }
            (version, other) => {
                let message = format!(
                    "a `{}` of `{}` is neither a Secret nor a WorkloadIdentity",
                    short(other),
                    short(version)
                );
                refuse(place, "kind", (&CREDENTIALS, message), findings)
                    .value(other)
                    .help("refer to a Secret of `v1`, or a WorkloadIdentity of `security.gardener.cloud/v1alpha1`");
            }
        }
    }

    /// Checks that an object exists; returns whether that is so, or not known.
    fn check_exists(
        &self,
        kind: Kind,
        resource: &Resource,
        place: (&ReportedPath, &'static str),
        findings: &mut Findings,
    ) -> bool {
        let Some(key) = missing_object(self.context, kind, &resource.object) else {
            return true;
        };
        refuse(place, "ref", (&MISSING, format!("there is no {key}")), findings)
            .value(resource.object.as_str())
            .help(format!("create the {kind} first"));
        false
    }

    fn check_identity(
        &self,
        resource: &Resource,
        kind: &str,
        place: (&ReportedPath, &'static str),
        findings: &mut Findings,
    ) {
        if !self.check_exists(Kind::WorkloadIdentity, resource, place, findings) {
            return;
        }
        let key = (self.context.request.namespace.as_str(), resource.object.as_str());
        let Ok(Some(identity)) = self.context.get::<WorkloadIdentity>(key) else {
            return;
        };
        let found = identity.spec.target_system.kind.as_str();
        let mut all = IDENTITY_TYPES.iter();
        match all.find(|(name, _)| *name == kind) {
            None => {
                let message =
                    format!("the type `{}` does not support WorkloadIdentities", short(kind));
                let (place, _) = place;
                place
                    .child("type")
                    .report((&TYPE, ErrorType::Invalid), message, findings)
                    .value(kind)
                    .help("refer to a Secret");
            }
            Some((_, wanted)) if found != *wanted => {
                let message = format!(
                    "the type of the WorkloadIdentity is `{}`, but `{kind}` needs `{wanted}`",
                    short(found)
                );
                refuse(place, "ref", (&IDENTITY, message), findings)
                    .value(resource.object.as_str())
                    .help(format!("refer to a WorkloadIdentity of type `{wanted}`"));
            }
            Some(_) => {}
        }
    }
}

/// Reports an error of the credentials that a field of a DNS provider names.
///
/// The extension adds `below` to the field, which has no such part.
fn refuse<'f>(
    (place, field): (&ReportedPath, &'static str),
    below: &'static str,
    (kind, message): (&'static FindingKind, String),
    findings: &'f mut Findings,
) -> Reported<'f> {
    let named = place.child(field);
    let own = match below {
        "" => named.own,
        below => named.own.child(below),
    };
    findings.invalid(kind, own, message).at(&named.real)
}
