use crate::defaults;
use crate::engine::{Context, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it does
    /// Worker pools get defaults for omitted fields: `updateStrategy: AutoRollingUpdate`, `cri.name: containerd`, `systemComponents.allow: true`. Further
    /// defaults depend on the strategy: `maxSurge` 1 and `maxUnavailable` 0 for rolling pools, 0 and 1 for `AutoInPlaceUpdate`, neither
    /// for `ManualInPlaceUpdate`; pools that are updated in place also get `machineControllerManager.disableHealthTimeout: true`.
    ///
    /// ## Why
    /// The stored object shows the behavior during an update. Note that the defaults of one strategy may be refused for another: from
    /// `AutoInPlaceUpdate` to `ManualInPlaceUpdate`, remove `maxSurge` and `maxUnavailable`.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE. Existing values, even invalid ones, are kept, so a second run changes nothing.
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
    /// webhooks, so in the webhook this changes nothing.
    id: "shoot/worker-update-strategy-default",
    summary: "worker pools get an update strategy and what belongs to it",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update]],
    // These defaults are applied for every rule; `defaults::incomplete` lists the conditions.
    acts_on_unchanged: [],
    effect: "the strategy and what belongs to it are filled in; nothing is refused",
    check: Mutate(mutate),
}

fn mutate(_: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, _: &mut Findings) {
    let pools = &mut shoot.spec.provider.workers;
    pools.iter_mut().for_each(defaults::worker);
}
