// SPDX-License-Identifier: Apache-2.0
//! Reads all stored objects of a kind page by page, since they may not fit into memory.

use std::collections::BTreeSet;

use kube::Client;
use kube::api::ListParams;
use serde_json::value::RawValue;
use tokio::sync::mpsc::Sender;

use super::ask::{failed, is_name};
use super::label_lookup::read_parts;
use super::object::Object;
use super::pages::{self, Pages, Part};
use super::{Connection, LiveGarden};
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::Kind;

/// Maximum number of restarts.
/// Pages expire after some minutes.
const TRIES: usize = 3;

/// Manifests of objects with their keys.
pub type Page = Vec<(ObjectKey, Box<RawValue>)>;

impl Connection {
    /// Sends all objects of a kind, page by page.
    ///
    /// If pages expire, it restarts and sends objects again.
    ///
    /// If the user cannot list all objects, sends those of `namespaces`.
    ///
    /// # Errors
    /// Fails with the reason if objects are missing.
    pub async fn each(
        &self,
        kind: Kind,
        namespaces: &BTreeSet<String>,
        pages: &Sender<Page>,
    ) -> Result<(), String> {
        let all =
            All { client: self.client.client(), kind, open: whole, manifest: Object::manifest };
        all.each(namespaces, pages).await.map(drop)
    }

    /// Sends objects like [`Self::each`], reduced to the parts that a garden directory needs.
    ///
    /// Secrets, InternalSecrets and ShootStates are reduced to the metadata that rules read, Namespaces to their metadata.
    /// Secrets and ConfigMaps without the label that rules look for are omitted.
    /// Returns the reason if objects of other namespaces are missing.
    ///
    /// # Errors
    /// Fails with the reason if no object can be listed.
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
            manifest: Object::manifest_without_credentials,
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
    /// Sends all objects of a kind like [`Connection::each`], for all namespaces.
    ///
    /// # Errors
    /// Same as [`Connection::each`].
    pub async fn each(&self, kind: Kind, pages: &Sender<Page>) -> Result<(), String> {
        let all = All { client: self.client(), kind, open: whole, manifest: Object::manifest };
        all.each(&BTreeSet::new(), pages).await.map(drop)
    }
}

/// Reports whether a kind is so new that API servers without it have no objects that count: gardener-apiserver reads only this version.
fn is_too_new(kind: Kind) -> bool {
    matches!(kind, Kind::MutatingAdmissionPolicy | Kind::MutatingAdmissionPolicyBinding)
}

/// A list of all objects of a kind.
struct All {
    client: Client,
    kind: Kind,
    /// Opens a list of a kind in a namespace.
    open: fn(Client, Kind, &str) -> Pages,
    /// Converts an object to a manifest.
    manifest: fn(&Object, Kind) -> Box<RawValue>,
}

impl All {
    /// Sends all pages.
    ///
    /// Returns the reason if objects of other namespaces are missing.
    async fn each(
        &self,
        namespaces: &BTreeSet<String>,
        pages: &Sender<Page>,
    ) -> Result<Option<String>, String> {
        let Err(error) = self.pages(self.kind.home(), pages).await else {
            return Ok(None);
        };
        if is_too_new(self.kind) && matches!(&error, kube::Error::Api(it) if it.code == 404) {
            return Ok(None);
        }
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
        if is_listed { Ok(Some(why)) } else { Err(why) }
    }

    /// Requests the Project with the default name for the namespace.
    async fn project(&self, namespace: &str, sender: &Sender<Page>) -> bool {
        let name = namespace.strip_prefix("garden-").unwrap_or(namespace);
        let Ok(project) = pages::get(&self.client, self.kind, "", name).await else {
            return false;
        };
        let page = vec![(project.key(self.kind), (self.manifest)(&project, self.kind))];
        sender.send(page).await.is_ok()
    }

    /// Sends the pages of a namespace.
    /// Each page is sent before the next one is requested.
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
            let objects =
                page.into_iter().map(|it| (it.key(self.kind), (self.manifest)(&it, self.kind)));
            // The receiver stopped early.
            if sender.send(objects.collect()).await.is_err() {
                return Ok(());
            }
        }
    }
}
