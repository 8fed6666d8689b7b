use std::time::Duration;

use kube::Api;
use kube::api::{ApiResource, DynamicObject, GroupVersionKind, ListParams};

use super::LiveGarden;
use super::ask::is_name;
use super::cache::Asked;
use super::error::reason;
use crate::garden::Collection;
use crate::model::{CORE_GROUP, CORE_VERSION, Confirmation, ObjectMeta};

/// Long enough for the reviews of one deletion of many objects, which all ask the same.
const KEPT: Duration = Duration::from_secs(1);
/// Nobody deletes the objects of more namespaces within a second.
const MOST_ANSWERS: usize = 256;
/// How many objects are listed at a time; of each only the metadata.
const PAGE: u32 = 500;

type Answer = Result<Collection, String>;

/// Answers about collections, by kind and namespace.
#[derive(Debug)]
pub(super) struct Collections(Asked<(&'static str, String), Answer>);

impl Default for Collections {
    fn default() -> Self {
        Self(Asked::new(MOST_ANSWERS))
    }
}

fn lifetime(answer: &Answer) -> Duration {
    match answer {
        Ok(_) => KEPT,
        Err(_) => Duration::ZERO,
    }
}

impl LiveGarden {
    /// Whose deletion is confirmed among all objects of a kind of `core.gardener.cloud` in `namespace` (empty for all), as the
    /// API server knew it within the last second.
    ///
    /// # Errors
    /// Why the API server cannot be asked.
    pub async fn collection(
        &self,
        kind: &'static str,
        plural: &'static str,
        namespace: &str,
    ) -> Result<Collection, String> {
        // Nothing else can exist, and nothing else may get into a path.
        if !namespace.is_empty() && !is_name(namespace) {
            return Ok(Collection::default());
        }
        let key = (kind, namespace.to_owned());
        let ask = self.list_collection(kind, plural, namespace);
        self.collections.0.get(&key, lifetime, ask).await?
    }

    async fn list_collection(&self, kind: &str, plural: &str, namespace: &str) -> Answer {
        let kind = GroupVersionKind::gvk(CORE_GROUP, CORE_VERSION, kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, plural);
        let client = self.client();
        let api: Api<DynamicObject> = if namespace.is_empty() {
            Api::all_with(client, &resource)
        } else {
            Api::namespaced_with(client, namespace, &resource)
        };
        let mut collection = Collection::default();
        let mut params = ListParams::default().limit(PAGE);
        loop {
            let page = api.list_metadata(&params).await.map_err(|error| {
                format!(
                    "failed to list {plural}.{CORE_GROUP}: {}; grant the verb list on it",
                    reason(&error)
                )
            })?;
            for object in page.items {
                let metadata = ObjectMeta {
                    labels: object.metadata.labels.unwrap_or_default(),
                    annotations: object.metadata.annotations.unwrap_or_default(),
                    ..ObjectMeta::default()
                };
                let name = object.metadata.name.unwrap_or_default();
                collection.apply(name.into(), Confirmation::of(&metadata));
            }
            match page.metadata.continue_ {
                Some(token) if !token.is_empty() => params.continue_token = Some(token),
                _ => return Ok(collection),
            }
        }
    }
}
