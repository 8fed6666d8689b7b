use crate::engine::{Change, Context, Findings, rule};
use crate::garden::AccessAnswer;
use crate::model::Shoot;
use crate::rules::shoot::seed::placement::seed_name_path;

rule! {
    /// ## What it checks
    /// A user who creates a Shoot with `spec.seedName` may `update` the subresource `shoots/binding` of that Shoot.
    ///
    /// ## Why
    /// The scheduler and operators assign seeds; creating a Shoot must not bypass them.
    ///
    /// ## Applies to
    /// Shoots with a seed name, on CREATE. An update of the subresource `binding` needs the same permission anyway.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   seedName: aws-eu1   # by a user who may create Shoots, but not bind them
    /// ```
    ///
    /// ## How to fix
    /// Omit `spec.seedName`, or have an operator grant `update` on `shoots/binding`.
    ///
    /// ## Gardener
    /// validateScheduling in `plugin/pkg/shoot/validator/admission.go` (403), with a SubjectAccessReview.
    id: "shoot/seed-name-create-unauthorized",
    summary: "whoever creates a Shoot on a seed may bind it",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]],
    reads: [Verbs],
    findings: {
        UNAUTHORIZED = "shoot/seed-name-create-unauthorized": "the requester names a seed but may not bind the Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = shoot.new.and_then(|new| Some((new, new.seed_name()?))) else {
        return;
    };
    let user = &context.request.user_info.username;
    let path = seed_name_path();
    let name = &new.metadata.name;
    match context.requester_may_on("update", ("shoots", "binding"), name) {
        AccessAnswer::Allowed => {}
        AccessAnswer::Denied => {
            let message = format!(
                "setting `spec.seedName` needs the verb `update` on `shoots/binding`, which user `{user}` does not have"
            );
            findings
                .forbid(&UNAUTHORIZED, path, message)
                .value(seed)
                .help("leave spec.seedName out; the scheduler chooses a seed");
        }
        AccessAnswer::Unknown(why) => {
            let message =
                format!("cannot tell whether user `{user}` may bind Shoot `{name}`: {why}");
            findings.undetermined(&path, message);
        }
    }
}
