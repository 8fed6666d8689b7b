// SPDX-License-Identifier: Apache-2.0
//! Reads and writes the Secret.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::Resource as _;
use kube::core::ObjectMeta;

use super::api::ApiError;
use super::contents::Contents;
use super::keeper::{Keeper, KeeperError};
use crate::server::ManagedOptions;

/// The label of Secrets that garden-gate may write.
const OWNER: (&str, &str) = ("app.kubernetes.io/managed-by", "garden-gate");

/// The Secret as stored.
pub(super) struct Stored {
    /// The resource version; `None` if the Secret does not exist.
    pub version: Option<String>,
    pub contents: Contents,
}

impl Keeper {
    pub(super) async fn read(&self) -> Result<Stored, KeeperError> {
        let stored: Secret = match self.api.get(&self.path(true)).await {
            Ok(stored) => stored,
            Err(ApiError::NotFound) => {
                *self.version() = None;
                return Ok(Stored { version: None, contents: Contents::default() });
            }
            Err(error) => return Err(self.explain(error)),
        };
        let secret = &self.options.secret;
        let labels = stored.metadata.labels.unwrap_or_default();
        if labels.get(OWNER.0).map(String::as_str) != Some(OWNER.1) {
            return Err(KeeperError::Mistake(format!(
                "Secret `{secret}` exists and is not managed by garden-gate, since it lacks the label `{}: {}`; name another with --cert-secret",
                OWNER.0, OWNER.1
            )));
        }
        let (contents, problems) =
            Contents::read(&texts(stored.data), self.clock.api_server_time());
        self.complain(problems);
        let version = stored.metadata.resource_version;
        self.version().clone_from(&version);
        Ok(Stored { version, contents })
    }

    /// Reports whether a version of the Secret is the one that was read last.
    pub(super) fn has_seen(&self, version: Option<&str>) -> bool {
        self.version().as_deref() == version
    }

    fn version(&self) -> MutexGuard<'_, Option<String>> {
        self.version.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs problems once, until they change.
    fn complain(&self, problems: Vec<String>) {
        let mut last = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if problems != *last {
            for why in &problems {
                let secret = &self.options.secret;
                tracing::error!("Secret {secret} is damaged and will be repaired: {why}");
            }
            *last = problems;
        }
    }

    pub(super) async fn write(
        &self,
        contents: &Contents,
        version: Option<String>,
    ) -> Result<(), ApiError> {
        let exists = version.is_some();
        let object = self.object(contents, version);
        if exists {
            let replaced = self.api.replace(&self.path(true), &object).await;
            return replaced.map_err(|error| match error {
                // Deleted since it was read.
                ApiError::NotFound => ApiError::Conflict,
                other => other,
            });
        }
        let made = self.api.create(&self.path(false), &object).await;
        made.map_err(|error| self.explain_creation(error))
    }

    fn object(&self, contents: &Contents, version: Option<String>) -> Secret {
        let data = contents.write().into_iter().map(|(key, text)| (key, ByteString(text.into())));
        Secret {
            metadata: ObjectMeta {
                name: Some(self.options.secret.clone()),
                namespace: Some(self.options.namespace.clone()),
                labels: Some(BTreeMap::from([(OWNER.0.to_owned(), OWNER.1.to_owned())])),
                resource_version: version,
                ..ObjectMeta::default()
            },
            data: Some(data.collect()),
            ..Secret::default()
        }
    }

    fn explain_creation(&self, error: ApiError) -> ApiError {
        match error {
            ApiError::Other(why) => ApiError::Other(format!(
                "{why}; create an empty Secret `{}` with the label `{}: {}`, or grant the verb create",
                self.options.secret, OWNER.0, OWNER.1
            )),
            other => other,
        }
    }

    fn path(&self, named: bool) -> String {
        let ManagedOptions { namespace, secret, .. } = &self.options;
        let list = Secret::url_path(&(), Some(namespace));
        if named { format!("{list}/{secret}") } else { list }
    }

    pub(super) fn explain(&self, error: ApiError) -> KeeperError {
        let ManagedOptions { namespace, .. } = &self.options;
        match error {
            ApiError::NotFound => KeeperError::Mistake(format!(
                "namespace `{namespace}` does not exist; create it first"
            )),
            ApiError::Conflict => KeeperError::Failure(format!(
                "Secret `{}` was changed by another process",
                self.options.secret
            )),
            ApiError::Other(why) => KeeperError::Failure(why),
        }
    }
}

/// Decodes Secret data.
/// Values that are not UTF-8 are omitted.
fn texts(data: Option<BTreeMap<String, ByteString>>) -> BTreeMap<String, String> {
    let entries = data.into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key, String::from_utf8(value.0).ok()?))).collect()
}
