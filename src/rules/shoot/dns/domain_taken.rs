use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{Shoot, ShootName};

rule! {
    /// ## What it checks
    /// No two Shoots have the same domain, and no Shoot's domain is below that of another one.
    ///
    /// ## Why
    /// The DNS records of both Shoots would conflict.
    ///
    /// ## Applies to
    /// Shoots, on CREATE, and on UPDATE if the specification changes, by a binding, too, in `garden-gate review`: an API server has
    /// refused the request before it calls a webhook. Shoots that are being deleted keep their domains. The domain may be one that
    /// `shoot/dns-default` fills in.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   dns:
    ///     domain: a.apps.example.com   # another Shoot has `apps.example.com`
    /// ```
    ///
    /// ## How to fix
    /// Choose another domain.
    ///
    /// ## Gardener
    /// `validateDNSDomainUniqueness` in `plugin/pkg/shoot/validator/admission.go` (403). Where several Shoots conflict, Gardener reports
    /// any of them; here one with the same domain comes first.
    id: "shoot/domain-taken",
    summary: "the domain of a Shoot is its own",
    phase: Admission,
    level: Deny,
    door: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Shoot],
    only_if: Changed,
    findings: {
        SAME = "shoot/domain-taken": "another Shoot has the same domain",
        WITHIN = "shoot/domain-overlaps": "the domain is below that of another Shoot, or the other way round",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    let Some(domain) = new.domain().filter(|domain| !domain.is_empty()) else {
        return;
    };
    let own = ShootName {
        namespace: context.request.namespace.as_str().into(),
        name: new.metadata.name.as_str().into(),
    };
    let Some(rival) = context.rival_of(domain, &own) else {
        return;
    };
    if shoot.old.is_some() && context.changed_fields(new).is_empty() {
        return;
    }
    let field = FieldPath::new("spec.dns.domain");
    let (other, theirs) = (rival.shoot, rival.domain);
    let found = if theirs == domain {
        let message = format!("`{domain}` is the domain of Shoot `{other}`");
        findings.duplicate(&SAME, field, message)
    } else if domain.len() > theirs.len() {
        let message = format!("`{domain}` is below `{theirs}`, the domain of Shoot `{other}`");
        findings.forbid(&WITHIN, field, message)
    } else {
        let message = format!("`{theirs}`, the domain of Shoot `{other}`, is below `{domain}`");
        findings.forbid(&WITHIN, field, message)
    };
    found.value(domain).help("choose another domain");
}
