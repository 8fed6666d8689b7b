// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, TOO_LONG, check_filled, check_metadata,
};
use garden_gate_model::api::Named;
use garden_gate_text::go::{is_network, is_ssh_public_key, parse_time};

rule! {
    page: include_str!("form.md"),
    id: "bastion/form",
    summary: "rejects an invalid SSH key, source or heartbeat of a Bastion",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Bastion [Create, Update] [Itself, Status]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let bastion = Part::whole(context.new_opened());
    if context.request.sub_resource == "status" {
        return check_heartbeat(context, &bastion, findings);
    }
    check_metadata(context, Naming::Label, findings);
    let key = bastion.text_at(&["spec", "sshPublicKey"]);
    check_filled(&bastion, &["spec", "sshPublicKey"], "spec.sshPublicKey", findings);
    if !key.is_empty() && !is_ssh_public_key(&key) {
        let message = "the key is no public SSH key";
        findings
            .invalid(&MALFORMED, FieldPath::new("spec.sshPublicKey"), message)
            .help("write the content of the public key file, which ssh-keygen creates");
    }
    let field = || FieldPath::new("spec.ingress");
    let sources = bastion.items_at(&["spec", "ingress"]);
    if sources.is_empty() {
        let message = "the bastion cannot be reached from anywhere";
        findings.invalid(&MISSING, field(), message).help("add the CIDR of your network");
    }
    for source in sources {
        let cidr = source.text_at(&["ipBlock", "cidr"]);
        let at = source.path().child("ipBlock").child("cidr");
        if !is_network(&cidr) {
            let message = format!("`{cidr}` is no CIDR");
            let kind = if cidr.is_empty() { &MISSING } else { &MALFORMED };
            findings.invalid(kind, field(), message).at(&at).help("write it like `203.0.113.0/24`");
        }
    }
}

fn check_heartbeat(context: &Context<'_>, bastion: &Part<'_>, findings: &mut Findings) {
    let time = bastion.text_at(&["status", "lastHeartbeatTimestamp"]);
    if parse_time(&time).is_some_and(|it| it > context.now) {
        let message = "the last heartbeat is in the future";
        let field = FieldPath::new("status.lastHeartbeatTimestamp");
        findings.invalid(&OUT_OF_RANGE, field, message).help("use the current time");
    }
}
