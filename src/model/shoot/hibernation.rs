use serde::Deserialize;

use crate::model::bounded;

/// Hibernation of a [`Shoot`](crate::model::Shoot), and its schedules.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootHibernation {
    /// Whether the Shoot is to be hibernated; absent means no.
    pub enabled: Option<bool>,
    /// The times at which Gardener changes `enabled`.
    #[serde(default, deserialize_with = "bounded::list")]
    pub schedules: Vec<HibernationSchedule>,
}

/// A time to hibernate, a time to wake up, or both.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq)]
pub struct HibernationSchedule {
    /// The time to hibernate, as a cron schedule.
    pub start: Option<String>,
    /// The time to wake up, as a cron schedule.
    pub end: Option<String>,
    /// The time zone of both; absent means UTC.
    pub location: Option<String>,
}
