// SPDX-License-Identifier: Apache-2.0
//! Watches of the Secret and the webhook configurations, so that changes by other clients are repaired at once.

use std::time::Duration;

use futures_util::{StreamExt as _, pin_mut};
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::api::core::v1::Secret;
use kube::api::{WatchEvent, WatchParams};
use kube::{Api, Client};
use tokio::time::sleep;

use super::keeper::Keeper;
use super::webhooks::{self, Configuration};
use crate::garden::live::innermost;

/// Timeout in seconds after which the API server ends a watch.
const WATCH_TIMEOUT: u32 = 60;
/// Delay after the end of a watch. The next one begins with the current object, so that no change is lost.
const PAUSE: Duration = Duration::from_secs(1);
/// Delay after a failed watch, in which periodic checks repair changes.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(10);

impl Keeper {
    /// Watches the Secret and the webhook configurations.
    /// Never returns.
    pub(super) async fn watch(&self) {
        let configurations = async {
            if let Some(name) = &self.options.webhook_configuration {
                tokio::join!(
                    self.watch_configuration::<MutatingWebhookConfiguration>(name),
                    self.watch_configuration::<ValidatingWebhookConfiguration>(name),
                );
            }
        };
        tokio::join!(self.watch_secret(), configurations);
    }

    async fn watch_secret(&self) {
        let api = |client| Api::<Secret>::namespaced(client, &self.options.namespace);
        self.watch_object(api, &self.options.secret, |secret, _| {
            !self.has_seen(secret.metadata.resource_version.as_deref())
        })
        .await;
    }

    async fn watch_configuration<C: Configuration>(&self, name: &str) {
        self.watch_object(Api::<C>::all, name, |configuration, is_deleted| {
            // A missing configuration needs no CA bundle.
            !is_deleted && self.lacks_bundle(configuration)
        })
        .await;
    }

    fn lacks_bundle(&self, configuration: &impl Configuration) -> bool {
        let published = self.published();
        let bundle = published.as_ref().map(|(bundle, _)| bundle);
        bundle.is_none_or(|bundle| webhooks::patch(configuration, bundle).is_some())
    }

    /// Watches one object, and reports its states that need a repair. The second argument of `needs_repair` is whether it
    /// was deleted.
    /// Never returns.
    async fn watch_object<K: webhooks::Object>(
        &self,
        api: impl Fn(Client) -> Api<K>,
        name: &str,
        needs_repair: impl Fn(&K, bool) -> bool,
    ) {
        let params =
            WatchParams::default().timeout(WATCH_TIMEOUT).fields(&format!("metadata.name={name}"));
        loop {
            let see = |object: &K, is_deleted| {
                if needs_repair(object, is_deleted) {
                    self.changes.add();
                }
            };
            // Version 0 begins with the current object.
            let api = api(self.api.client.client());
            let pause = match follow(&api, &params, see).await {
                Ok(()) => PAUSE,
                Err(error) => {
                    let why = innermost(&error);
                    tracing::debug!("failed to watch {} `{name}`: {why}", K::plural(&()));
                    PAUSE_AFTER_FAILURE
                }
            };
            sleep(pause).await;
        }
    }
}

/// Passes each state of an object to `see`, until the watch ends.
async fn follow<K: webhooks::Object>(
    api: &Api<K>,
    params: &WatchParams,
    see: impl Fn(&K, bool),
) -> Result<(), kube::Error> {
    let events = api.watch(params, "0").await?;
    pin_mut!(events);
    while let Some(event) = events.next().await {
        match event? {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => see(&object, false),
            WatchEvent::Deleted(object) => see(&object, true),
            WatchEvent::Bookmark(_) => {}
            WatchEvent::Error(status) => return Err(kube::Error::Api(status)),
        }
    }
    Ok(())
}
