// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use super::channel::{Channel, Resources};
use super::delivery::{Delivery, DeliveryOptions, Report};
use super::destinations::{Destination, read_destinations};
use super::place::StatePlace;
use super::store::StoreError;
use crate::garden::live::LiveClient;
use garden_gate_products::report::LandscapeFacts;

/// Where messages go, and where the state is kept.
#[derive(Clone, Debug)]
pub struct NotifyOptions {
    /// The file of destinations, which is read again in each run.
    pub destinations: PathBuf,
    /// The state with the facts that were sent.
    pub state: StatePlace,
}

/// Sends the news of landscapes, again and again.
#[derive(Debug)]
pub struct Notifier {
    options: NotifyOptions,
    client: Option<Arc<LiveClient>>,
}

impl Notifier {
    /// Creates a notifier, and checks its destinations and their secrets.
    ///
    /// # Errors
    /// Fails if a destination cannot be used.
    pub fn new(options: NotifyOptions, client: Option<Arc<LiveClient>>) -> anyhow::Result<Self> {
        let notifier = Self { options, client };
        notifier.open()?;
        Ok(notifier)
    }

    fn open(&self) -> anyhow::Result<Vec<(Destination, Channel)>> {
        let (file, destinations) = read_destinations(&self.options.destinations)?;
        let resources = Resources { cluster: self.client.as_ref().map(|it| it.client()) };
        Channel::open_all(&file, destinations, &resources)
    }

    /// Sends the news of a landscape; if it `is_complete`, facts that are no longer true are forgotten.
    ///
    /// Nothing is sent if another replica does it at the same time. Messages that are not delivered are part of the next run.
    ///
    /// # Errors
    /// Fails if a destination or the state cannot be used.
    pub async fn send(
        &self,
        facts: &LandscapeFacts,
        is_complete: bool,
        within: Duration,
    ) -> anyhow::Result<Report> {
        let destinations = self.open()?;
        let client = self.client.as_ref().map(|it| it.client());
        let (store, mut state) = self.options.state.open(client).await?;
        state.retain(&destinations.iter().map(|(it, _)| it.name.clone()).collect());
        let options = DeliveryOptions { within, is_complete, has_all_projects: true };
        let delivery = Delivery { facts, destinations: &destinations, options };
        let (report, saved) = delivery.run(state, store).await;
        match saved {
            Err(StoreError::Conflict(_)) if report.sent == 0 => Ok(Report::default()),
            saved => {
                saved.context("the state was not saved, so messages are sent again")?;
                Ok(report)
            }
        }
    }
}
