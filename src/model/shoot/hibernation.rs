use serde::Deserialize;

use crate::model::bounded;

/// Whether and when a [`Shoot`](crate::model::Shoot) sleeps.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootHibernation {
    /// Absent means no.
    pub enabled: Option<bool>,
    /// When to change `enabled`.
    #[serde(default, deserialize_with = "bounded::list")]
    pub schedules: Vec<HibernationSchedule>,
}

/// A time to fall asleep, a time to wake up, or both.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq)]
pub struct HibernationSchedule {
    /// When to fall asleep, as a cron schedule.
    pub start: Option<String>,
    /// When to wake up, as a cron schedule.
    pub end: Option<String>,
    /// The time zone of both; absent means UTC.
    pub location: Option<String>,
}
