// SPDX-License-Identifier: Apache-2.0
//! Cron schedules and time zone names, compared with the libraries of Gardener's API server.

use crate::vectors::rows;
use garden_gate_text::go::{CronSchedule, is_location};
use jiff::Timestamp;

#[test]
fn every_cron_schedule_is_accepted_or_refused_alike() {
    for row in rows("cron", "vectors") {
        let spec = row["spec"].as_str().unwrap();
        let parsed = CronSchedule::parse(spec);
        assert_eq!(parsed.is_ok(), row["ok"], "{spec:?}: {parsed:?}");
    }
}

#[test]
fn every_schedule_activates_at_the_same_times() {
    for row in rows("cron", "next") {
        let spec = row["spec"].as_str().unwrap();
        let schedule = CronSchedule::parse(spec).unwrap();
        let mut instant: Timestamp = row["from"].as_str().unwrap().parse().unwrap();
        let expected = row["next"].as_array().unwrap();
        let mut times = Vec::new();
        while let Some(next) = schedule.next_after(instant).filter(|_| times.len() < 5) {
            times.push(next.to_string());
            instant = next;
        }
        assert_eq!(&times, expected, "{spec:?}");
    }
}

#[test]
fn every_time_zone_name_is_accepted_or_refused_alike() {
    for row in rows("location", "vectors") {
        // Names of the class `layout` depend on a directory tree that is missing here.
        if row["class"] != "layout" {
            let name = row["name"].as_str().unwrap();
            assert_eq!(is_location(name), row["ok"], "{name:?}");
        }
    }
}
