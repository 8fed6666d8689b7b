// SPDX-License-Identifier: Apache-2.0
//! The faults of the API server and of the network.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::Instant;

use super::random::Random;
use garden_gate_model::api::Kind;

/// The effect of an outage on requests and watches.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Outage {
    /// Connections are refused, and existing ones end.
    Refused,
    /// All requests are answered with 503.
    Unavailable,
    /// Requests are never answered, and watches are silent.
    Silent,
}

pub(super) const OUTAGES: [Outage; 3] = [Outage::Refused, Outage::Unavailable, Outage::Silent];

/// The behaviour of the API server, which the actions of a run change.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    pub(super) outage: Option<(Outage, Instant)>,
    /// Failed requests per thousand.
    pub(super) errors: usize,
    /// Faults of watches per thousand events.
    pub(super) watch_faults: usize,
    /// The maximum delay of a response, half of it before the request is processed.
    pub(super) latency: u64,
    /// The maximum delay of the events of a watch, which is fixed when it starts.
    pub(super) lag: u64,
    /// The number of objects in a page.
    pub(super) page: usize,
    /// Whether watches end after the requested time; otherwise bookmarks keep them alive.
    pub(super) ends_watches: bool,
    /// The kinds that are answered with 403.
    pub(super) denied: BTreeSet<Kind>,
    /// The kinds that are answered with 404.
    pub(super) unserved: BTreeSet<Kind>,
    /// Whether SubjectAccessReviews are refused.
    pub(super) denies_reviews: bool,
    /// The number of times that all watches were broken.
    pub(super) breaks: u64,
}

impl Faults {
    /// Returns the behaviour of a healthy API server.
    pub(super) fn none() -> Self {
        Self {
            outage: None,
            errors: 0,
            watch_faults: 0,
            latency: 3,
            lag: 5,
            page: 500,
            ends_watches: true,
            denied: BTreeSet::new(),
            unserved: BTreeSet::new(),
            denies_reviews: false,
            breaks: 0,
        }
    }

    /// Returns the behaviour with which a run starts.
    pub(super) fn of_run(random: &mut Random) -> Self {
        Self {
            errors: *random.pick(&[0, 0, 20, 100, 300]),
            watch_faults: *random.pick(&[0, 0, 50, 200]),
            latency: *random.pick(&[0, 3, 40, 400, 3_000]),
            lag: *random.pick(&[0, 5, 100, 2_000, 20_000]),
            page: *random.pick(&[1, 2, 3, 500]),
            ends_watches: random.below(2) == 0,
            ..Self::none()
        }
    }

    pub(super) fn start_outage(&mut self, outage: Outage, duration: Duration) {
        self.outage = Some((outage, Instant::now() + duration));
    }

    /// Returns the current outage with its end.
    pub(super) fn outage(&self) -> Option<(Outage, Instant)> {
        self.outage.filter(|(_, end)| *end > Instant::now())
    }
}
