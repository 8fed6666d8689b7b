use crate::defaults;
use crate::engine::{Context, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it does
    /// Worker pools get what they leave out: `updateStrategy: AutoRollingUpdate`, `cri.name: containerd`, `systemComponents.allow: true`, and what
    /// belongs to their strategy: `maxSurge` 1 and `maxUnavailable` 0 for rolling pools, 0 and 1 for `AutoInPlaceUpdate`, neither
    /// for `ManualInPlaceUpdate`; pools that are updated in place also `machineControllerManager.disableHealthTimeout: true`.
    ///
    /// ## Why
    /// The stored object says what happens during an update. Note that the defaults of one strategy may be refused for another: from
    /// `AutoInPlaceUpdate` to `ManualInPlaceUpdate`, remove `maxSurge` and `maxUnavailable`.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE. Values that are there, even wrong ones, are kept, so a second run changes nothing.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   provider:
    ///     workers:
    ///     - name: a
    ///       updateStrategy: AutoInPlaceUpdate   # maxSurge 0, maxUnavailable 1, disableHealthTimeout true
    /// ```
    ///
    /// ## How to fix
    /// It refuses nothing.
    ///
    /// ## Gardener
    /// SetDefaults_Worker in `pkg/apis/core/v1beta1/defaults_shoot.go`. Gardener's API server defaults an object before it calls
    /// webhooks, so there this changes nothing.
    id: "shoot/worker-update-strategy-default",
    summary: "worker pools get an update strategy and what belongs to it",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update]],
    // All that it fills in is filled in for every rule, and `defaults::incomplete` says when.
    acts_on_unchanged: [],
    effect: "the strategy and what belongs to it are filled in; nothing is refused",
    check: Mutate(mutate),
}

fn mutate(_: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, _: &mut Findings) {
    let pools = &mut shoot.spec.provider.workers;
    pools.iter_mut().for_each(defaults::worker);
}
