// SPDX-License-Identifier: Apache-2.0
//! Lists objects in pages of bounded size.
//!
//! The object limit of a page depends on the size of the previous ones.

use std::io;

use futures_util::AsyncReadExt as _;
use http::Request;
use kube::Client;
use kube::api::{ListMeta, ListParams};
use kube::core::Request as Resource;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::object::Object;
use garden_gate_model::api::Kind;

/// Object limit of the first page, whose object size is unknown.
const FIRST: u32 = 50;
/// Maximum object limit of a page, equal to `kubectl`'s.
const LARGEST: u32 = 500;
/// A page has at most this many times as many objects as the one before.
const GROWTH: u32 = 4;
/// A page that is too large is requested again with this many times fewer objects.
const SHRINKING: u32 = 8;
/// Target size of a page in bytes.
const TARGET: u64 = 2 << 20;
/// Maximum size of a page in bytes.
/// A larger page is dropped unless it has a single object.
const PAGE_LIMIT: u64 = 8 << 20;
/// Maximum size of any other response in bytes.
///
/// Real API servers stay far below it, even if they ignore `limit`.
pub(super) const RESPONSE_LIMIT: u64 = 256 << 20;

/// The parts of objects in a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Part {
    Whole,
    Metadata,
}

/// A list of objects, read page by page.
pub(super) struct Pages {
    client: Client,
    path: String,
    params: ListParams,
    part: Part,
    limit: u32,
    resource_version: Option<String>,
    is_complete: bool,
}

#[derive(Deserialize)]
struct List<'a> {
    #[serde(default)]
    metadata: ListMeta,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
}

impl Pages {
    /// Creates a list of the objects in `namespace` (empty for all) that `params` select.
    pub(super) fn new(
        client: Client,
        kind: Kind,
        namespace: &str,
        part: Part,
        params: ListParams,
    ) -> Self {
        Self {
            client,
            path: path(kind, namespace),
            params,
            part,
            limit: FIRST,
            resource_version: None,
            is_complete: false,
        }
    }

    /// Creates a list of whole objects at the path of a resource.
    pub(super) fn of_path(client: Client, path: String, params: ListParams) -> Self {
        Self {
            client,
            path,
            params,
            part: Part::Whole,
            limit: FIRST,
            resource_version: None,
            is_complete: false,
        }
    }

    /// Returns the resource version of the list, once all pages are read.
    pub(super) fn resource_version(self) -> Option<String> {
        self.resource_version
    }

    /// Restarts with the first page.
    pub(super) fn restart(&mut self) {
        self.params.continue_token = None;
        self.is_complete = false;
    }

    /// Reads the next page; returns `None` after the last one.
    ///
    /// # Errors
    /// Fails if the API server does not return a valid page. The status is 410 if the next page has expired.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Object>>, kube::Error> {
        if self.is_complete {
            return Ok(None);
        }
        let text = self.fetch().await?;
        let List { metadata, items } =
            serde_json::from_str(&text).map_err(kube::Error::SerdeError)?;
        let objects: Vec<Object> = items
            .unwrap_or_default()
            .iter()
            .map(|item| serde_json::from_str(item.get()))
            .collect::<Result<_, _>>()
            .map_err(kube::Error::SerdeError)?;
        self.advance(metadata, objects.len(), text.len());
        Ok(Some(objects))
    }

    /// Reads the next page like [`Self::next`], as the JSON text of a list.
    ///
    /// # Errors
    /// Same as [`Self::next`].
    pub(super) async fn next_text(&mut self) -> Result<Option<String>, kube::Error> {
        if self.is_complete {
            return Ok(None);
        }
        let text = self.fetch().await?;
        let List { metadata, items } =
            serde_json::from_str(&text).map_err(kube::Error::SerdeError)?;
        let objects = items.map_or(0, |it| it.len());
        self.advance(metadata, objects, text.len());
        Ok(Some(text))
    }

    /// Continues after a page with these numbers of objects and bytes.
    fn advance(&mut self, metadata: ListMeta, objects: usize, bytes: usize) {
        let is_set = |text: &String| !text.is_empty();
        self.resource_version = metadata.resource_version.filter(is_set);
        self.params.continue_token = metadata.continue_.filter(is_set);
        self.is_complete = self.params.continue_token.is_none();
        self.limit = next_limit(self.limit, objects, bytes);
    }

    /// Requests the next page as JSON.
    ///
    /// A page that is too large is requested again with fewer objects.
    async fn fetch(&mut self) -> Result<String, kube::Error> {
        loop {
            let request = Resource::new(&self.path);
            let params = self.params.clone().limit(self.limit);
            let request = match self.part {
                Part::Whole => request.list(&params),
                Part::Metadata => request.list_metadata(&params),
            };
            let request = request.map_err(kube::Error::BuildRequest)?;
            let most = match self.limit {
                1 => RESPONSE_LIMIT,
                _ => PAGE_LIMIT,
            };
            match read(&self.client, request, most).await? {
                Some(text) => return Ok(text),
                None if self.limit == 1 => return Err(too_large()),
                None => self.limit = (self.limit / SHRINKING).max(1),
            }
        }
    }
}

/// Requests one object.
///
/// # Errors
/// Fails if the API server does not return a valid object. The status is 404 if it does not exist.
pub(super) async fn get(
    client: &Client,
    kind: Kind,
    namespace: &str,
    name: &str,
) -> Result<Object, kube::Error> {
    let request = Resource::new(path(kind, namespace))
        .get(name, &kube::api::GetParams::default())
        .map_err(kube::Error::BuildRequest)?;
    let text = read(client, request, RESPONSE_LIMIT).await?.ok_or_else(too_large)?;
    serde_json::from_str(&text).map_err(kube::Error::SerdeError)
}

/// Returns the URL path of a kind in `namespace`; an empty namespace means all.
pub(super) fn path(kind: Kind, namespace: &str) -> String {
    use kube::Resource as _;
    let namespace = Some(namespace).filter(|it| !it.is_empty());
    Object::url_path(&kind, namespace)
}

/// Reads the body of a successful response; returns `None` if it exceeds `most` bytes.
pub(super) async fn read(
    client: &Client,
    request: Request<Vec<u8>>,
    most: u64,
) -> Result<Option<String>, kube::Error> {
    let body = client.request_stream(request).await?;
    let mut bytes = Vec::new();
    let mut body = Box::pin(body).take(most + 1);
    body.read_to_end(&mut bytes).await.map_err(kube::Error::ReadEvents)?;
    let fits = bytes.len() as u64 <= most;
    Ok(fits.then(|| as_text(bytes)))
}

/// Converts bytes to a string.
///
/// Replaces invalid UTF-8, which opaque fields may contain, like Go does.
pub(super) fn as_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn too_large() -> kube::Error {
    let megabytes = RESPONSE_LIMIT >> 20;
    let message = format!("the response has more than {megabytes} MiB");
    kube::Error::ReadEvents(io::Error::other(message))
}

/// Returns the limit of the next page, after one with these numbers of objects and bytes.
fn next_limit(limit: u32, objects: usize, bytes: usize) -> u32 {
    if objects == 0 {
        return limit;
    }
    let fitting = TARGET * objects as u64 / (bytes as u64).max(1);
    let most = limit.saturating_mul(GROWTH).min(LARGEST);
    u32::try_from(fitting).unwrap_or(LARGEST).clamp(1, most)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::next_limit;

    #[rstest]
    #[case::small_objects(50, 50, 200_000, 200)]
    #[case::small_objects_after_large_ones(1, 1, 4_000, 4)]
    #[case::never_more_than_kubectl(200, 200, 800_000, 500)]
    #[case::large_objects(50, 5, 7_000_000, 1)]
    #[case::objects_of_half_a_megabyte(50, 8, 4_000_000, 4)]
    #[case::no_objects(50, 0, 60, 50)]
    fn the_next_limit_follows_from_the_bytes_of_an_object(
        #[case] limit: u32,
        #[case] objects: usize,
        #[case] bytes: usize,
        #[case] next: u32,
    ) {
        assert_eq!(next_limit(limit, objects, bytes), next);
    }
}
