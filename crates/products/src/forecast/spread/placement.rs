// SPDX-License-Identifier: Apache-2.0
//! The choice of days on which versions expire.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::civil::Date;

/// The machines of each day.
pub(super) type Load = BTreeMap<Date, u32>;

/// The machines that the expiration of one version affects.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The machines of each day, with the present expiration date.
    pub(super) load: Load,
    /// The days on which the version may expire instead, from first to last; `None` if there are none.
    pub(super) days: Option<(Date, Date)>,
}

impl Group {
    /// Returns the sum over all days.
    pub(super) fn machines(&self) -> u32 {
        self.load.values().copied().fold(0, u32::saturating_add)
    }
}

/// Adds machines to a day.
pub(super) fn add(load: &mut Load, day: Date, machines: u32) {
    let sum = load.entry(day).or_default();
    *sum = sum.saturating_add(machines);
}

/// Chooses the day of each group; `None` keeps the present date.
///
/// The largest groups choose first, each the day with the lowest sum: the present one if no other has fewer machines, then the earliest.
/// `load` are the machines that no group contains.
pub(super) fn place(groups: &[Group], mut load: Load) -> Vec<Option<Date>> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|index| (Reverse(groups[*index].machines()), *index));
    let mut days = vec![None; groups.len()];
    for index in order {
        let group = &groups[index];
        let of_day = |day: &Date| load.get(day).copied().unwrap_or_default();
        let kept = group.load.iter().map(|(day, machines)| of_day(day).saturating_add(*machines));
        let kept = kept.max().unwrap_or_default();
        let machines = group.machines();
        let other = days_of(group.days).min_by_key(of_day);
        let other = other.filter(|day| of_day(day).saturating_add(machines) < kept);
        match other {
            Some(day) => add(&mut load, day, machines),
            None => group.load.iter().for_each(|(day, machines)| add(&mut load, *day, *machines)),
        }
        days[index] = other;
    }
    days
}

fn days_of(range: Option<(Date, Date)>) -> impl Iterator<Item = Date> {
    let (first, last) = range.unzip();
    let next = |day: &Date| day.tomorrow().ok();
    std::iter::successors(first, next).take_while(move |day| last.is_some_and(|last| *day <= last))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn day(day: i8) -> Date {
        date(2026, 12, day)
    }

    fn group(load: &[(i8, u32)], days: Option<(i8, i8)>) -> Group {
        Group {
            load: load.iter().map(|(of, machines)| (day(*of), *machines)).collect(),
            days: days.map(|(first, last)| (day(first), day(last))),
        }
    }

    fn placed(groups: &[Group], fixed: &[(i8, u32)]) -> Vec<Option<i8>> {
        let fixed = group(fixed, None).load;
        place(groups, fixed).into_iter().map(|it| it.map(Date::day)).collect()
    }

    #[test]
    fn largest_group_keeps_its_day() {
        let groups = [5, 9, 7].map(|machines| group(&[(2, machines)], Some((2, 5))));
        assert_eq!(placed(&groups, &[]), [Some(4), None, Some(3)]);
    }

    #[test]
    fn groups_fill_the_days_evenly() {
        let groups = [6, 5, 4, 3, 2].map(|machines| group(&[(2, machines)], Some((2, 3))));
        assert_eq!(placed(&groups, &[]), [None, Some(3), Some(3), None, None]);
    }

    #[test]
    fn machines_without_a_choice_are_avoided() {
        let groups = [group(&[(2, 4)], Some((2, 4)))];
        assert_eq!(placed(&groups, &[(2, 8), (3, 1)]), [Some(4)]);
    }

    #[test]
    fn group_without_other_days_keeps_its_date() {
        assert_eq!(placed(&[group(&[(2, 4)], None)], &[(2, 8)]), [None]);
        assert_eq!(placed(&[], &[]), []);
    }

    #[test]
    fn group_of_two_days_keeps_them_if_its_sum_is_worse() {
        let groups = [group(&[(2, 4), (3, 4)], Some((3, 6)))];
        assert_eq!(placed(&groups, &[]), [None]);
    }

    #[test]
    fn largest_numbers_saturate() {
        let groups = [u32::MAX; 2].map(|machines| group(&[(2, machines)], Some((2, 2))));
        assert_eq!(placed(&groups, &[]), [None, None]);
    }
}
