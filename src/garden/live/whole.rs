//! All objects of a kind as they are stored, a page after the other: there may be more than memory holds.

use std::collections::BTreeSet;

use kube::Client;
use kube::api::ListParams;
use serde_json::value::RawValue;
use tokio::sync::mpsc::Sender;

use super::ask::{failed, is_name};
use super::pages::{Pages, Part};
use super::{Connection, LiveGarden};
use crate::garden::ObjectKey;
use crate::model::Kind;

/// Pages expire after some minutes; whoever is too slow for that so often is too slow.
const TRIES: usize = 3;

/// Objects as manifests, with the keys.
pub type Page = Vec<(ObjectKey, Box<RawValue>)>;

impl Connection {
    /// Sends every object of a kind, a page after the other; where pages expire meanwhile, it begins anew, and sends objects again.
    /// Who may not list all of them is shown those of `namespaces`.
    ///
    /// # Errors
    /// Why not all of them can be had.
    pub async fn each(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        pages: &Sender<Page>,
    ) -> Result<(), String> {
        let all = All {
            client: self.client.client(),
            kind,
        };
        all.each(namespaces, pages).await
    }
}

impl LiveGarden {
    /// As [`Connection::each`], of a whole garden.
    ///
    /// # Errors
    /// As there.
    pub async fn each(&self, kind: Kind, pages: &Sender<Page>) -> Result<(), String> {
        let all = All {
            client: self.client(),
            kind,
        };
        all.each(&BTreeSet::new(), pages).await
    }
}

/// All objects of a kind, in pages.
struct All {
    client: Client,
    kind: Kind,
}

impl All {
    async fn each(
        &self,
        namespaces: &BTreeSet<String>,
        pages: &Sender<Page>,
    ) -> Result<(), String> {
        let Err(error) = self.pages(self.kind.home(), pages).await else {
            return Ok(());
        };
        let is_refused = matches!(&error, kube::Error::Api(status) if status.code == 403);
        let namespaces = namespaces.iter().filter(|it| is_name(it));
        let namespaces = namespaces.filter(|_| is_refused && self.kind.is_namespaced());
        let mut refused = Some(failed(self.kind, "list", &error));
        for namespace in namespaces {
            if self.pages(namespace, pages).await.is_ok() {
                refused = None;
            }
        }
        refused.map_or(Ok(()), Err)
    }

    /// A page is handed on before the next is asked for.
    async fn pages(&self, namespace: &str, sender: &Sender<Page>) -> Result<(), kube::Error> {
        let (client, params) = (self.client.clone(), ListParams::default());
        let mut pages = Pages::new(client, self.kind, namespace, Part::Whole, params);
        let mut tries = 0;
        loop {
            let page = match pages.next().await {
                Err(kube::Error::Api(status)) if status.code == 410 && tries < TRIES => {
                    tries += 1;
                    pages.restart();
                    continue;
                }
                page => page?,
            };
            let Some(page) = page else { return Ok(()) };
            let objects = page.into_iter();
            let objects = objects.map(|it| (it.key(self.kind), it.manifest(self.kind)));
            // Who has heard enough does not wait for the rest.
            if sender.send(objects.collect()).await.is_err() {
                return Ok(());
            }
        }
    }
}
