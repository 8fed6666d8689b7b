// SPDX-License-Identifier: Apache-2.0
use super::defaults::Defaults;
use super::is_unmanaged;
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("default_domain_misused.md"),
    id: "shoot/default-domain-misused",
    summary: "rejects a subdomain of a default domain without the names of Shoot and Project",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Seed, Project, Secret],
    findings: {
        FORM = "shoot/default-domain-misused": "a domain below a default domain is not `<shoot>.<project>.<default domain>`",
        PRIMARY = "shoot/default-domain-with-primary-provider": "a DNS provider is primary although the domain is below a default domain",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Some(domain) = new.domain() else { return };
    let defaults = Defaults::of(context, new);
    if defaults.domains.is_none() {
        return;
    }
    let Some(above) = defaults.above(domain) else {
        return;
    };
    check_providers(new, domain, above, findings);
    let was_free = |old: &Shoot| old.seed_name().is_none() || old.domain().is_none();
    if shoot.old.is_none_or(was_free) && !is_unmanaged(new) {
        let project = defaults.project.as_deref();
        check_form(context, new, domain, above, project, findings);
    }
}

fn check_providers(shoot: &Shoot, domain: &str, above: &str, findings: &mut Findings) {
    let providers = shoot.spec.dns.iter().flat_map(|dns| &dns.providers);
    let primary = providers.enumerate().filter(|(_, it)| it.primary == Some(true));
    for (index, _) in primary {
        let field = FieldPath::new("spec.dns.providers").index(index);
        let message = format!(
            "nobody but Gardener manages `{domain}`, which is below the default domain `{above}`"
        );
        findings
            .invalid(&PRIMARY, field.child("primary"), message)
            .value(true)
            .help(Help::remove("remove `primary`, or use a domain of your own"));
    }
}

fn check_form(
    context: &Context<'_>,
    shoot: &Shoot,
    domain: &str,
    above: &str,
    project: Option<&str>,
    findings: &mut Findings,
) {
    // A missing Project is reported by other rules.
    let Some(project) = project else { return };
    let name = &shoot.metadata.name;
    let is_named = !has_made_up_name(context, name);
    let end = format!(".{project}.{above}");
    let fits =
        if is_named { domain.strip_suffix(&end) == Some(name) } else { domain.ends_with(&end) };
    if fits {
        return;
    }
    let message = format!(
        "`{domain}` is below the default domain `{above}`, but is not called after Shoot and Project"
    );
    let stored = context.old_opened().opened_at(&["spec", "dns", "domain"]);
    let help = match is_named {
        _ if !stored.is_null() => "the domain is immutable; make another Shoot".into(),
        true => {
            Help::remove(format!("leave it out to get `{name}{end}`, or use a domain of your own"))
        }
        false => Help::remove(format!("leave it out to get one that ends with `{end}`")),
    };
    let field = FieldPath::new("spec.dns.domain");
    findings.invalid(&FORM, field, message).value(domain).help(help);
}

/// Reports whether the API server generates the name, or has generated it.
fn has_made_up_name(context: &Context<'_>, name: &str) -> bool {
    let prefix = Part::whole(context.new_opened()).text_at(&["metadata", "generateName"]);
    !prefix.is_empty() && name.starts_with(&prefix) || name.is_empty()
}
