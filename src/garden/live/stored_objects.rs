//! All objects of a kind as they are stored, a page after the other: there may be more than memory holds.

use std::collections::BTreeSet;

use kube::Client;
use kube::api::ListParams;
use serde_json::value::RawValue;
use tokio::sync::mpsc::Sender;

use super::ask::{failed, is_name};
use super::label_lookup::read_parts;
use super::pages::{self, Pages, Part};
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
            open: whole,
        };
        all.each(namespaces, pages).await.map(drop)
    }

    /// As [`Self::each`], with the parts that a garden directory needs: of Secrets, InternalSecrets, ShootStates and Namespaces only the
    /// metadata, of Secrets and ConfigMaps only those with the label that rules look for. Returns why objects of other namespaces
    /// are missing, if they are.
    ///
    /// # Errors
    /// Why no object can be listed.
    pub async fn dump(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        pages: &Sender<Page>,
    ) -> Result<Option<String>, String> {
        let all = All {
            client: self.client.client(),
            kind,
            open: dumped,
        };
        all.each(namespaces, pages).await
    }
}

/// Opens a list of whole objects.
fn whole(client: Client, kind: Kind, namespace: &str) -> Pages {
    let params = ListParams::default();
    Pages::new(client, kind, namespace, Part::Whole, params)
}

/// Opens a list of the parts that a garden directory needs.
fn dumped(client: Client, kind: Kind, namespace: &str) -> Pages {
    match kind {
        Kind::InternalSecret | Kind::Namespace => {
            let params = ListParams::default();
            Pages::new(client, kind, namespace, Part::Metadata, params)
        }
        _ => read_parts(client, kind, namespace),
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
            open: whole,
        };
        all.each(&BTreeSet::new(), pages).await.map(drop)
    }
}

/// All objects of a kind, in pages.
struct All {
    client: Client,
    kind: Kind,
    /// Opens a list of a kind in a namespace.
    open: fn(Client, Kind, &str) -> Pages,
}

impl All {
    /// Returns why objects of other namespaces are missing, if they are.
    async fn each(
        &self,
        namespaces: &BTreeSet<String>,
        pages: &Sender<Page>,
    ) -> Result<Option<String>, String> {
        let Err(error) = self.pages(self.kind.home(), pages).await else {
            return Ok(None);
        };
        let is_refused = matches!(&error, kube::Error::Api(status) if status.code == 403);
        let why = failed(self.kind, "list", &error);
        let mut is_listed = false;
        for namespace in namespaces.iter().filter(|it| is_refused && is_name(it)) {
            is_listed |= match self.kind {
                Kind::Project => self.project(namespace, pages).await,
                kind if kind.is_namespaced() => self.pages(namespace, pages).await.is_ok(),
                _ => false,
            };
        }
        match is_listed {
            true => Ok(Some(why)),
            false => Err(why),
        }
    }

    /// Requests the Project that has the name Gardener derives the namespace from.
    async fn project(&self, namespace: &str, sender: &Sender<Page>) -> bool {
        let name = namespace.strip_prefix("garden-").unwrap_or(namespace);
        let Ok(project) = pages::get(&self.client, self.kind, "", name).await else {
            return false;
        };
        let page = vec![(project.key(self.kind), project.manifest(self.kind))];
        sender.send(page).await.is_ok()
    }

    /// A page is handed on before the next is asked for.
    async fn pages(&self, namespace: &str, sender: &Sender<Page>) -> Result<(), kube::Error> {
        let mut pages = (self.open)(self.client.clone(), self.kind, namespace);
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
