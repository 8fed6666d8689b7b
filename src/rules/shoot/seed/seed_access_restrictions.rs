use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::{new_seed, seed_name_path};

rule! {
    /// ## What it checks
    /// The seed of a Shoot supports all access restrictions of the Shoot. Their options are not compared.
    ///
    /// ## Why
    /// Users with access to the seed have access to the control planes on it.
    ///
    /// ## Applies to
    /// Shoots that get a seed: on CREATE with a seed name, and on UPDATE of the subresource `binding`.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   seedName: aws-us1          # without access restrictions
    ///   accessRestrictions:
    ///   - name: eu-access-only
    /// ```
    ///
    /// ## How to fix
    /// Choose a seed with the access restriction in its `spec.accessRestrictions`, or leave the choice to the scheduler.
    ///
    /// ## Gardener
    /// validateScheduling in `plugin/pkg/shoot/validator/admission.go` (403).
    id: "shoot/seed-access-restrictions",
    summary: "the seed of a Shoot supports its access restrictions",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]; Shoot [Update] [Binding]],
    reads: [Seed],
    findings: {
        UNSUPPORTED = "shoot/seed-access-restrictions": "the new seed of the Shoot lacks an access restriction of the Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = new_seed(context, shoot, findings) else {
        return;
    };
    let wanted = &new.spec.access_restrictions;
    if seed.supports(wanted) {
        return;
    }
    let name = &seed.metadata.name;
    let missing = seed.unsupported(wanted);
    let message = match missing.is_empty() {
        true => format!("the Shoot has more access restrictions than seed `{name}`"),
        false => format!(
            "seed `{name}` does not support these access restrictions of the Shoot: {}",
            list(missing)
        ),
    };
    let path = seed_name_path();
    findings
        .forbid(&UNSUPPORTED, path, message)
        .value(name.clone())
        .help("choose a seed that supports them");
}
