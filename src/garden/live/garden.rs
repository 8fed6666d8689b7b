use std::collections::BTreeMap;
use std::fmt;

use futures_util::future::join_all;
use kube::Client;

use super::access::Accesses;
use super::ask::Lookups;
use super::collections::Collections;
use super::kinds::KINDS;
use super::state::State;
use super::watch::watch;
use super::{WatchState, WatchStatus};
use crate::garden::Snapshot;

/// A garden behind an API server. [`Self::watch`] has to run for anything to be seen.
pub struct LiveGarden {
    pub(super) client: Client,
    pub(super) lookups: Lookups,
    pub(super) accesses: Accesses,
    pub(super) collections: Collections,
    state: State,
}

impl fmt::Debug for LiveGarden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveGarden").finish_non_exhaustive()
    }
}

impl LiveGarden {
    /// A garden that gives every new state of its snapshot to `publish`, in order.
    #[must_use]
    pub fn new(client: Client, publish: impl Fn(Snapshot) + Send + Sync + 'static) -> Self {
        Self {
            client,
            lookups: Lookups::default(),
            accesses: Accesses::default(),
            collections: Collections::default(),
            state: State::new(Box::new(publish)),
        }
    }

    /// The client behind the garden.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Watches every kind, for ever.
    pub async fn watch(&self) {
        let watches = KINDS.map(|kind| watch(kind, self.client.clone(), &self.state));
        join_all(watches).await;
    }

    /// What a verdict would still need, given the ids of the rules that are enabled; `None` once everything is there.
    ///
    /// A kind that the API server does not serve is only needed if a rule that is enabled asks for it.
    #[must_use]
    pub fn missing(&self, enabled_rules: &[&str]) -> Option<String> {
        let watches = self.state.watches();
        let missing = KINDS.iter().filter_map(|kind| {
            let state = &watches.get(kind.kind)?.state;
            let resource = kind.resource();
            match state {
                WatchState::Synced => None,
                WatchState::Waiting => Some(format!("the list of {resource}")),
                WatchState::Failing(why) => Some(format!("the list of {resource} ({why})")),
                WatchState::NotServed if kind.is_needed(enabled_rules) => {
                    Some(format!("{resource}, which the API server does not serve"))
                }
                WatchState::NotServed => None,
            }
        });
        let missing: Vec<String> = missing.collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// What there is to know about each watch, by kind.
    #[must_use]
    pub fn watches(&self) -> BTreeMap<&'static str, WatchStatus> {
        self.state.watches()
    }
}
