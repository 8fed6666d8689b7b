// SPDX-License-Identifier: Apache-2.0
//! A live garden cluster, for synchronous commands.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::Context as _;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use super::progress::Progress;
use crate::garden::live::{
    Connection, DryRun, Intent, ListedGarden, LiveGarden, Needs, Page, Target,
};
use garden_gate_core::garden::{AccessQuestion, ObjectKey};
use garden_gate_core::workload::Workload;
use garden_gate_model::api::{Kind, UserInfo};
use garden_gate_products::review::change_set::AccessReviewer;

/// A connection to a garden cluster, with its runtime.
pub(crate) struct Live {
    connection: Connection,
    /// Caches access reviews.
    asked: LiveGarden,
    runtime: Runtime,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl Live {
    /// Returns the cluster of a target, without a request.
    ///
    /// # Errors
    /// Fails if the kubeconfig selects no cluster, or no client can be created.
    pub(crate) fn find(target: &Target) -> anyhow::Result<Self> {
        let runtime = Runtime::new().context("failed to start threads")?;
        let connection = runtime.block_on(target.connection())?;
        let client = connection.client.clone();
        Ok(Self {
            connection,
            asked: LiveGarden::new(client, LiveGarden::GRACE_PERIOD, |_| {}),
            runtime,
        })
    }

    /// Returns the name of the cluster for messages, such as `context live`.
    pub(crate) fn name(&self) -> String {
        match self.connection.address.context.as_str() {
            "" => self.connection.address.server.clone(),
            context => format!("context {context}"),
        }
    }

    /// Returns the namespace that `kubectl` uses for manifests without one.
    pub(crate) fn namespace(&self) -> &str {
        &self.connection.address.namespace
    }

    /// Returns the client, for requests within [`Self::block_on`].
    pub(crate) fn client(&self) -> kube::Client {
        self.connection.client.client()
    }

    /// Runs a future to its end.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Lists the needed objects.
    ///
    /// # Errors
    /// Fails if the API server does not answer, or rejects the credentials.
    pub(crate) fn list(&self, needs: &Needs) -> anyhow::Result<ListedGarden> {
        let progress = Progress::counting(&format!("listing the garden ({})", self.name()));
        let listed = self.connection.list(needs, |count| progress.add(count));
        Ok(self.runtime.block_on(listed)?)
    }

    /// Lists the workload of the cluster.
    ///
    /// # Errors
    /// Fails if the API server does not answer, or rejects the credentials.
    pub(crate) fn workload(&self) -> anyhow::Result<Workload> {
        let progress = Progress::counting(&format!("listing the workload ({})", self.name()));
        let listed = self.connection.workload(|| progress.add(1));
        Ok(self.runtime.block_on(listed)?)
    }

    /// Passes every object of a kind as stored to `hand_on`, page by page.
    ///
    /// If the API server requires a restart, some objects are passed again. If the user may not list all objects, those
    /// of `namespaces` are listed.
    ///
    /// # Errors
    /// Returns the reason if not all objects can be listed.
    pub(crate) fn each(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        hand_on: impl FnMut(Page),
    ) -> Result<(), String> {
        self.pages(hand_on, async |pages| self.connection.each(kind, namespaces, &pages).await)
    }

    /// Lists objects as [`Self::each`] does, with the parts that a garden directory needs.
    ///
    /// Returns the reason if objects of other namespaces are missing.
    ///
    /// # Errors
    /// Returns the reason if no object can be listed.
    pub(crate) fn dump(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        hand_on: impl FnMut(Page),
    ) -> Result<Option<String>, String> {
        self.pages(hand_on, async |pages| self.connection.dump(kind, namespaces, &pages).await)
    }

    /// Passes the pages that `list` sends to `hand_on`.
    fn pages<T>(
        &self,
        mut hand_on: impl FnMut(Page),
        list: impl AsyncFnOnce(mpsc::Sender<Page>) -> T,
    ) -> T {
        let (pages, mut next) = mpsc::channel(1);
        let listing = list(pages);
        let taking = async {
            while let Some(page) = next.recv().await {
                hand_on(page);
            }
        };
        let both = async { tokio::join!(listing, taking) };
        let (listed, ()) = self.runtime.block_on(both);
        listed
    }

    /// Sends dry-run requests, and returns the answers of the API server.
    ///
    /// With a `user`, the requests impersonate that user.
    pub(crate) fn dry_run(
        &self,
        requests: &[(ObjectKey, Intent)],
        user: Option<&UserInfo>,
    ) -> Vec<DryRun> {
        let what = format!("asking the API server ({})", self.name());
        let progress = Progress::until(&what, requests.len());
        let answers = self.connection.dry_run(requests, user, || progress.add(1));
        self.runtime.block_on(answers)
    }
}

impl AccessReviewer for Live {
    /// Reports whether a user may do something, by a SubjectAccessReview.
    fn access(&self, user: &UserInfo, question: &AccessQuestion) -> Result<bool, String> {
        let asker = self.asked.asker(None, user);
        self.runtime.block_on(self.asked.access(&asker, user, question))
    }
}
