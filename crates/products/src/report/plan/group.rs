// SPDX-License-Identifier: Apache-2.0
//! Shoots with equal plans.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::rows::{Body, first};
use crate::report::truncation::number;
use garden_gate_core::plan::{ChangePlan, ShootPlan};

/// Maximum number of Shoots that a heading names.
const NAMED: usize = 3;

/// Shoots with the same plan.
pub(super) struct Group<'a> {
    pub(super) body: Body,
    shoots: Vec<&'a ShootPlan>,
}

impl Group<'_> {
    /// Formats the heading, such as `2 Shoots: garden-dev/a, garden-dev/b`.
    pub(super) fn heading(&self) -> String {
        let names = first(self.shoots.iter().map(|it| it.title()), NAMED);
        match self.shoots.len() {
            1 => format!("Shoot {names}"),
            count => format!("{} Shoots: {names}", number(count)),
        }
    }

    /// Returns the number of Shoots.
    pub(super) fn count(&self) -> usize {
        self.shoots.len()
    }

    /// Returns the order: Shoots that need a person, then by the number of machines.
    fn order(&self) -> Reverse<(bool, u64, usize)> {
        let machines: u64 = self.shoots.iter().map(|it| machines(it)).fold(0, u64::saturating_add);
        Reverse((!self.body.act.is_empty(), machines, self.shoots.len()))
    }
}

fn machines(shoot: &ShootPlan) -> u64 {
    let totals = &shoot.plan.totals;
    let disrupted = [totals.replaced, totals.updated, totals.deleted, totals.created];
    disrupted.iter().map(|it| u64::from(it.most)).sum()
}

/// Returns the groups of Shoots in which machines change or a person must act, most urgent first.
pub(super) fn groups(change: &ChangePlan) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<Body, usize> = HashMap::new();
    for shoot in &change.shoots {
        let body = Body::of(shoot);
        if body.rows.is_empty() && body.act.is_empty() {
            continue;
        }
        let index = *known.entry(body.clone()).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.shoots.push(shoot),
            None => groups.push(Group { body, shoots: vec![shoot] }),
        }
    }
    groups.sort_by_key(Group::order);
    groups
}

/// Formats the number of Shoots without effects on machines; `None` if there are none.
pub(super) fn rest(change: &ChangePlan, groups: &[Group<'_>]) -> Option<String> {
    let shown: usize = groups.iter().map(Group::count).sum();
    let idle = change.shoots.len().saturating_sub(shown);
    let parts = [
        (idle, "changed Shoots without an effect on machines"),
        (change.unchanged, "unchanged Shoots"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, what)| match count {
            1 => format!("1 {}", what.replacen("Shoots", "Shoot", 1)),
            count => format!("{} {what}", number(*count)),
        })
        .collect();
    (!parts.is_empty()).then(|| format!("Also {}.", parts.join(", ")))
}
