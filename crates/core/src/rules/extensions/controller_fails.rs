// SPDX-License-Identifier: Apache-2.0
use super::failure::CommonFindings;
use super::undecodable::check_each;
use crate::admission::{Context, Findings, rule};

rule! {
    page: include_str!("controller_fails.md"),
    id: "extensions/controller-fails",
    summary: "warns of configurations that the controller of an extension cannot decode",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Offline,
    scopes: [
        Shoot [Create, Update];
        Seed [Create, Update];
    ],
    reads: [CloudProfile, ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "extensions/controller-fails": "the controller of an extension cannot decode its configuration",
    },
    fixes: Safe,
    check: Written(check),
}

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &UNDECODABLE };

fn check(context: &Context<'_>, findings: &mut Findings) {
    check_each(context, COMMON, findings, |extension| extension.admission.is_none());
}
