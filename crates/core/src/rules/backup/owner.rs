// SPDX-License-Identifier: Apache-2.0
//! The Seed or the self-hosted Shoot of a bucket or an entry.

use crate::admission::{FieldPath, Findings};
use crate::rules::shared::validation::{MISSING, Part, UNFITTING, UNSUPPORTED, check_filled};

const SHOOT_VERSION: &str = "core.gardener.cloud/v1beta1";

/// Checks that an object names either a Seed or a Shoot.
///
/// `namespace` is that of the Shoot, if it must be a certain one.
pub(super) fn check_owner(object: &Part<'_>, namespace: Option<&str>, findings: &mut Findings) {
    let seed = object.at(&["spec", "seedName"]);
    let shoot = object.at(&["spec", "shootRef"]);
    let field = FieldPath::new("spec.seedName");
    match (seed, shoot) {
        (None, None) => {
            let message = "neither `spec.seedName` nor `spec.shootRef` is set";
            findings.invalid(&MISSING, field, message).help("set `spec.seedName`");
        }
        (Some(_), Some(_)) => {
            let message = "`spec.seedName` and `spec.shootRef` exclude each other";
            findings.invalid(&UNFITTING, field, message).help("remove one of them");
        }
        (Some(seed), None) if seed.is_empty() => {
            let message = "`spec.seedName` is empty";
            findings.invalid(&MISSING, field, message).help("name a Seed");
        }
        (Some(_), None) => {}
        (None, Some(shoot)) => check_shoot(object, &shoot, namespace, findings),
    }
}

fn check_shoot(
    object: &Part<'_>,
    shoot: &Part<'_>,
    namespace: Option<&str>,
    findings: &mut Findings,
) {
    for (name, expected) in [("apiVersion", SHOOT_VERSION), ("kind", "Shoot")] {
        let written = shoot.text_at(&[name]);
        if written != expected {
            let message = format!("`{name}` of `spec.shootRef` is `{written}`, not `{expected}`");
            findings
                .forbid(&UNSUPPORTED, shoot.path().child(name), message)
                .value(written.as_str())
                .help(format!("write `{name}: {expected}`"));
        }
    }
    check_filled(object, &["spec", "shootRef", "name"], "spec.shootRef.name", findings);
    check_filled(object, &["spec", "shootRef", "namespace"], "spec.shootRef.namespace", findings);
    let written = shoot.text_at(&["namespace"]);
    if let Some(namespace) = namespace.filter(|it| !written.is_empty() && *it != written) {
        let message = format!("the Shoot is in namespace `{written}`, the object in `{namespace}`");
        findings
            .forbid(&UNFITTING, shoot.path().child("namespace"), message)
            .help("name a Shoot of the same namespace");
    }
}
