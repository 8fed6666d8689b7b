use std::time::Duration;

use kube::api::{ApiResource, DynamicObject, GroupVersionKind, ListParams};
use kube::{Api, Client};

use super::LiveGarden;
use super::ask::is_name;
use super::asker::Asker;
use super::cache::{Answer, Asked, Key};
use super::error::reason;
use super::share::Share;
use crate::garden::Collection;
use crate::model::{Confirmation, Kind, ObjectMeta};

/// Long enough for the reviews of one deletion of many objects, which all ask the same.
const KEPT: Duration = Duration::from_secs(1);
/// Room for all Shoots of the largest landscapes.
const MOST_BYTES: u64 = 4 << 20;
/// What an object takes in an answer, about: its name and its place in a set.
const OBJECT: usize = 128;
/// How many objects are listed at a time; of each only the metadata.
const PAGE: u32 = 500;

type Listed = Result<Collection, String>;

/// Answers about collections, by kind and namespace.
#[derive(Debug)]
pub(super) struct Collections(Asked<Listed>);

impl Collections {
    pub(super) fn new(share: Share) -> Self {
        Self(Asked::new(share, MOST_BYTES))
    }
}

impl Answer for Listed {
    fn lifetime(&self) -> Duration {
        match self {
            Ok(_) => KEPT,
            Err(_) => Duration::ZERO,
        }
    }

    fn size(&self) -> usize {
        let objects = self.as_ref().map_or(0, Collection::count);
        objects * OBJECT
    }
}

impl LiveGarden {
    /// Whose deletion is confirmed among all objects of a kind in `namespace` (empty for all), as the
    /// API server knew it within the last second.
    ///
    /// # Errors
    /// Why the API server cannot be asked.
    pub async fn collection(
        &self,
        asker: &Asker,
        kind: Kind,
        namespace: &str,
    ) -> Result<Collection, String> {
        // Nothing else can exist, and nothing else may get into a path.
        if !namespace.is_empty() && !is_name(namespace) {
            return Ok(Collection::default());
        }
        let key = Key::of(&[kind.as_str().as_bytes(), namespace.as_bytes()]);
        let ask = list(self.client(), kind, namespace.to_owned());
        self.collections.0.get(key, asker, ask).await?
    }
}

async fn list(client: Client, kind: Kind, namespace: String) -> Listed {
    let ((group, version), plural) = (kind.api(), kind.resource());
    let kind = GroupVersionKind::gvk(group, version, kind.as_str());
    let resource = ApiResource::from_gvk_with_plural(&kind, plural);
    let api: Api<DynamicObject> = if namespace.is_empty() {
        Api::all_with(client, &resource)
    } else {
        Api::namespaced_with(client, &namespace, &resource)
    };
    let mut collection = Collection::default();
    let mut params = ListParams::default().limit(PAGE);
    loop {
        let page = api.list_metadata(&params).await.map_err(|error| {
            format!(
                "failed to list {plural}.{group}: {}; grant the verb list on it",
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
