// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use kube::Client;

use super::access::Accesses;
use super::ask::{Lookups, failed, is_absent};
use super::asker::{Asker, Users};
use super::collections::Collections;
use super::label_lookup::LabelLookups;
use super::share::Share;
use super::state::State;
use super::watch::watch;
use super::{LiveClient, WatchState, WatchStatus, pages};
use garden_gate_core::garden::{
    AccessQuestion, Collection, GardenObject, ObjectKey, PublishedVersion, Snapshot,
};
use garden_gate_model::api::{Kind, UserInfo};

/// Maximum number of concurrent requests for collections and for uncached lists.
const AT_A_TIME: usize = 8;

/// A live garden cluster.
/// Requires a running [`Self::watch`].
pub struct LiveGarden {
    client: Arc<LiveClient>,
    lookups: Lookups,
    accesses: Accesses,
    collections: Collections,
    unwatched: LabelLookups,
    users: Users,
    state: Arc<State>,
}

impl fmt::Debug for LiveGarden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveGarden").finish_non_exhaustive()
    }
}

impl LiveGarden {
    /// The time for which a kind's last known state is used while the API server refuses to send updates.
    ///
    /// Permissions or credentials should be repaired within that time. Older data is not trusted.
    pub const GRACE_PERIOD: Duration = Duration::from_mins(10);

    /// Creates a garden that passes every new snapshot to `publish`, in order.
    ///
    /// A kind that the API server has refused to show for `grace_period` becomes unknown; see [`Self::GRACE_PERIOD`].
    pub fn new(
        client: Arc<LiveClient>,
        grace_period: Duration,
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
            state: Arc::new(State::new(Box::new(publish), grace_period)),
        }
    }

    /// Returns the client for one request; the next request may need a new one.
    pub(super) fn client(&self) -> Client {
        self.client.client()
    }

    /// Returns the asker for a request of `user` from `peer`; `None` is this process.
    pub fn asker(&self, peer: Option<IpAddr>, user: &UserInfo) -> Asker {
        self.users.asker(peer, user)
    }

    /// Reports whether `user` has a permission, by a SubjectAccessReview or its cached result.
    ///
    /// # Errors
    /// Fails with the reason if the review fails.
    pub async fn access(
        &self,
        asker: &Asker,
        user: &UserInfo,
        question: &AccessQuestion,
    ) -> Result<bool, String> {
        let answer = self.accesses.get(self.client(), asker, user, question).await;
        self.users.answered(asker, &answer);
        answer
    }

    /// The Project that owns `namespace`, as the API server knows it now; of several, the first by name.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with the stored Project.
    pub async fn project_of_namespace(
        &self,
        asker: &Asker,
        namespace: &str,
    ) -> Result<Option<GardenObject>, String> {
        let lookups = &self.lookups;
        lookups.project_of_namespace(self.client(), asker, namespace).await
    }

    /// Returns the current state of an object of a kind that is watched or looked up live.
    ///
    /// # Errors
    /// Same as [`Self::project_of_namespace`].
    pub async fn object(
        &self,
        asker: &Asker,
        key: &ObjectKey,
    ) -> Result<Option<GardenObject>, String> {
        self.lookups.object(self.client(), asker, key).await
    }

    /// Returns all objects of a kind in `namespace` (empty for all), grouped by confirmed deletion.
    ///
    /// The result is at most one second old.
    ///
    /// # Errors
    /// Fails with the reason if the request fails.
    pub async fn collection(
        &self,
        asker: &Asker,
        kind: Kind,
        namespace: &str,
    ) -> Result<Collection, String> {
        self.collections.get(self.client(), asker, kind, namespace).await
    }

    /// All objects of a kind of which only those with a label are of interest.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with what it says.
    pub async fn labelled(&self, asker: &Asker, kind: Kind) -> Result<Vec<GardenObject>, String> {
        self.unwatched.get(self.client(), asker, kind).await
    }

    /// Returns the version that the garden publishes now, or the reason why it is not known.
    ///
    /// Returns `None` if the API server does not answer, so that the request should be repeated.
    pub async fn published_version(&self) -> Option<Result<Option<PublishedVersion>, String>> {
        let key = ObjectKey::gardener_info();
        let object = pages::get(&self.client(), key.kind, &key.namespace, &key.name).await;
        Some(match object.map(|object| object.read(key.kind)) {
            Ok(Ok(GardenObject::ConfigMap(info))) => PublishedVersion::parse(&info).map(Some),
            Ok(Ok(_)) => Ok(None),
            Ok(Err(why)) => Err(why),
            Err(error) if is_absent(&error, &key.name) => Ok(None),
            Err(error) if is_answer(&error) => Err(failed(key.kind, "get", &error)),
            Err(_) => return None,
        })
    }

    /// Watches the kinds that are always watched, and others from the time on at which they are needed.
    ///
    /// `until_needed` waits until a kind is needed. Never returns.
    pub async fn watch<F: Future<Output = ()>>(&self, until_needed: impl Fn(Kind) -> F) {
        let always = Kind::watched().map(|kind| watch(kind, &self.client, &self.state));
        let until_needed = &until_needed;
        let if_needed = Kind::watched_if_read().map(|kind| async move {
            until_needed(kind).await;
            self.state.add(kind);
            watch(kind, &self.client, &self.state).await;
        });
        tokio::join!(join_all(always), join_all(if_needed));
    }

    /// Returns the kinds that have become unknown, with the reasons; `None` if there are none.
    pub fn withheld(&self) -> Option<String> {
        let watches = self.state.watches();
        let withheld: Vec<String> = watches.into_values().filter_map(|it| it.withheld).collect();
        (!withheld.is_empty()).then(|| withheld.join("; "))
    }

    /// Returns the resources that are not synced yet; `None` if all are.
    ///
    /// A kind that the API server does not serve counts only if it `is_needed`.
    pub fn missing(&self, is_needed: impl Fn(Kind) -> bool) -> Option<String> {
        let watches = self.state.watches();
        let if_needed = Kind::watched_if_read().filter(|kind| is_needed(*kind));
        let missing: Vec<String> = Kind::watched()
            .chain(if_needed)
            .filter_map(|kind| {
                let state = watches.get(&kind).map(|it| &it.state);
                let resource = kind.full_resource();
                match state.unwrap_or(&WatchState::Waiting) {
                    WatchState::Synced => None,
                    WatchState::Waiting => Some(format!("the list of {resource}")),
                    WatchState::Failing(why) => Some(format!("the list of {resource} ({why})")),
                    WatchState::NotServed if is_needed(kind) => {
                        Some(format!("{resource}, which the API server does not serve"))
                    }
                    WatchState::NotServed => None,
                }
            })
            .collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// Returns the status of each watch by kind.
    pub fn watches(&self) -> BTreeMap<Kind, WatchStatus> {
        self.state.watches()
    }
}

/// Reports whether an error is a decision of the API server that a repeated request would not change.
fn is_answer(error: &kube::Error) -> bool {
    match error {
        kube::Error::Api(status) => status.code < 500 && status.code != 429,
        error => matches!(error, kube::Error::SerdeError(_)),
    }
}
