use crate::compat::dns_label_error;
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// `spec.schedulerName` is a DNS label. A Shoot without one has `default-scheduler`. `shoot/immutable-fields` checks
    /// that it never changes.
    ///
    /// ## Why
    /// A scheduler of another name cannot exist, so the Shoot would never get a seed.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the subresource `binding` included.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   schedulerName: My Scheduler
    /// ```
    ///
    /// ## How to fix
    /// Write the name in lower-case letters, digits and `-`.
    ///
    /// ## Gardener
    /// ValidateShootSpec in `pkg/api/core/validation/shoot.go` (422).
    id: "shoot/scheduler-name-invalid",
    summary: "a scheduler name is a DNS label",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED = "shoot/scheduler-name-invalid": "`spec.schedulerName` is not a DNS label",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(name) = shoot.new.and_then(|new| new.spec.scheduler_name.as_deref()) else {
        return;
    };
    let path = FieldPath::new("spec.schedulerName");
    if let Some(why) = dns_label_error(name) {
        let message = format!("`{name}` is not a name of a scheduler: {why}");
        findings
            .invalid(&MALFORMED, path, message)
            .value(name)
            .help("use a name such as `default-scheduler`");
    }
}
