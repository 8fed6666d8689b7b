// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Part, Section, UNFITTING, UNSUPPORTED, check as check_form, check_fields,
    check_kind,
};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::is_at_least;

rule! {
    page: include_str!("dns_form.md"),
    id: "shoot/dns-form",
    summary: "rejects an invalid domain and invalid or duplicate DNS providers",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, UNFITTING, UNSUPPORTED,
        PRIMARIES = "shoot/two-primary-dns-providers": "more than one DNS provider is primary",
        SAME = "shoot/dns-provider-repeated": "two DNS providers have the same type and credentials",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const SECTION: Section = Section { kind: "Shoot", at: &["spec", "dns"], except: &[] };

const UNMANAGED: &str = "unmanaged";

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    check_form(SECTION, context.new_opened(), facts, findings);
    let Some(dns) = received.at(&["spec", "dns"]) else {
        return;
    };
    let providers = dns.items_at(&["providers"]);
    check_domain(new, findings);
    let filled = new.spec.dns.iter().flat_map(|dns| &dns.providers);
    let mut before = PrecedingProviders::default();
    for (provider, filled) in providers.iter().zip(filled) {
        let is_late = is_at_least(facts.version, 1, 35);
        let credentials = Credentials::of(provider, is_late, context.request.is_template);
        credentials.check(provider, findings);
        let is_primary = filled.primary == Some(true);
        check_provider(provider, is_primary, &credentials, &mut before, findings);
    }
}

fn check_domain(shoot: &Shoot, findings: &mut Findings) {
    let mut providers = shoot.spec.dns.iter().flat_map(|dns| &dns.providers);
    let primary = providers.find(|it| it.primary == Some(true));
    let kind = primary.and_then(|it| it.kind.as_deref());
    if kind.is_some_and(|it| it != UNMANAGED) && shoot.domain().is_none() {
        let message = "there is no domain for the primary provider";
        findings
            .required(&MISSING, FieldPath::new("spec.dns.domain"), message)
            .help("set `spec.dns.domain`, or use type `unmanaged`");
    }
}

/// The credentials of a provider, with `secretName` and `credentialsRef` synchronized.
struct Credentials {
    secret: Option<String>,
    /// `apiVersion`, `kind` and `name`.
    reference: Option<[String; 3]>,
    /// Whether `secretName` is forbidden.
    is_late: bool,
}

impl Credentials {
    /// Returns the credentials of a provider; those in a template are not synchronized.
    fn of(provider: &Part<'_>, is_late: bool, is_template: bool) -> Self {
        let is_synced = !is_late && !is_template;
        let secret = provider.at(&["secretName"]).and_then(|it| it.text());
        let reference = provider
            .at(&["credentialsRef"])
            .map(|it| ["apiVersion", "kind", "name"].map(|field| it.text_at(&[field])));
        let of_secret = |name: &String| ["v1".to_owned(), "Secret".to_owned(), name.clone()];
        let synced = match (&secret, &reference) {
            (Some(name), None) if is_synced => Some(of_secret(name)),
            _ => None,
        };
        let reference = reference.or(synced);
        let name = reference.as_ref().filter(|it| it[0] == "v1" && it[1] == "Secret");
        let filled = name.filter(|_| is_synced).map(|it| it[2].clone());
        Self { secret: secret.or(filled), reference, is_late }
    }

    fn check(&self, provider: &Part<'_>, findings: &mut Findings) {
        let Some(reference) = &self.reference else {
            if self.secret.is_some() && !self.is_late {
                let message = "`secretName` is set, and `credentialsRef` is not";
                let field = provider.path().child("secretName");
                findings.forbid(&UNFITTING, field, message).help("set `credentialsRef`");
            }
            return;
        };
        let path = provider.path().child("credentialsRef");
        check_reference(reference, &path, findings);
        let [version, kind, name] = reference;
        let named = self.secret.as_deref().unwrap_or_default();
        let is_secret = version == "v1" && kind == "Secret";
        let field = provider.path().child("secretName");
        if is_secret && !self.is_late && named != name {
            let message = format!(
                "`secretName` is `{named}`, and `credentialsRef` names the Secret `{name}`"
            );
            findings.forbid(&UNFITTING, field, message).help(Help::remove("remove `secretName`"));
        } else if !is_secret && !named.is_empty() {
            let message = "`secretName` is set, and `credentialsRef` names no Secret";
            findings.forbid(&UNFITTING, field, message).help(Help::remove("remove `secretName`"));
        }
    }
}

/// Mirrors validateCredentialsRef in `pkg/api/core/validation/utils.go`.
fn check_reference(reference: &[String; 3], path: &FieldPath, findings: &mut Findings) {
    let fields = ["apiVersion", "kind", "name"].into_iter().zip(reference);
    check_fields(fields, path, findings);
    let [version, kind, _] = reference.clone();
    check_kind([version, kind], path, findings);
}

/// The preceding providers.
#[derive(Default)]
struct PrecedingProviders {
    /// Their types with their credentials.
    known: Vec<(String, [String; 3])>,
    has_primary: bool,
}

/// Reports the first violation in the combination of providers only.
fn check_provider(
    provider: &Part<'_>,
    is_primary: bool,
    credentials: &Credentials,
    before: &mut PrecedingProviders,
    findings: &mut Findings,
) {
    let kind = provider.at(&["type"]).and_then(|it| it.text());
    let path = provider.path();
    if let (Some(kind), Some(reference)) = (&kind, &credentials.reference) {
        let both = (kind.clone(), reference.clone());
        if before.known.contains(&both) {
            let message = "another DNS provider has the same type and credentials";
            findings.invalid(&SAME, path.clone(), message).help("keep one of them");
            return;
        }
        before.known.push(both);
    }
    if is_primary && std::mem::replace(&mut before.has_primary, true) {
        let message = "another DNS provider is primary already";
        findings.forbid(&PRIMARIES, path.child("primary"), message).help("keep one of them");
        return;
    }
    let field = path.child("credentialsRef");
    match (&kind, &credentials.reference) {
        (Some(kind), Some(_)) if kind == UNMANAGED => {
            let message = "a DNS provider of type `unmanaged` has no credentials";
            findings.invalid(&UNFITTING, field, message).help("remove them");
        }
        (None, Some(_)) => {
            let message = "a DNS provider with credentials has no type";
            findings.required(&MISSING, path.child("type"), message).help("set `type`");
        }
        (_, None) if !is_primary => {
            let message = "a DNS provider that is not primary has no credentials";
            findings.required(&MISSING, field, message).help("set `credentialsRef`");
        }
        _ => {}
    }
}
