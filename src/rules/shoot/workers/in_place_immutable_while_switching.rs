use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::rules::shoot::change::compared;
use crate::rules::shoot::workers::in_place_immutable::changes;
use crate::rules::shoot::workers::pool_pairs::pairs;

rule! {
    /// ## What it checks
    /// A worker pool that switches between `AutoInPlaceUpdate` and `ManualInPlaceUpdate` keeps its machine type, the name of its machine
    /// image, its container runtime and its whole `volume`. `shoot/in-place-immutable` requires the same for pools that do not switch.
    ///
    /// ## Why
    /// The machines stay under both strategies. Gardener compares only pools whose strategy does not change. A switch in
    /// the same request bypasses the check, and the machines of the pool do not match its spec.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, `binding` included.
    ///
    /// ## Example
    /// ```yaml
    /// updateStrategy: ManualInPlaceUpdate   # was AutoInPlaceUpdate
    /// machine:
    ///   type: m5.xlarge                     # was m5.large
    /// ```
    ///
    /// ## How to fix
    /// Switch the strategy alone. For other machines add a new pool.
    ///
    /// ## Gardener
    /// Its documentation requires it, its code (ValidateProviderUpdate in `pkg/api/core/validation/shoot.go`) does not check it. Off in profile
    /// `gardener`.
    id: "shoot/in-place-immutable-while-switching",
    summary: "switching between the in-place strategies does not change what machines are made of",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        CHANGED = "shoot/in-place-immutable-while-switching": "a pool switches its in-place strategy and changes what its machines are made of",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, old)) = compared(context, shoot) else {
        return;
    };
    for pool in pairs(new, Some(old)) {
        let Some(before) = pool.old else { continue };
        let in_place = before.is_in_place() && pool.new.is_in_place();
        if !in_place || before.update_strategy == pool.new.update_strategy {
            continue;
        }
        for changed in changes(&pool, before) {
            findings.add(changed.offence(&CHANGED, &pool));
        }
    }
}
