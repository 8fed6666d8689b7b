//! A living garden cluster, for commands that do one thing after another.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::Context as _;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use super::progress::Progress;
use crate::garden::live::{
    Connection, DryRun, Intent, ListedGarden, LiveGarden, Needs, Page, Target,
};
use crate::garden::{AccessAnswer, AccessQuestion, ObjectKey};
use crate::model::{Kind, UserInfo};

/// A garden cluster, with the threads that talk to it.
pub(crate) struct Live {
    connection: Connection,
    /// Keeps the answers to what was asked before.
    asked: LiveGarden,
    runtime: Runtime,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl Live {
    /// The cluster that somebody means; it is first asked when something is to be known of it.
    ///
    /// # Errors
    /// When it is not clear which one, or how to talk to it.
    pub(crate) fn find(target: &Target) -> anyhow::Result<Self> {
        let runtime = Runtime::new().context("failed to start threads")?;
        let connection = runtime.block_on(target.connection())?;
        let client = connection.client.clone();
        Ok(Self {
            connection,
            asked: LiveGarden::new(client, LiveGarden::PATIENCE, |_| {}),
            runtime,
        })
    }

    /// What people call it, as in "from context live".
    pub(crate) fn name(&self) -> String {
        match self.connection.place.context.as_str() {
            "" => self.connection.place.server.clone(),
            context => format!("context {context}"),
        }
    }

    /// The namespace that `kubectl` uses for manifests without one.
    pub(crate) fn namespace(&self) -> &str {
        &self.connection.place.namespace
    }

    /// Lists what is needed.
    ///
    /// # Errors
    /// When the API server does not answer, or does not know who asks.
    pub(crate) fn list(&self, needs: &Needs) -> anyhow::Result<ListedGarden> {
        let progress = Progress::counting(&format!("listing the garden ({})", self.name()));
        let listed = self.connection.list(needs, |count| progress.add(count));
        Ok(self.runtime.block_on(listed)?)
    }

    /// Hands on every object of a kind as it is stored, a page after the other, some again if the API server makes us begin anew. Who may not
    /// list all of them is shown those of `namespaces`.
    ///
    /// # Errors
    /// Why not all of them can be had.
    pub(crate) fn each(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        hand_on: impl FnMut(Page),
    ) -> Result<(), String> {
        self.pages(hand_on, async |pages| {
            self.connection.each(kind, namespaces, &pages).await
        })
    }

    /// As [`Self::each`], with the parts that a garden directory needs. Returns why objects of other namespaces are missing, if they
    /// are.
    ///
    /// # Errors
    /// Why no object can be listed.
    pub(crate) fn dump(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        hand_on: impl FnMut(Page),
    ) -> Result<Option<String>, String> {
        self.pages(hand_on, async |pages| {
            self.connection.dump(kind, namespaces, &pages).await
        })
    }

    /// Hands on the pages that `list` sends.
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

    /// Whether somebody may do something, by a SubjectAccessReview.
    pub(crate) fn access(&self, user: &UserInfo, question: &AccessQuestion) -> AccessAnswer {
        let asker = self.asked.asker(None, user);
        self.runtime
            .block_on(self.asked.access(&asker, user, question))
    }

    /// What the API server says to these requests, of which nothing is stored; of `user`, if somebody else than who asks.
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
