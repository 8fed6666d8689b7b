use crate::compat::dns_subdomain_error;
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// `spec.exposureClassName` is a DNS name, as the names of ExposureClasses are.
    ///
    /// ## Why
    /// An ExposureClass of another name cannot exist.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the `binding` subresource included. The name may change.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   exposureClassName: Intranet   # no capital letters
    /// ```
    ///
    /// ## How to fix
    /// Write the name in lower-case letters, digits, `-` and `.`.
    ///
    /// ## Gardener
    /// `ValidateShootSpec` in `pkg/api/core/validation/shoot.go`, by static validation (422). No differences.
    id: "shoot/exposureclass-name-invalid",
    summary: "the name of an ExposureClass is a DNS name",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED = "shoot/exposureclass-name-invalid": "`spec.exposureClassName` is not a DNS name",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(name) = shoot
        .new
        .and_then(|new| new.spec.exposure_class_name.as_deref())
    else {
        return;
    };
    if let Some(why) = dns_subdomain_error(name) {
        let message = format!("`{name}` is not a name of an ExposureClass: {why}");
        let path = FieldPath::new("spec.exposureClassName");
        findings
            .invalid(&MALFORMED, path, message)
            .value(name)
            .help("use a name such as `intranet`");
    }
}
