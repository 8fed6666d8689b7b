// SPDX-License-Identifier: Apache-2.0
//! Delivery: one message per Project and destination.

use std::collections::BTreeSet;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use futures_util::future::join_all;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::channel::Channel;
use super::destinations::Destination;
use super::failure::Remedy;
use super::store::{Store, StoreError};
use garden_gate_products::report::{LandscapeFacts, Message, NotificationState, ProjectNews};

/// Maximum number of attempts for a message.
const ATTEMPTS: usize = 4;
/// Time before the second attempt, and the maximum before later ones.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Number of messages that may fail in a row before the others of a destination are not tried.
const FAILURES: usize = 3;

/// The delivery of the news of a landscape.
#[derive(Debug)]
pub struct Delivery<'a> {
    /// The facts of the landscape.
    pub facts: &'a LandscapeFacts,
    /// The destinations with their connections.
    pub destinations: &'a [(Destination, Channel)],
    /// The options.
    pub options: DeliveryOptions,
}

/// Options of a delivery.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryOptions {
    /// The maximum time of a run.
    pub within: Duration,
    /// Whether all objects of the selected Projects are known. Otherwise no fact is forgotten.
    pub is_complete: bool,
    /// Whether all Projects are selected, so that others no longer exist.
    pub has_all_projects: bool,
}

/// The result of a delivery.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of delivered messages.
    pub sent: usize,
    /// The objects in delivered messages: whether each is a Shoot, and its digest.
    objects: BTreeSet<(bool, u32)>,
    /// The Projects without news for any destination.
    pub quiet: usize,
    /// The messages that were not delivered.
    pub undelivered: Vec<Undelivered>,
}

/// A message that was not delivered.
#[derive(Debug)]
pub struct Undelivered {
    /// The name of the destination.
    pub destination: String,
    /// The Project.
    pub project: String,
    /// The reason, escaped and without secrets.
    pub why: String,
}

/// The state that destinations share.
struct Shared {
    state: NotificationState,
    store: Store,
    report: Report,
    /// Projects with news, and all Projects, for the destinations.
    noisy: BTreeSet<String>,
    projects: BTreeSet<String>,
    /// The first error of the state, after which nothing is sent.
    broken: Option<StoreError>,
}

impl Shared {
    async fn save(&mut self) {
        if self.broken.is_none()
            && let Err(error) = self.store.save(&self.state).await
        {
            self.broken = Some(error);
        }
    }
}

/// Records that destinations, with their days of reminders, know all facts; sends nothing.
///
/// # Errors
/// Fails if the state cannot be saved.
pub async fn mark(
    facts: &LandscapeFacts,
    destinations: &[(&str, &[u16])],
    is_complete: bool,
    (mut state, mut store): (NotificationState, Store),
) -> Result<(), StoreError> {
    for (name, remind) in destinations {
        for news in state.news(name, facts, remind) {
            state.record(name, (news.facts(), facts), remind, is_complete);
        }
    }
    store.save(&state).await
}

impl Report {
    /// Returns the objects in delivered messages: whether each is a Shoot, and its digest.
    pub fn objects(&self) -> &BTreeSet<(bool, u32)> {
        &self.objects
    }
}

impl Delivery<'_> {
    /// Delivers the news to all destinations at the same time, and saves the state after each message.
    ///
    /// A message that was not delivered is in the news of the next run.
    ///
    /// # Errors
    /// Fails if the state cannot be saved, after which nothing more is sent; also returns the report.
    pub async fn run(
        &self,
        mut state: NotificationState,
        store: Store,
    ) -> (Report, Result<(), StoreError>) {
        if self.options.is_complete && self.options.has_all_projects {
            for (destination, _) in self.destinations {
                state.forget_missing(&destination.name, self.facts);
            }
        }
        let mut shared = Shared {
            state,
            store,
            report: Report::default(),
            noisy: BTreeSet::new(),
            projects: BTreeSet::new(),
            broken: None,
        };
        // A place that cannot be written is an error before the first message.
        shared.save().await;
        let shared = Mutex::new(shared);
        let deadline = Instant::now() + self.options.within;
        let all = self.destinations.iter().map(|(destination, channel)| {
            self.deliver_all(destination, channel, &shared, deadline)
        });
        join_all(all).await;
        let mut shared = shared.into_inner();
        shared.save().await;
        let Shared { mut report, noisy, projects, broken, .. } = shared;
        report.quiet = projects.difference(&noisy).count();
        (report, broken.map_or(Ok(()), Err))
    }

    /// Delivers the news to one destination, one message after another.
    async fn deliver_all(
        &self,
        destination: &Destination,
        channel: &Channel,
        shared: &Mutex<Shared>,
        deadline: Instant,
    ) {
        let Destination { name, remind, .. } = destination;
        let all = shared.lock().await.state.news(name, self.facts, remind);
        let mut sender = Sender { destination, channel, next: Instant::now(), deadline };
        let (mut failures, mut stopped) = (0, None);
        for news in all.iter().filter(|it| destination.takes(it.facts().project())) {
            let project = news.facts().project();
            let is_broken = {
                let mut shared = shared.lock().await;
                shared.projects.insert(project.to_owned());
                shared.broken.is_some()
            };
            let record = |state: &mut NotificationState| {
                state.record(name, (news.facts(), self.facts), remind, self.options.is_complete);
            };
            let Some(message) = news.message() else {
                record(&mut shared.lock().await.state);
                continue;
            };
            let delivered = match &stopped {
                _ if is_broken => Err("not tried, since the state cannot be saved".to_owned()),
                Some(why) => Err(format!("not tried: {why}")),
                None => sender.deliver(news, &message).await.map_err(|(why, remedy)| {
                    // Others are not affected by a message that is refused.
                    failures += usize::from(matches!(remedy, Remedy::Retry(_)));
                    if remedy == Remedy::GiveUpAll || failures == FAILURES {
                        stopped = Some(why.clone());
                    }
                    why
                }),
            };
            let mut shared = shared.lock().await;
            shared.noisy.insert(project.to_owned());
            match delivered {
                Ok(()) => {
                    failures = 0;
                    shared.report.sent += 1;
                    shared.report.objects.extend(news.objects());
                    record(&mut shared.state);
                    shared.save().await;
                }
                Err(why) => shared.report.undelivered.push(Undelivered {
                    destination: name.clone(),
                    project: project.to_owned(),
                    why,
                }),
            }
        }
    }
}

/// Sends messages to one destination.
struct Sender<'a> {
    destination: &'a Destination,
    channel: &'a Channel,
    /// The earliest time of the next attempt.
    next: Instant,
    deadline: Instant,
}

impl Sender<'_> {
    /// Delivers a message, with retries until the deadline.
    ///
    /// # Errors
    /// Fails with the last reason, and whether other messages are worth an attempt.
    async fn deliver(
        &mut self,
        news: &ProjectNews<'_>,
        message: &Message,
    ) -> Result<(), (String, Remedy)> {
        let mut waits = ExponentialBuilder::new()
            .with_min_delay(FIRST_WAIT)
            .with_max_delay(LONGEST_WAIT)
            .with_max_times(ATTEMPTS - 1)
            .with_jitter()
            .build();
        loop {
            if self.next >= self.deadline {
                return Err(("no time is left; --within sets it".to_owned(), Remedy::GiveUpAll));
            }
            sleep_until(self.next).await;
            let attempt = self.channel.deliver(self.destination, news, message);
            let attempt = timeout_at(self.deadline, attempt).await;
            self.next = Instant::now() + self.destination.interval;
            let failure = match attempt {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(failure)) => failure,
                Err(_) => {
                    let why = "no answer until the end of the time; --within sets it";
                    return Err((why.to_owned(), Remedy::GiveUpAll));
                }
            };
            let Remedy::Retry(at_least) = failure.remedy else {
                return Err((failure.why, failure.remedy));
            };
            let Some(wait) = waits.next() else { return Err((failure.why, failure.remedy)) };
            let Some(next) = Instant::now()
                .checked_add(wait.max(at_least))
                .map(|it| it.max(self.next))
                .filter(|it| *it < self.deadline)
            else {
                let why = format!("{}; no time is left to retry, --within sets it", failure.why);
                return Err((why, Remedy::GiveUpAll));
            };
            self.next = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Delivery, NotificationState, Store};

    /// A server spawns it.
    #[test]
    fn delivery_can_move_between_threads() {
        fn check<T: Send>(_: impl FnOnce(Delivery<'static>, NotificationState, Store) -> T) {}
        check(|delivery, state, store| async move { delivery.run(state, store).await });
    }
}
