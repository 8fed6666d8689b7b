// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;
use jiff::tz::TimeZone;

use garden_gate_core::rules::HIBERNATION_POSSIBLE;
use garden_gate_model::api::{HibernationSchedule, Shoot};
use garden_gate_text::go::{CronSchedule, clip, zone};

/// Maximum size of a quoted message in bytes.
pub(super) const LONGEST_MESSAGE: usize = 200;

/// The hibernation state of a cluster at a given time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Sleep {
    /// The cluster is not hibernated.
    Awake,
    /// The cluster wakes up from hibernation at this time.
    Until(Timestamp),
    /// The cluster is hibernated until a user wakes it up.
    Indefinitely,
}

/// The hibernation of a Shoot according to its schedules.
pub(super) struct Sleeping {
    now: Timestamp,
    is_hibernated: bool,
    schedules: Vec<Schedule>,
    /// Problems with the schedules, one sentence each.
    pub(super) remarks: Vec<String>,
}

/// A schedule for hibernation or for waking up.
struct Schedule {
    cron: CronSchedule,
    zone: TimeZone,
    wakes: bool,
}

impl Sleeping {
    /// Parses the hibernation of a Shoot.
    /// Schedules that never fire are skipped, with a remark.
    pub(super) fn of(shoot: &Shoot, now: Timestamp) -> Self {
        let hibernation = shoot.spec.hibernation.as_ref();
        let mut sleeping = Self {
            now,
            is_hibernated: shoot.wants_hibernation(),
            schedules: Vec::new(),
            remarks: Vec::new(),
        };
        let schedules = hibernation.into_iter().flat_map(|it| &it.schedules);
        for (index, schedule) in schedules.enumerate() {
            if let Err(why) = sleeping.add(schedule, now) {
                let remark =
                    format!("spec.hibernation.schedules[{index}] counts for nothing: {why}");
                sleeping.remarks.push(remark);
            }
        }
        sleeping.stay_awake(shoot);
        sleeping
    }

    /// Drops the schedules for hibernation of a Shoot that cannot be hibernated now, with a remark.
    fn stay_awake(&mut self, shoot: &Shoot) {
        let Some(constraint) =
            shoot.status.constraint(HIBERNATION_POSSIBLE).filter(|it| it.status != "True")
        else {
            return;
        };
        let count = self.schedules.len();
        self.schedules.retain(|it| it.wakes);
        if self.schedules.len() < count {
            self.remarks.push(format!(
                "its schedules do not hibernate it: constraint `{HIBERNATION_POSSIBLE}` is `{}`: {}",
                constraint.status,
                clip(constraint.message.clone(), LONGEST_MESSAGE)
            ));
        }
    }

    fn add(&mut self, schedule: &HibernationSchedule, now: Timestamp) -> Result<(), String> {
        let location = schedule.location.as_deref().unwrap_or("UTC");
        let zone = zone(location).ok_or_else(|| format!("there is no time zone `{location}`"))?;
        let mut read = Vec::new();
        for (text, wakes) in [(&schedule.start, false), (&schedule.end, true)] {
            let Some(text) = text else { continue };
            let cron = CronSchedule::parse(text).map_err(|why| format!("`{text}`: {why}"))?;
            let schedule = Schedule { cron, zone: zone.clone(), wakes };
            if schedule.next_after(now).is_none() {
                return Err(format!("`{text}` never comes"));
            }
            read.push(schedule);
        }
        self.schedules.extend(read);
        Ok(())
    }

    /// Returns the hibernation state at `at`, which must not be before `now`.
    pub(super) fn at(&self, at: Timestamp) -> Sleep {
        // The current state persists until a schedule changes it.
        let changes = self.next(self.now, |it| it.wakes == self.is_hibernated);
        if changes.is_none_or(|change| at < change) {
            return match (self.is_hibernated, changes) {
                (false, _) => Sleep::Awake,
                (true, Some(wakes)) => Sleep::Until(wakes),
                (true, None) => Sleep::Indefinitely,
            };
        }
        let [wakes, falls] = [true, false].map(|wakes| self.next(at, |it| it.wakes == wakes));
        match (wakes, falls) {
            (Some(wakes), Some(falls)) if wakes < falls => Sleep::Until(wakes),
            (None, Some(_)) if !self.is_hibernated => Sleep::Indefinitely,
            _ => Sleep::Awake,
        }
    }

    fn next(&self, at: Timestamp, is_meant: impl Fn(&Schedule) -> bool) -> Option<Timestamp> {
        let meant = self.schedules.iter().filter(|it| is_meant(it));
        meant.filter_map(|it| it.next_after(at)).min()
    }
}

impl Schedule {
    /// Returns the next time in the schedule's time zone.
    /// A local time skipped by daylight saving moves forward.
    fn next_after(&self, at: Timestamp) -> Option<Timestamp> {
        let local =
            at.to_zoned(self.zone.clone()).datetime().to_zoned(TimeZone::UTC).ok()?.timestamp();
        let next = self.cron.next_after(local)?.to_zoned(TimeZone::UTC).datetime();
        Some(next.to_zoned(self.zone.clone()).ok()?.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rstest::rstest;
    use serde_json::json;

    use super::{Sleep, Sleeping};
    use garden_gate_model::api::Shoot;

    fn sleeping(location: &str) -> Sleeping {
        let schedule = json!({"start": "0 20 * * 1,2,3,4,5", "end": "0 6 * * 1,2,3,4,5", "location": location});
        let shoot = json!({"spec": {"hibernation": {"schedules": [schedule]}}});
        let shoot: Shoot = serde_json::from_value(shoot).unwrap();
        Sleeping::of(&shoot, Timestamp::UNIX_EPOCH)
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[rstest]
    #[case::working("2026-10-22T12:00:00Z", Sleep::Awake)]
    #[case::in_the_summer("2026-10-22T22:00:00Z", Sleep::Until(at("2026-10-23T04:00:00Z")))]
    #[case::over_the_end_of_summer_time(
        "2026-10-23T22:00:00Z",
        Sleep::Until(at("2026-10-26T05:00:00Z"))
    )]
    fn it_sleeps_by_the_clocks_of_its_zone(#[case] time: &str, #[case] expected: Sleep) {
        assert_eq!(sleeping("Europe/Berlin").at(at(time)), expected);
    }

    #[rstest]
    #[case::impossible("False", Sleep::Awake, 1)]
    #[case::unknown("Unknown", Sleep::Awake, 1)]
    #[case::possible("True", Sleep::Until(at("2026-10-23T04:00:00Z")), 0)]
    fn shoot_that_cannot_be_hibernated_stays_awake(
        #[case] status: &str,
        #[case] expected: Sleep,
        #[case] remarks: usize,
    ) {
        let schedule =
            json!({"start": "0 20 * * *", "end": "0 6 * * *", "location": "Europe/Berlin"});
        let constraint =
            json!({"type": "HibernationPossible", "status": status, "message": "a webhook"});
        let shoot = json!({
            "spec": {"hibernation": {"schedules": [schedule]}}, "status": {"constraints": [constraint]},
        });
        let shoot: Shoot = serde_json::from_value(shoot).unwrap();
        let sleeping = Sleeping::of(&shoot, Timestamp::UNIX_EPOCH);
        assert_eq!(sleeping.at(at("2026-10-22T22:00:00Z")), expected);
        assert_eq!(sleeping.remarks.len(), remarks, "{:?}", sleeping.remarks);
    }

    #[test]
    fn unknown_time_zone_is_noted() {
        let sleeping = sleeping("Europe/Atlantis");
        let remark = "spec.hibernation.schedules[0] counts for nothing: there is no time zone `Europe/Atlantis`";
        assert_eq!(sleeping.remarks, [remark]);
        assert_eq!(sleeping.at(at("2026-10-22T22:00:00Z")), Sleep::Awake);
    }
}
