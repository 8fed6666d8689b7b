// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Update, rule};
use garden_gate_model::api::{Shoot, ShootStatus};

rule! {
    page: include_str!("status_immutable.md"),
    id: "shoot/status-immutable",
    summary: "rejects changes of immutable status fields",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Status]],
    findings: {
        CHANGED = "shoot/status-immutable": "`status.uid`, `status.technicalID` or `status.clusterIdentity` is changed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let fields = |status: &ShootStatus| {
        let identity = status.cluster_identity.clone();
        [Some(status.uid.clone()), Some(status.technical_id.clone()), identity]
    };
    let names = ["uid", "technicalID", "clusterIdentity"];
    let values = fields(&new.status).into_iter().zip(fields(&old.status));
    for (name, (new, old)) in names.into_iter().zip(values) {
        let was_set = old.as_ref().is_some_and(|old| !old.is_empty() || name == "clusterIdentity");
        if was_set && new != old {
            let message = format!(
                "the field is immutable once it is set; it was `{}`",
                old.unwrap_or_default()
            );
            let field = FieldPath::new("status").child(name);
            findings
                .invalid(&CHANGED, field, message)
                .value(new)
                .help(Help::restore("put the old value back"));
        }
    }
}
