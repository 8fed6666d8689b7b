// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use garden_gate_products::forecast::{Class, Maintenance, ShootForecast, UnknownForecast};

/// Counts of a forecast for metrics.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// The number of Shoots with a forecast.
    pub(crate) shoots: usize,
    /// The number of Shoots without a forecast.
    pub(crate) unknown: usize,
    /// The next forced update by Project, blocked or not.
    pub(super) forced: BTreeMap<String, Timestamp>,
    /// Blocked updates by Project and by the finding that blocks them.
    pub(super) blocked: BTreeMap<(String, &'static str), Blocked>,
}

/// Updates of a Project that one finding blocks.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Blocked {
    pub(super) updates: usize,
    /// The next run with a forced update.
    pub(super) forced: Option<Timestamp>,
}

impl Totals {
    /// Counts one more Shoot.
    pub(crate) fn add(&mut self, forecast: Result<&ShootForecast, &UnknownForecast>) {
        let Ok(ShootForecast { owner, forecast }) = forecast else {
            self.unknown += 1;
            return;
        };
        self.shoots += 1;
        for window in &forecast.windows {
            self.add_window(&owner.project, window);
        }
    }

    fn add_window(&mut self, project: &str, window: &Maintenance) {
        let is_forced = window.events.iter().any(|it| it.class == Class::Forced);
        let forced = is_forced.then_some(window.earliest);
        if let Some(at) = forced {
            let next = self.forced.entry(project.to_owned()).or_insert(at);
            *next = at.min(*next);
        }
        let possible = |class| class != Class::NoUpdatePossible;
        let updates = window.events.iter().filter(|it| possible(it.class)).count();
        let rules: BTreeSet<&str> = window.blocked.iter().map(|it| it.rule).collect();
        for rule in rules {
            let blocked = self.blocked.entry((project.to_owned(), rule)).or_default();
            blocked.updates += updates;
            blocked.forced = blocked.forced.into_iter().chain(forced).min();
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{Blocked, Totals};
    use garden_gate_products::forecast::{Blocker, Class, Event, Maintenance, Part, Sleep};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn window(second: i64, class: Class, rules: &[&'static str]) -> Maintenance {
        let blocker = |rule: &&'static str| Blocker {
            rule,
            field: String::new(),
            message: String::new(),
            help: String::new(),
        };
        let event = Event {
            part: Part::ControlPlane,
            from: "1.30.1".to_owned(),
            to: Some("1.31.1".to_owned()),
            class,
            cause: String::new(),
            effects: Vec::new(),
            advice: String::new(),
            oddities: Vec::new(),
        };
        Maintenance {
            begin: at(second),
            earliest: at(second),
            latest: at(second + 1),
            events: vec![event],
            blocked: rules.iter().map(blocker).collect(),
            unknown: Vec::new(),
            sleep: Sleep::Awake,
            machines: None,
        }
    }

    #[test]
    fn totals_have_the_next_forced_update_and_blocked_ones_by_rule() {
        let mut totals = Totals::default();
        totals.add_window("dev", &window(50, Class::Forced, &[]));
        totals.add_window("dev", &window(10, Class::Regular, &["a"]));
        totals.add_window("dev", &window(40, Class::Forced, &["a", "b", "a"]));
        totals.add_window("dev", &window(60, Class::Forced, &["b"]));
        totals.add_window("prod", &window(5, Class::NoUpdatePossible, &[]));
        let forced: Vec<_> = totals.forced.into_iter().collect();
        assert_eq!(forced, [("dev".to_owned(), at(40))]);
        let blocked: Vec<_> = totals.blocked.into_iter().collect();
        let expected = |rule, updates, forced| {
            let forced = Some(at(forced));
            (("dev".to_owned(), rule), Blocked { updates, forced })
        };
        assert_eq!(blocked, [expected("a", 2, 40), expected("b", 2, 40)]);
    }
}
