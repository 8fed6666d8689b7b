// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG,
    UNSUPPORTED, check as check_form, check_credentials, check_made_label, check_metadata,
    check_resources, extension_types,
};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("form.md"),
    id: "seed/form",
    summary: "rejects an invalid provider, domain, backup or name of a Seed",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Seed [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNSUPPORTED },
    fixes: Safe,
    check: Judge(check),
}

const SECTIONS: [&[&str]; 7] = [
    PROVIDER,
    &["spec", "backup"],
    &["spec", "volume"],
    &["spec", "dns"],
    INGRESS,
    &["spec", "extensions"],
    &["spec", "resources"],
];

const PROVIDER: &[&str] = &["spec", "provider"];
const INGRESS: &[&str] = &["spec", "ingress"];
/// The part of [`PROVIDER`] that is not filled in later.
const ZONES: &[&str] = &["spec", "provider", "zones"];

fn check(context: &Context<'_>, _: Change<'_, Seed>, findings: &mut Findings) {
    let seed = Part::whole(context.new_opened());
    let is_template = context.request.is_template;
    if !is_template {
        check_metadata(context, Naming::Label, findings);
    }
    for at in SECTIONS {
        let at = if is_template && at == PROVIDER { ZONES } else { at };
        if is_template && at == INGRESS && seed.at(at).is_none() {
            continue;
        }
        let section = Section { kind: "Seed", at, except: &[] };
        // A backup is optional.
        if at != ["spec", "backup"] || seed.at(at).is_some() {
            check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
        }
    }
    // Labels are made when the Seed is created.
    for named in types(&seed).into_iter().filter(|_| !is_template) {
        check_made_label(&named, findings);
    }
    check_backup(&seed, findings);
    check_domains(&seed, findings);
    check_resources(&seed, findings);
}

/// Returns the types that become labels.
fn types<'a>(seed: &Part<'a>) -> Vec<Part<'a>> {
    let named = |field: &'static [&'static str], dotted| {
        seed.at(field).unwrap_or_else(|| Part::absent(dotted))
    };
    let mut types = vec![named(&["spec", "provider", "type"], "spec.provider.type")];
    if seed.at(&["spec", "backup"]).is_some() {
        let field = &["spec", "backup", "provider"];
        types.push(named(field, "spec.backup.provider"));
    }
    if seed.at(&["spec", "dns", "provider"]).is_some() {
        let field = &["spec", "dns", "provider", "type"];
        types.push(named(field, "spec.dns.provider.type"));
    }
    types.extend(extension_types(seed));
    types
}

fn check_backup(seed: &Part<'_>, findings: &mut Findings) {
    let Some(backup) = seed.at(&["spec", "backup"]) else {
        return;
    };
    let (own, named) = (seed.text_at(&["spec", "provider", "type"]), backup.text_at(&["provider"]));
    if own != named && backup.text_at(&["region"]).is_empty() {
        let message = format!(
            "backups go to `{named}`, not to the Seed's provider `{own}`, and name no region"
        );
        let field = backup.path().child("region");
        findings.invalid(&MISSING, field, message).help("name it");
    }
    if let Some(reference) = backup.at(&["credentialsRef"]) {
        check_credentials(&reference, "", findings);
    }
}

fn check_domains(seed: &Part<'_>, findings: &mut Findings) {
    let dns = |field| seed.at(&["spec", "dns", field]);
    if seed.at(&["spec", "dns"]).is_none() {
        let message = "there is no domain for internal addresses";
        let field = FieldPath::new("spec.dns.internal");
        let help = "set `dns.internal`";
        findings.required(&MISSING, field, message).help(help);
    }
    if seed.at(&["spec", "ingress"]).is_some() && dns("provider").is_none() {
        let message = "nobody serves the domain for ingresses";
        let field = FieldPath::new("spec.dns.provider");
        let help = "set `dns.provider`";
        findings.required(&MISSING, field, message).help(help);
    }
    if let Some(reference) = dns("provider").and_then(|it| it.at(&["credentialsRef"])) {
        check_credentials(&reference, "", findings);
    }
    let defaults = dns("defaults").map(|it| it.items()).unwrap_or_default();
    for domain in dns("internal").into_iter().chain(defaults) {
        let reference = domain.at(&["credentialsRef"]);
        let nothing = || domain.empty("credentialsRef");
        check_credentials(&reference.unwrap_or_else(nothing), "", findings);
    }
}
