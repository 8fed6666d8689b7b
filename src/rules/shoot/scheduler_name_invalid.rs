use crate::compat::dns_label_error;
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// `spec.schedulerName` is a DNS label, and stays what it is. A Shoot without one has `default-scheduler`.
    ///
    /// ## Why
    /// A Shoot belongs to one scheduler; if it could change hands, two might choose a seed for it.
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
    /// Name the scheduler when the Shoot is created, in lower-case letters, digits and `-`.
    ///
    /// ## Gardener
    /// ValidateShootSpec and ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go` (422).
    pub(crate) static RULE {
        id: "shoot/scheduler-name-invalid",
        summary: "a scheduler name is a DNS label and never changes",
        phase: Static,
        scopes: [Shoot [Create, Update] ["", "binding"]],
        documented: Deny,
        gardener: Deny,
        findings: [MALFORMED, CHANGED],
        check: Check::Shoot(check),
    }
}

static MALFORMED: FindingKind = FindingKind {
    id: "shoot/scheduler-name-malformed",
    summary: "`spec.schedulerName` is not a DNS label",
};
static CHANGED: FindingKind = FindingKind {
    id: "shoot/scheduler-name-changed",
    summary: "`spec.schedulerName` is changed",
};

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(name) = shoot.new.and_then(|new| new.spec.scheduler_name.as_deref()) else {
        return;
    };
    let path = FieldPath::new("spec.schedulerName");
    if let Some(why) = dns_label_error(name) {
        let message = format!("`{name}` is not a name of a scheduler: {why}");
        let offence = Offence::new(&MALFORMED, ErrorType::Invalid, path.clone(), message);
        findings.add(
            offence
                .value(name)
                .help("use a name such as `default-scheduler`"),
        );
    }
    let stored = shoot.old.and_then(|old| old.spec.scheduler_name.as_deref());
    if let Some(stored) = stored.filter(|stored| *stored != name) {
        let message = format!("the scheduler cannot be changed from `{stored}` to `{name}`");
        let offence = Offence::new(&CHANGED, ErrorType::Invalid, path, message);
        findings.add(offence.value(name).help(format!("keep `{stored}`")));
    }
}
