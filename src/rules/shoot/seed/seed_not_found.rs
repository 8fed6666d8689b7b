use crate::engine::{Change, Context, Findings, Kind, rule};
use crate::model::{Seed, Shoot};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shoot::seed::placement::seed_name_path;

rule! {
    /// ## What it checks
    /// The Seed that `spec.seedName` names exists.
    ///
    /// ## Why
    /// No seed would host the control plane.
    ///
    /// ## Applies to
    /// Shoots with a seed name, on CREATE and UPDATE, the subresources `binding` and `status` included, and on DELETE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   seedName: no-such-seed
    /// Name an existing Seed, or omit the field and the scheduler chooses one. If the Seed of an existing Shoot is gone, an operator must restore
    /// it before the Shoot can be changed or deleted.
    /// ## How to fix
    /// Name an existing Seed, or none to have one chosen. If the Seed of an existing Shoot is gone, an operator must bring
    /// it back before the Shoot can be changed or deleted.
    ///
    /// ## Gardener
    /// `plugin/pkg/shoot/mutator/admission.go` and `plugin/pkg/shoot/validator/admission.go`, both with an internal error
    /// (500); a clear refusal here.
    id: "shoot/seed-not-found",
    summary: "the seed of a Shoot exists",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding, Status]; Shoot [Delete]],
    reads: [Seed],
    findings: {
        NOT_FOUND = "shoot/seed-not-found": "there is no Seed of the name in `spec.seedName`",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let name = shoot.new.or(shoot.old).and_then(Shoot::seed_name);
    // Another rule refuses an empty name.
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return;
    };
    let found = findings.known(
        context.get::<Seed>(name).answer(),
        &seed_name_path(),
        format_args!("what Seed `{name}` is like"),
    );
    if let Some(None) = found {
        let message = format!("there is no Seed `{name}`");
        let path = seed_name_path();
        let otherwise = "name an existing Seed, or leave the field out";
        findings
            .not_found(&NOT_FOUND, path, message)
            .value(name)
            .help(instead_of_missing(context, (Kind::Seed, name), otherwise));
    }
}
