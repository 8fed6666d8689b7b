use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use kube::Client;

use super::access::Accesses;
use super::ask::Lookups;
use super::asker::Users;
use super::collections::Collections;
use super::label_lookup::LabelLookups;
use super::share::Share;
use super::state::State;
use super::watch::watch;
use super::{LiveClient, WatchState, WatchStatus};
use crate::garden::Snapshot;
use crate::model::Kind;

/// Requests at a time for collections and for what is asked for each time.
const AT_A_TIME: usize = 8;

/// A garden behind an API server. [`Self::watch`] has to run for anything to be seen.
pub struct LiveGarden {
    client: Arc<LiveClient>,
    pub(super) lookups: Lookups,
    pub(super) accesses: Accesses,
    pub(super) collections: Collections,
    pub(super) unwatched: LabelLookups,
    pub(super) users: Users,
    state: Arc<State>,
}

impl fmt::Debug for LiveGarden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveGarden").finish_non_exhaustive()
    }
}

impl LiveGarden {
    /// How long a kind is judged by what was last seen of it while the API server refuses to show more. Somebody who repairs
    /// permissions or credentials should be done by then; nobody should rely on what is older.
    pub const PATIENCE: Duration = Duration::from_secs(600);

    /// A garden that gives every new state of its snapshot to `publish`, in order. What the API server has refused to show for
    /// as long as `patience` counts as unknown; see [`Self::PATIENCE`].
    #[must_use]
    pub fn new(
        client: Arc<LiveClient>,
        patience: Duration,
        publish: impl Fn(Snapshot) + Send + Sync + 'static,
    ) -> Self {
        let share = Share::new(AT_A_TIME);
        Self {
            client,
            lookups: Lookups::default(),
            accesses: Accesses::default(),
            unwatched: LabelLookups::new(&share),
            collections: Collections::new(share),
            users: Users::default(),
            state: Arc::new(State::new(Box::new(publish), patience)),
        }
    }

    /// For one request; the next one may need another client.
    pub(super) fn client(&self) -> Client {
        self.client.client()
    }

    /// Watches every kind, for ever.
    pub async fn watch(&self) {
        let watches = Kind::watched().map(|kind| watch(kind, &self.client, &self.state));
        join_all(watches).await;
    }

    /// Of which kinds nothing is known any more, and why; `None` if there is no such kind.
    #[must_use]
    pub fn withheld(&self) -> Option<String> {
        let watches = self.state.watches();
        let withheld: Vec<String> = watches.into_values().filter_map(|it| it.withheld).collect();
        (!withheld.is_empty()).then(|| withheld.join("; "))
    }

    /// What a verdict would still need; `None` once everything is there.
    ///
    /// A kind that the API server does not serve is waited for only if it `is_needed`.
    #[must_use]
    pub fn missing(&self, is_needed: impl Fn(Kind) -> bool) -> Option<String> {
        let watches = self.state.watches();
        let missing = Kind::watched().filter_map(|kind| {
            let state = &watches.get(&kind)?.state;
            let resource = kind.full_resource();
            match state {
                WatchState::Synced => None,
                WatchState::Waiting => Some(format!("the list of {resource}")),
                WatchState::Failing(why) => Some(format!("the list of {resource} ({why})")),
                WatchState::NotServed if is_needed(kind) => {
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
    pub fn watches(&self) -> BTreeMap<Kind, WatchStatus> {
        self.state.watches()
    }
}
