//! All objects of a kind as they are stored, a page after the other: there may be more than memory holds.

use std::collections::BTreeSet;

use kube::Client;
use kube::api::ListParams;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc::Sender;

use super::ask::{api, failed, is_name};
use super::listed::bounded;
use super::object::Object;
use super::{Connection, LiveGarden};
use crate::garden::ObjectKey;
use crate::model::Kind;

/// A page is handed on before the next is asked for. A server has less memory to spare than whoever types a command.
const PAGE: u32 = 500;
const SMALL_PAGE: u32 = 100;
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
            client: bounded(self.client.client()),
            kind,
            page: PAGE,
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
            client: bounded(self.client()),
            kind,
            page: SMALL_PAGE,
        };
        all.each(&BTreeSet::new(), pages).await
    }
}

/// All objects of a kind, in pages.
struct All {
    client: Client,
    kind: Kind,
    page: u32,
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

    async fn pages(&self, namespace: &str, pages: &Sender<Page>) -> Result<(), kube::Error> {
        let api = api(self.client.clone(), self.kind, namespace);
        let mut tries = 0;
        let mut params = ListParams::default().limit(self.page);
        loop {
            let page = match api.list(&params).await {
                Err(kube::Error::Api(status)) if status.code == 410 && tries < TRIES => {
                    tries += 1;
                    params.continue_token = None;
                    continue;
                }
                page => page?,
            };
            let objects = page.items.iter().map(|it| manifest(it, self.kind));
            // Who has heard enough does not wait for the rest.
            if pages.send(objects.collect()).await.is_err() {
                return Ok(());
            }
            match page.metadata.continue_ {
                Some(token) if !token.is_empty() => params.continue_token = Some(token),
                _ => return Ok(()),
            }
        }
    }
}

fn manifest(object: &Object, kind: Kind) -> (ObjectKey, Box<RawValue>) {
    let manifest = to_raw_value(&object.manifest(kind));
    (object.key(kind), manifest.unwrap_or_default())
}
