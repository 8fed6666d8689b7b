use super::pool_pairs::{path, reaches_machines, when};
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{Shoot, Worker};
use crate::rolls::removals;

rule! {
    /// ## What it checks
    /// The worker pools that a change removes, with their maximum numbers of machines. If a new pool has the shape of a removed one, the rule reports that,
    /// too: it
    /// looks like a rename, and a pool cannot be renamed.
    ///
    /// Two pools have the same shape if they differ only in the name; else, if they have the same machine type, architecture, name of the machine
    /// image and zones. A new pool replaces one pool at most; the order of both lists decides.
    ///
    /// ## Why
    /// Gardener identifies pools by their names. A pool that is missing in the list is drained and all its machines are deleted, with the data that pods
    /// keep on local volumes; the new one starts without machines. An intended rename has destroyed whole clusters.
    /// ## Applies to
    /// Shoots, on UPDATE. Shoots that are hibernated or being hibernated, Shoots in deletion, pools with a maximum of 0 and machines that
    /// Gardener does not manage have no machines to lose.
    ///
    /// ## Example
    /// ```yaml
    /// workers:
    ///   - name: batch   # was a: warns that pool a goes with up to 10 machines
    ///     maximum: 10
    /// ```
    ///
    /// ## How to fix
    /// No change is needed if the machines may be deleted. Else proceed in three steps: add the new pool and wait for its nodes; cordon and drain the nodes of
    /// the old
    /// one, so that pods move at the pace that their PodDisruptionBudgets allow; then remove it.
    ///
    /// ## Gardener
    /// Gardener does not warn. The worker controllers of the providers delete the machines of removed pools
    /// (`extensions/pkg/controller/worker/genericactuator`).
    id: "shoot/worker-pools-removed",
    summary: "says which worker pools a change removes or seems to rename",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        REMOVED = "shoot/worker-pools-removed": "the change removes a pool with its machines",
        RENAMED = "shoot/worker-pools-renamed": "the change removes a pool with its machines and adds one of the same shape",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (shoot.new, shoot.old) else {
        return;
    };
    if !reaches_machines(new, old) {
        return;
    }
    let removals = removals(old, new).into_iter();
    for removal in removals.filter(|removal| removal.pool.maximum != 0) {
        let removes = format!("{}this change {}", when(new), removes(removal.pool));
        match removal.successor {
            None => findings
                .forbid(&REMOVED, FieldPath::new("spec.provider.workers"), removes)
                .help("what pods keep on local volumes is lost; drain the nodes first, at a pace that suits the pods"),
            Some((index, successor)) => findings
                .forbid(
                    &RENAMED,
                    path(index).child("name"),
                    format!(
                        "{removes} and adds `{}`; looks like a rename",
                        successor.name
                    ),
                )
                .value(successor.name.as_str())
                .help("a pool cannot be renamed: add the new one first, drain the nodes of the old one, then remove it; what pods keep on local volumes is lost"),
        };
    }
}

fn removes(pool: &Worker) -> String {
    let machines = match pool.maximum {
        1 => "1 machine".to_owned(),
        maximum => format!("{maximum} machines"),
    };
    format!(
        "removes pool `{}` (up to {machines}, drained and deleted)",
        pool.name
    )
}
