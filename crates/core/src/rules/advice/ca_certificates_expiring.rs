// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::lists::short;
use garden_gate_model::api::{Condition, Shoot};

rule! {
    page: include_str!("ca_certificates_expiring.md"),
    id: "advice/ca-certificates-expiring",
    summary: "warns about a certificate authority of a Shoot that expires within a year",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        EXPIRING = "advice/ca-certificates-expiring": "the constraint CACertificateValiditiesAcceptable of the Shoot is not True",
    },
    check: Judge(check),
}

/// The constraint that Gardener adds if a certificate authority expires in less than a year.
pub const CA_VALIDITIES: &str = "CACertificateValiditiesAcceptable";

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let status = &shoot.old.status;
    let constraint = status.constraint(CA_VALIDITIES).filter(|it| it.status != "True");
    let Some(Condition { status, message, .. }) = constraint else {
        return;
    };
    if shoot.new.metadata.deletion_timestamp.is_some() || is_rotated(shoot.old) {
        return;
    }
    let message = format!(
        "a certificate authority expires in less than a year: constraint `{CA_VALIDITIES}` is `{status}`: {}",
        short(message)
    );
    findings
        .invalid(&EXPIRING, FieldPath::new("status.constraints"), message)
        .help("annotate the Shoot with `gardener.cloud/operation=rotate-ca-start`, and complete the rotation later");
}

/// Reports whether a rotation of the certificate authorities is in progress.
pub fn is_rotated(shoot: &Shoot) -> bool {
    let phase = shoot.status.phase(|all| all.certificate_authorities.as_ref());
    !matches!(phase, "" | "Completed")
}
