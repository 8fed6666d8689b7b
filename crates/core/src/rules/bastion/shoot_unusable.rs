// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, Operation, rule};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shared::validation::{MISSING, Part};
use garden_gate_model::api::{Kind, Named, ShootName, ShootUse};

rule! {
    page: include_str!("shoot_unusable.md"),
    id: "bastion/shoot-unusable",
    summary: "rejects a Bastion for a Shoot that is missing, unscheduled, deleted or without SSH access",
    phase: Mutating,
    level: Deny,
    entry_point: Review,
    scopes: [Bastion [Create, Update]],
    reads: [Shoot],
    findings: {
        MISSING,
        UNUSABLE = "bastion/shoot-unusable": "the Shoot of a Bastion is missing, unscheduled, being deleted, or has no SSH access",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, bastion: Change<'_, Named>, findings: &mut Findings) {
    let object = Part::whole(context.new_opened());
    let name = object.text_at(&["spec", "shootRef", "name"]);
    let field = FieldPath::new("spec.shootRef.name");
    if name.is_empty() {
        let message = "the bastion names no Shoot";
        findings.required(&MISSING, field, message).help("set `spec.shootRef.name`");
        return;
    }
    let namespace = &context.request.namespace;
    let what = format_args!("which state Shoot `{name}` has");
    let key = ShootName { namespace: namespace.as_str().into(), name: name.as_str().into() };
    let Some(shoot) = findings.known(context.shoot(&key), &field, what) else {
        return;
    };
    let is_unscheduled = |it: &ShootUse| it.seed_name.as_deref().is_none_or(str::is_empty);
    // The manifest of a stored Shoot has no Seed.
    if shoot.is_some_and(is_unscheduled) && findings.known(context.shoots(), &field, what).is_none()
    {
        return;
    }
    let is_deleted = bastion.new.is_some_and(|it| it.metadata.deletion_timestamp.is_some());
    let is_new = context.request.operation == Operation::Create;
    let (message, help) = match shoot {
        None => {
            let other = "name a Shoot of the namespace of the bastion";
            let help = instead_of_missing(context, Kind::Shoot, &name, other);
            (format!("there is no Shoot `{namespace}/{name}`"), help)
        }
        Some(shoot) if is_new && shoot.deleting => {
            (format!("Shoot `{name}` is being deleted"), "choose another Shoot".into())
        }
        Some(shoot) if is_unscheduled(shoot) => {
            (format!("Shoot `{name}` is not on a Seed yet"), "wait until it is scheduled".into())
        }
        Some(shoot) if !is_deleted && !shoot.has_ssh_access => {
            let help = "enable it with `spec.provider.workersSettings.sshAccess.enabled`";
            (format!("SSH access to the nodes of Shoot `{name}` is disabled"), help.into())
        }
        Some(_) => return,
    };
    findings.invalid(&UNUSABLE, field, message).value(name.as_str()).help(help);
}
