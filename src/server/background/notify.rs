// SPDX-License-Identifier: Apache-2.0
//! Messages to the owners of Projects about the news of each forecast.

use std::sync::Arc;
use std::time::Duration;

use crate::notify::Report;
use crate::server::log::TEXT_LIMIT;
use crate::server::metrics::Metrics;
use crate::server::state::State;
use garden_gate_products::report::LandscapeFacts;
use garden_gate_text::escape::value_within;

/// Maximum time for the messages of a run.
const LONGEST: Duration = Duration::from_mins(10);
/// Maximum number of undelivered messages of a run in the log.
const LOGGED: usize = 5;

/// The news of a forecast.
#[derive(Debug)]
pub(super) struct News {
    pub(super) facts: LandscapeFacts,
    /// Whether all objects are known.
    pub(super) is_complete: bool,
}

/// Sends news within half of the time between two forecasts, and logs the result.
pub(super) async fn notify(news: News, every: Duration, state: Arc<State>) {
    let own = Arc::clone(&state);
    let sending = tokio::spawn(async move {
        let News { facts, is_complete } = news;
        match own.notifier.get() {
            Some(it) => it.send(&facts, is_complete, (every / 2).min(LONGEST)).await,
            None => Ok(Report::default()),
        }
    });
    // A panic is a defect, which does not end the server.
    let sent = sending.await.unwrap_or_else(|error| Err(error.into()));
    let metrics = &state.metrics;
    match sent {
        Ok(report) => log(&report, metrics),
        Err(error) => {
            let why = format!("{error:#}");
            let why = value_within(&why, TEXT_LIMIT);
            tracing::warn!("failed to send news to the owners of Projects: {why}");
            metrics.undelivered_notifications.inc();
        }
    }
}

fn log(report: &Report, metrics: &Metrics) {
    let (sent, undelivered) = (report.sent, report.undelivered.len());
    metrics.sent_notifications.inc_by(sent as u64);
    metrics.undelivered_notifications.inc_by(undelivered as u64);
    tracing::info!("sent {sent} messages with news to the owners of Projects");
    for it in report.undelivered.iter().take(LOGGED) {
        let (destination, project) = (&it.destination, value_within(&it.project, TEXT_LIMIT));
        let why = value_within(&it.why, TEXT_LIMIT);
        tracing::warn!("a message to {destination} about Project {project} failed: {why}");
    }
    if undelivered > 0 {
        tracing::warn!(
            "{undelivered} messages were not delivered; the next forecast tries them again"
        );
    }
}
