// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot/shoot.go` and `pkg/apis/auditing/validation` of auditing.

use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::extensions::resources::{Resources, check_secret};
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::auditing::{
    AuditBackend, AuditConfiguration, BackendHTTP, EXTENSION,
};
use garden_gate_text::go::{Url, dns_subdomain_error};

rule! {
    page: include_str!("shoot.md"),
    id: "auditing/shoot",
    summary: "validates the configuration of the extension auditing",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, Names],
    findings: {
        UNDECODABLE = "auditing/undecodable": "the configuration of auditing cannot be decoded",
        FAILURE = "auditing/failure": "the admission component of auditing fails",
        REQUIRED = "auditing/required": "a required part of the configuration of auditing is missing",
        INVALID = "auditing/invalid": "a value in the configuration of auditing is invalid",
        DUPLICATE = "auditing/duplicate": "two receivers of audit logs have the same URL",
        DELIVERY = "auditing/delivery-mode": "the delivery modes of the receivers of audit logs do not fit",
        UNLISTED = "auditing/secret-unlisted": "the Secret of a receiver of audit logs is not listed in `spec.resources`",
        MISSING = "auditing/secret-missing": "the Secret of a receiver of audit logs is not found",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The first version with delivery modes, and several receivers.
const MODES: ExtensionVersion = ExtensionVersion::new(0, 3);
const GUARANTEED: &str = "Guaranteed";
const DELIVERY_MODES: &[&str] = &[GUARANTEED, "BestEffort"];
const COMPRESSIONS: &[&str] = &["gzip"];

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let help = "add `providerConfig` with `backends`, or remove the extension";
    let config = entry.decode_required::<AuditConfiguration>(&REQUIRED, help, findings);
    let Some(config) = config else { return };
    let place = entry.place.child("backends");
    check_backends(&config.backends, &place, entry.component.version(), findings);
    let resources = Resources::of(context);
    for (index, backend) in config.backends.iter().enumerate() {
        if let Some(http) = &backend.http {
            let field = place.index(index).descendant("http.tls.secretReferenceName");
            let name = http.tls.secret_reference_name.as_str();
            let kinds = (&UNLISTED, &MISSING);
            check_secret(context, &resources, (name, &field), kinds, findings);
        }
    }
}

fn check_backends(
    backends: &[AuditBackend],
    place: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    if backends.is_empty() {
        findings
            .required(&REQUIRED, place.clone(), "there is no receiver")
            .help("add a receiver with `http`, or remove the extension");
    }
    let mut urls = BTreeSet::new();
    for (index, backend) in backends.iter().enumerate() {
        let field = place.index(index);
        let mode = backend.delivery_mode.as_str();
        if version >= MODES && !mode.is_empty() && !DELIVERY_MODES.contains(&mode) {
            let message = format!("the delivery mode `{}` is unsupported", short(mode));
            findings
                .unsupported(&INVALID, field.child("deliveryMode"), message)
                .value(mode)
                .help(one_of(mode, DELIVERY_MODES));
        }
        let Some(http) = &backend.http else {
            findings
                .required(&REQUIRED, field.child("http"), "the receiver has no endpoint")
                .help("add `http` with `url` and `tls`");
            continue;
        };
        check_http(http, &field.child("http"), findings);
        if !urls.insert(http.url.as_str()) {
            let message = format!("a receiver before has the URL `{}`", short(&http.url));
            findings
                .duplicate(&DUPLICATE, field.descendant("http.url"), message)
                .value(http.url.as_str())
                .help("keep one of the receivers");
        }
    }
    if version >= MODES {
        check_modes(backends, place, findings);
    }
}

/// Checks that the delivery is guaranteed by one receiver.
fn check_modes(backends: &[AuditBackend], place: &FieldPath, findings: &mut Findings) {
    if let [only] = backends {
        let mode = only.delivery_mode.as_str();
        if !matches!(mode, "" | GUARANTEED) {
            findings
                .invalid(
                    &DELIVERY,
                    place.index(0).child("deliveryMode"),
                    "the delivery to the only receiver is not guaranteed",
                )
                .value(mode)
                .help(Help::remove("remove `deliveryMode`, or set it to `Guaranteed`"));
        }
        return;
    }
    let guaranteed = backends.iter().filter(|it| it.delivery_mode == GUARANTEED);
    let count = guaranteed.count();
    if !backends.is_empty() && count != 1 {
        let message = format!("the delivery is guaranteed for {count} receivers");
        findings.invalid(&DELIVERY, place.clone(), message).help(
            "set `deliveryMode: Guaranteed` for one of them, and `BestEffort` for the others",
        );
    }
}

fn check_http(http: &BackendHTTP, place: &FieldPath, findings: &mut Findings) {
    check_url(http.url.trim(), &place.child("url"), findings);
    let field = place.descendant("tls.secretReferenceName");
    let name = http.tls.secret_reference_name.as_str();
    if name.trim().is_empty() {
        findings
            .required(&REQUIRED, field, "the receiver has no Secret with certificates")
            .help("set it to the name of a Secret in `spec.resources`");
    } else if let Some(why) = dns_subdomain_error(name) {
        let message = format!("`{}` is not the name of a resource: {why}", short(name));
        findings
            .invalid(&INVALID, field, message)
            .value(name)
            .help("use a name such as `audit-credentials`, also in `spec.resources`");
    }
    match http.compression.as_deref() {
        None | Some("gzip") => {}
        Some("") => {
            findings
                .invalid(&INVALID, place.child("compression"), "the compression is empty")
                .value("")
                .help(Help::remove("remove it, or use `gzip`"));
        }
        Some(other) => {
            let message = format!("the compression `{}` is unsupported", short(other));
            findings
                .unsupported(&INVALID, place.child("compression"), message)
                .value(other)
                .help(one_of(other, COMPRESSIONS));
        }
    }
}

fn check_url(url: &str, field: &FieldPath, findings: &mut Findings) {
    if url.is_empty() {
        findings
            .required(&REQUIRED, field.clone(), "the URL of the receiver is not set")
            .help("set `url: https://…`");
        return;
    }
    let mut refuse = |message: String, help: &str| {
        findings.invalid(&INVALID, field.clone(), message).value(url).help(help);
    };
    let parsed = match Url::parse(url) {
        Ok(parsed) => parsed,
        Err(why) => {
            let message = format!("`{}` is not a URL: {why}", short(url));
            refuse(message, "write it like `https://audit.example.com/logs`");
            return;
        }
    };
    for (is_wrong, what, help) in [
        (parsed.scheme != "https", "is not a URL with HTTPS", "begin with `https://`"),
        (!parsed.query.is_empty(), "has a query", "remove the query after `?`"),
        (!parsed.fragment.is_empty(), "has a fragment", "remove the fragment after `#`"),
        (parsed.has_user, "has a user", "remove the user before `@`"),
    ] {
        if is_wrong {
            refuse(format!("`{}` {what}", short(url)), help);
        }
    }
}
