// SPDX-License-Identifier: Apache-2.0
//! A garden in the servers, and as manifests.

use std::collections::BTreeMap;

use axum::http::Method;
use garden_gate_model::api::described;
use kube::Client;
use serde_json::Value;

use crate::http::{Reply, send};
use crate::parity::case::Case;
use crate::parity::server::Servers;

/// Metadata that a server sets.
const MADE_UP: &[&str] =
    &["uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "generation"];

/// An annotation that only objects in deletion may have.
const FORCE: &str = "confirmation.gardener.cloud/force-deletion";

/// Stored objects by path.
#[derive(Debug, Default)]
pub(crate) struct Landscape {
    manifests: Vec<Value>,
    /// The metadata of each object in the server.
    metadata: BTreeMap<String, Value>,
}

impl Landscape {
    /// Stores manifests in the servers without plugins, and reads them again.
    pub(crate) async fn store(servers: &Servers, manifests: &[Value]) -> Landscape {
        let mut landscape = Landscape::default();
        for manifest in manifests {
            let stored = landscape.add(servers, manifest).await;
            stored.unwrap_or_else(|why| panic!("{why}\nstoring {manifest}"));
        }
        landscape
    }

    /// Stores another manifest, with its status and deletion.
    pub(crate) async fn add(&mut self, servers: &Servers, manifest: &Value) -> Result<(), String> {
        let path = path_of(manifest);
        let client = client_of(servers, manifest);
        let stored = match create(client, manifest).await {
            Ok(stored) => stored,
            Err(why) => {
                remove(client, &path).await;
                return Err(why);
            }
        };
        self.metadata.insert(path, stored["metadata"].clone());
        self.manifests.push(normal(stored, manifest));
        Ok(())
    }

    /// Adds an object that another program stores in the cluster; returns false as long as it does not exist.
    pub(crate) async fn find(&mut self, servers: &Servers, manifest: &Value) -> bool {
        let client = client_of(servers, manifest);
        let path = path_of(manifest);
        let reply = send(client, Method::GET, &path, String::new(), None).await;
        let stored = succeeded(reply).map(|stored| normal(stored, manifest));
        let is_there = stored.is_ok();
        self.manifests.extend(stored);
        is_there
    }

    /// Removes all but the first `kept` objects.
    pub(crate) async fn remove_from(&mut self, servers: &Servers, kept: usize) {
        for manifest in self.manifests.split_off(kept) {
            self.metadata.remove(&path_of(&manifest));
            remove(client_of(servers, &manifest), &path_of(&manifest)).await;
        }
    }

    /// Replaces the object with the same name; returns the previous one, for [`Self::put_back`].
    pub(crate) async fn replace(
        &mut self,
        servers: &Servers,
        manifest: &Value,
    ) -> Result<Option<Value>, String> {
        let path = path_of(manifest);
        let at = self.manifests.iter().position(|it| path_of(it) == path);
        let was = at.map(|at| self.manifests[at].clone());
        if was.as_ref() == Some(manifest) {
            return Ok(was);
        }
        if let Some(at) = at {
            self.manifests.remove(at);
            remove(client_of(servers, manifest), &path).await;
        }
        let added = self.add(servers, manifest).await;
        if let (Err(_), Some(was)) = (&added, &was) {
            self.add(servers, was).await?;
        }
        added.map(|()| was)
    }

    /// Undoes [`Self::replace`].
    pub(crate) async fn put_back(
        &mut self,
        servers: &Servers,
        manifest: &Value,
        was: Option<Value>,
    ) {
        match was {
            Some(was) => _ = self.replace(servers, &was).await.unwrap(),
            None => {
                let path = path_of(manifest);
                self.manifests.retain(|it| path_of(it) != path);
                self.metadata.remove(&path);
                remove(client_of(servers, manifest), &path).await;
            }
        }
    }

    /// Returns the new object of a request, with the stored metadata where it repeats that.
    pub(crate) fn as_sent(&self, case: &Case) -> Value {
        let mut object = case.request["object"].clone();
        let old = &case.request["oldObject"];
        let Some(metadata) = self.metadata.get(&path_of(old)) else {
            return object;
        };
        for member in MADE_UP {
            if !old["metadata"][member].is_null()
                && object["metadata"][member] == old["metadata"][member]
            {
                object["metadata"][member] = metadata[member].clone();
            }
        }
        object
    }

    /// Returns all stored objects, without generated metadata.
    pub(crate) fn manifests(&self) -> &[Value] {
        &self.manifests
    }
}

/// Returns the stored object, with generated metadata as in the request.
pub(crate) fn as_recorded(stored: Value, case: &Case) -> Value {
    normal(stored, &case.request["object"])
}

fn client_of<'a>(servers: &'a Servers, manifest: &Value) -> &'a Client {
    let group = manifest["apiVersion"].as_str().unwrap();
    if group.contains("gardener.cloud") {
        &servers.storing.admin.client
    } else {
        &servers.cluster.admin.client
    }
}

/// Creates or replaces an object, and then writes the fields that a new object cannot have.
///
/// These are status, finalizers, deletion, and fields that require deletion.
async fn create(client: &Client, manifest: &Value) -> Result<Value, String> {
    let path = path_of(manifest);
    let (collection, _) = path.rsplit_once('/').unwrap();
    let metadata = &manifest["metadata"];
    let put = async |path: &str, object: &Value| {
        send(client, Method::PUT, path, object.to_string(), None).await
    };
    let new = as_new(manifest);
    let mut reply = send(client, Method::POST, collection, new.to_string(), None).await;
    if reply.code == 409 {
        reply = put(&path, &new).await;
    }
    let mut stored = succeeded(reply)?;
    if has_own_status(manifest) {
        stored["status"] = manifest["status"].clone();
        let reply = put(&format!("{path}/status"), &stored).await;
        // Some kinds have no status subresource.
        if reply.code != 404 {
            stored = succeeded(reply)?;
        }
    }
    if metadata["finalizers"].is_array() {
        stored["metadata"]["finalizers"] = metadata["finalizers"].clone();
        stored = succeeded(put(&path, &stored).await)?;
    }
    if !metadata["deletionTimestamp"].is_null() {
        succeeded(send(client, Method::DELETE, &path, String::new(), None).await)?;
        stored = succeeded(send(client, Method::GET, &path, String::new(), None).await)?;
    }
    if !metadata["annotations"][FORCE].is_null() {
        stored["metadata"]["annotations"][FORCE] = metadata["annotations"][FORCE].clone();
        stored = succeeded(put(&path, &stored).await)?;
    }
    Ok(stored)
}

/// Returns the part of a manifest that a new object may have.
fn as_new(manifest: &Value) -> Value {
    let mut object = manifest.clone();
    object.as_object_mut().unwrap().remove("status");
    let metadata = object["metadata"].as_object_mut().unwrap();
    for member in MADE_UP {
        metadata.remove(*member);
    }
    metadata.remove("finalizers");
    if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
        annotations.remove(FORCE);
    }
    object
}

/// Reports whether the status has more than the generated fields.
fn has_own_status(manifest: &Value) -> bool {
    let status = manifest["status"].as_object();
    let is_judged = described(manifest["kind"].as_str().unwrap()).is_some();
    is_judged && status.is_some_and(|it| !it.is_empty())
}

/// Removes an object, if it exists, including its finalizers.
async fn remove(client: &Client, path: &str) {
    let stored = send(client, Method::GET, path, String::new(), None).await;
    if !stored.is_success() {
        return;
    }
    let mut object = stored.body;
    if object["metadata"]["finalizers"].is_array() {
        object["metadata"].as_object_mut().unwrap().remove("finalizers");
        send(client, Method::PUT, path, object.to_string(), None).await;
    }
    send(client, Method::DELETE, path, String::new(), None).await;
}

fn succeeded(reply: Reply) -> Result<Value, String> {
    if reply.is_success() {
        Ok(reply.body)
    } else {
        Err(format!("{}: {}", reply.code, reply.body["message"]))
    }
}

/// Returns the URL path of an object.
pub(crate) fn path_of(object: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let api = text(&object["apiVersion"]);
    let base = if api.contains('/') { "apis" } else { "api" };
    let plural = plural(&text(&object["kind"]));
    let namespace = match text(&object["metadata"]["namespace"]) {
        namespace if namespace.is_empty() => namespace,
        namespace => format!("namespaces/{namespace}/"),
    };
    let name = text(&object["metadata"]["name"]);
    format!("/{base}/{api}/{namespace}{plural}/{name}")
}

fn plural(kind: &str) -> String {
    let kind = kind.to_ascii_lowercase();
    match kind.strip_suffix('y') {
        Some(begin) => format!("{begin}ies"),
        None if kind.ends_with('s') => format!("{kind}es"),
        None => format!("{kind}s"),
    }
}

/// Returns the stored object, with generated metadata as in its manifest.
fn normal(stored: Value, manifest: &Value) -> Value {
    let mut stored = with_fixed_uid(stored);
    let metadata = stored["metadata"].as_object_mut().unwrap();
    metadata.remove("managedFields");
    for member in MADE_UP {
        match &manifest["metadata"][member] {
            Value::Null => _ = metadata.remove(*member),
            is => _ = metadata.insert((*member).to_owned(), is.clone()),
        }
    }
    stored
}

/// Replaces the uid by one that depends on the name only, also in references.
fn with_fixed_uid(object: Value) -> Value {
    let metadata = &object["metadata"];
    let Some(uid) = metadata["uid"].as_str() else {
        return object;
    };
    let namespace = metadata["namespace"].as_str().unwrap_or("cluster");
    let name = metadata["name"].as_str().unwrap_or_default();
    let text = object.to_string().replace(uid, &format!("uid-{namespace}-{name}"));
    serde_json::from_str(&text).unwrap()
}
