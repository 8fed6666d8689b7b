// SPDX-License-Identifier: Apache-2.0
//! The first line of a plan.

use std::time::Duration;

use super::quantity::{bounds, counted, plural, span, usual};
use super::{Action, Bounds, ChangePlan, PoolPlan, ShootPlan, Totals};
use garden_gate_text::number;

/// Formats the first line: the machines, the waves, the duration, and the additional machines.
pub fn headline(change: &ChangePlan) -> String {
    if change.is_empty() {
        return "there are no Shoots".to_owned();
    }
    let shoots: Vec<&[PoolPlan]> = change.active().map(|it| it.plan.pools.as_slice()).collect();
    let mut line = of_pools(&shoots, &change.totals());
    let missing = change.undetermined.len();
    let partial = change.shoots.iter().filter(|it| !it.undetermined.is_empty()).count();
    if missing + partial > 0 {
        let count = missing + partial;
        let shoots = if count == 1 { "Shoot is" } else { "Shoots are" };
        line += &format!("; {} {shoots} undetermined", number(count));
    }
    line
}

/// Formats the same line for one Shoot.
pub fn headline_of_shoot(shoot: &ShootPlan) -> String {
    let mut line = of_pools(&[&shoot.plan.pools], &shoot.plan.totals);
    if !shoot.undetermined.is_empty() {
        let count = shoot.undetermined.len();
        let pools = if count == 1 { "pool has" } else { "pools have" };
        line += &format!("; {} {pools} no plan", number(count));
    }
    line
}

/// Formats the same line for the pools that are certainly replaced; `None` if there are none.
///
/// It leaves the duration at worst out, which depends on timeouts in the profile.
pub fn replacements(shoot: &ShootPlan) -> Option<String> {
    let pools = shoot.plan.pools.iter().filter(|it| it.is_certain && it.action == Action::Replace);
    let pools: Vec<PoolPlan> = pools.filter(|it| !it.totals.replaced.is_zero()).cloned().collect();
    let totals = pools.iter().fold(Totals::default(), |sum, pool| sum.beside(&pool.totals));
    let replaced = Clauses { shoots: &[&pools], totals: &totals }.all().into_iter().next()?;
    Some(format!("{replaced}, {}{}", usual(totals.time), extra_machines(&totals)))
}

fn extra_machines(totals: &Totals) -> String {
    if totals.extra.is_zero() {
        return String::new();
    }
    format!("; {} at a time", counted(totals.extra, "extra machine"))
}

fn of_pools(shoots: &[&[PoolPlan]], totals: &Totals) -> String {
    let clauses = Clauses { shoots, totals }.all();
    if clauses.is_empty() {
        return "no machine is replaced, created, deleted or updated in place".to_owned();
    }
    let mut line = clauses.join(", ");
    if totals.time.worst > Duration::ZERO {
        line += &format!(", {}", span(totals.time));
    }
    line + &extra_machines(totals)
}

/// The parts of the first line.
struct Clauses<'a> {
    /// The pools of each Shoot.
    shoots: &'a [&'a [PoolPlan]],
    totals: &'a Totals,
}

type Number = fn(&Totals) -> Bounds;

impl Clauses<'_> {
    fn all(&self) -> Vec<String> {
        let totals = self.totals;
        let automatic: Number = |it| it.updated.minus(it.waiting);
        let parts = [
            (totals.replaced, self.in_waves(|it| it.replaced, "replaced")),
            (automatic(totals), self.in_waves(automatic, "updated in place")),
            (totals.created, format!(" {} created", are(totals.created))),
            (totals.deleted, format!(" {} deleted", are(totals.deleted))),
            (totals.waiting, format!(" {} for a selection of their nodes", wait(totals.waiting))),
        ];
        let mut clauses = Vec::new();
        for (count, rest) in parts.into_iter().filter(|(count, _)| !count.is_zero()) {
            let noun = if clauses.is_empty() {
                format!(" machine{}", plural(count))
            } else {
                String::new()
            };
            clauses.push(format!("{}{noun}{rest}", bounds(count)));
        }
        clauses
    }

    /// Formats ` in 2 pools are replaced in 6 waves`.
    fn in_waves(&self, count: Number, what: &str) -> String {
        let has = |it: &&PoolPlan| !count(&it.totals).is_zero();
        let concerned = self.shoots.iter().filter(|pools| pools.iter().any(|it| has(&it)));
        let pools: Vec<&PoolPlan> =
            self.shoots.iter().flat_map(|pools| pools.iter()).filter(has).collect();
        let waves =
            pools.iter().fold(Bounds::default(), |waves, pool| waves.max(pool.totals.waves));
        let shoots = match (concerned.count(), self.shoots.len()) {
            (_, 0 | 1) => String::new(),
            (1, _) => " of 1 Shoot".to_owned(),
            (many, _) => format!(" of {} Shoots", number(many)),
        };
        let plural = if pools.len() == 1 { "" } else { "s" };
        let (verb, waves) = (are(count(self.totals)), counted(waves, "wave"));
        format!(" in {} pool{plural}{shoots} {verb} {what} in {waves}", number(pools.len()))
    }
}

fn are(count: Bounds) -> &'static str {
    if count.most == 1 { "is" } else { "are" }
}

fn wait(count: Bounds) -> &'static str {
    if count.most == 1 { "waits" } else { "wait" }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Amount, Plan, Pool, Size, example_pool as pool};

    use super::*;

    fn line(pools: &[Pool]) -> String {
        let plan = Plan::of(pools);
        of_pools(&[&plan.pools], &plan.totals)
    }

    /// The example of `docs/explanation/rolling-updates.md`.
    #[test]
    fn pools_roll_at_the_same_time() {
        let pools = [pool("a", 6, 6, 1), pool("b", 6, 6, 3)];
        let expected = "12 machines in 2 pools are replaced in 6 waves, 18 min to 1 h, at worst 14 h 36; 2 extra machines at a time";
        assert_eq!(line(&pools), expected);
    }

    #[test]
    fn unknown_number_of_machines_is_a_range() {
        let pools = [pool("a", 1, 4, 1)];
        let expected = "1 to 4 machines in 1 pool are replaced in 1 to 4 waves, 3 min to 40 min, at worst 9 h 44; 1 extra machine at a time";
        assert_eq!(line(&pools), expected);
        let known = [Pool { current: vec![2], ..pools[0].clone() }];
        let expected = "2 machines in 1 pool are replaced in 2 waves, 6 min to 20 min, at worst 4 h 52; 1 extra machine at a time";
        assert_eq!(line(&known), expected);
    }

    #[test]
    fn renamed_pool_is_created_before_the_old_one_is_deleted() {
        let old = Pool { after: None, ..pool("a", 3, 3, 1) };
        let new = Pool { before: None, ..pool("b", 3, 5, 1) };
        let expected = "3 machines are created, 3 are deleted, 3 min to 10 min, at worst 2 h 26";
        assert_eq!(line(&[new, old]), expected);
    }

    #[test]
    fn appended_zones_lower_the_maximum_of_the_first() {
        let mut pool = pool("a", 3, 30, 1);
        pool.action = Action::Keep;
        pool.current = vec![12];
        let zones = ["x", "y", "z"].map(str::to_owned).to_vec();
        pool.after = Some(Size { minimum: 3, maximum: 30, zones });
        let expected = "2 machines are created, 2 are deleted, 2 min to 6 min, at worst 2 h 06";
        assert_eq!(line(&[pool]), expected);
    }

    #[test]
    fn updates_in_place_are_counted_apart() {
        let update = Pool {
            action: Action::UpdateInPlace,
            surge: Amount::Machines(0),
            unavailable: Amount::Machines(1),
            ..pool("a", 2, 2, 1)
        };
        let manual = Pool { action: Action::UpdateByHand, ..pool("b", 3, 3, 1) };
        let expected = "2 machines in 1 pool are updated in place in 2 waves, 3 wait for a selection of their nodes, 8 min to 28 min, at worst 4 h 48";
        assert_eq!(line(&[update, manual]), expected);
    }

    #[test]
    fn plan_without_machines_is_reported() {
        let expected = "no machine is replaced, created, deleted or updated in place";
        assert_eq!(line(&[]), expected);
        assert_eq!(line(&[pool("a", 0, 0, 3)]), expected);
    }
}
