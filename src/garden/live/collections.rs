// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use kube::Client;
use kube::api::ListParams;

use super::ask::is_name;
use super::asker::{Asker, Key};
use super::cache::{Answer, AnswerCache};
use super::error::reason;
use super::pages::{Pages, Part};
use super::share::Share;
use garden_gate_core::garden::Collection;
use garden_gate_model::api::{Confirmation, Kind, Named};
use garden_gate_text::json::{decode, without_position};

/// Cache lifetime, long enough for the reviews of one deletecollection request.
const KEPT: Duration = Duration::from_secs(1);
/// Cache size that fits all Shoots of the largest landscapes, in bytes.
const MOST_BYTES: u64 = 4 << 20;
/// Estimated memory of one object in an answer: its name and a set entry, in bytes.
const OBJECT: usize = 128;

type Listed = Result<Collection, String>;

/// Cached collections by kind and namespace.
#[derive(Debug)]
pub(super) struct Collections(AnswerCache<Listed>);

impl Collections {
    pub(super) fn new(share: Share) -> Self {
        Self(AnswerCache::new(share, MOST_BYTES))
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

impl Collections {
    /// Returns all objects of a kind in `namespace` (empty for all), grouped by confirmed deletion.
    ///
    /// The result is at most one second old.
    ///
    /// # Errors
    /// Fails with the reason if the request fails.
    pub(super) async fn get(
        &self,
        client: Client,
        asker: &Asker,
        kind: Kind,
        namespace: &str,
    ) -> Result<Collection, String> {
        // Other namespaces cannot exist, and the name must not alter the URL path.
        if !namespace.is_empty() && !is_name(namespace) {
            return Ok(Collection::default());
        }
        let key = Key::of(&[kind.as_str().as_bytes(), namespace.as_bytes()]);
        let ask = list(client, kind, namespace.to_owned());
        self.0.get(key, asker, ask).await?
    }
}

async fn list(client: Client, kind: Kind, namespace: String) -> Listed {
    let mut collection = Collection::default();
    let params = ListParams::default();
    let mut pages = Pages::new(client, kind, &namespace, Part::Metadata, params);
    while let Some(page) = pages.next().await.transpose() {
        let page = page.map_err(|error| {
            let (resource, why) = (kind.full_resource(), reason(&error));
            format!("failed to list {resource}: {why}; grant the verb list on it")
        })?;
        for object in page {
            let named: Result<Named, _> = decode(object.json());
            let Named { metadata } = named.map_err(|error| {
                let (key, error) = (object.key(kind), without_position(&error));
                format!("the metadata of the stored {key} cannot be read: {error}")
            })?;
            let confirmation = Confirmation::of(&metadata);
            collection.apply(metadata.name.into(), confirmation);
        }
    }
    Ok(collection)
}
