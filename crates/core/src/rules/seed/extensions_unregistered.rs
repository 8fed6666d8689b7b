// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, Kind, rule};
use crate::rules::shared::references::registered::{EXTENSION, Registered};
use crate::rules::shared::validation::{Part, is_unchanged};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("extensions_unregistered.md"),
    id: "seed/extensions-unregistered",
    summary: "rejects a Seed that needs an unregistered extension",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Seed [Create, Update]],
    reads: [ControllerRegistration],
    findings: {
        UNREGISTERED = "seed/extensions-unregistered": "no registered extension supports a type that the Seed uses",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The kinds of extension resources for a provider, for backups, and for domains.
const PROVIDER: &[&str] = &["ControlPlane"];
const BACKUP: &[&str] = &["BackupBucket", "BackupEntry"];
const DOMAIN: &[&str] = &["DNSRecord"];

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let is_same = seed.old.is_some() && is_unchanged(context, "Seed", &["spec"]);
    if is_same || !context.absence_is_known(Kind::ControllerRegistration) {
        return;
    }
    let Some(registered) = Registered::for_clusters("seed", context, findings) else {
        return;
    };
    for (kinds, field, class) in used(&Part::whole(context.new_opened())) {
        // Other rules report missing required types.
        if !class.is_empty() && kinds.iter().any(|kind| !registered.has(kind, &class)) {
            registered.forbid(&UNREGISTERED, (kinds, &class), field, findings);
        }
    }
}

/// A needed extension: the kinds, the field that requires it, and the type.
type Used = (&'static [&'static str], FieldPath, String);

fn used(seed: &Part<'_>) -> Vec<Used> {
    let named = |kinds, dotted: &'static str, path: &[&'static str]| {
        (kinds, FieldPath::new(dotted), seed.text_at(path))
    };
    let mut used = vec![
        named(PROVIDER, "spec.provider.type", &["spec", "provider", "type"]),
        named(BACKUP, "spec.backup.provider", &["spec", "backup", "provider"]),
    ];
    if seed.at(&["spec", "ingress"]).is_some() {
        let path = ["spec", "dns", "provider", "type"];
        used.push(named(DOMAIN, "spec.dns.provider.type", &path));
    }
    for extension in seed.items_at(&["spec", "extensions"]) {
        let field = extension.path().child("type");
        used.push((&[EXTENSION], field, extension.text_at(&["type"])));
    }
    used
}
