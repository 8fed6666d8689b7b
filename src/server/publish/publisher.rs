// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Parts;
use axum::response::Response;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::denial::Denial;
use super::page::{Page, Part};
use super::playground::PublishedPlayground;
use super::query::project;
use super::readers::{Reader, Readers};
use super::tags::{not_modified, tag, with_tag};
use crate::garden::live::LiveClient;
use crate::server::connections::answered;
use crate::server::log::TEXT_LIMIT;
use crate::server::memory::{Budget, Memory};
use crate::server::state::State;
use garden_gate_model::api::Project;
use garden_gate_text::escape::value_within;
use garden_gate_text::go::dns_subdomain_error;

/// Maximum number of requests at a time; the HTTP/2 streams of all connections could be far more.
const REQUESTS: usize = 64;
/// Maximum time for a response, the default timeout of reviews.
const LIMIT: Duration = Duration::from_secs(10);

/// Answers requests for pages.
#[derive(Debug)]
pub(crate) struct Publisher {
    pub(super) state: Arc<State>,
    pub(super) readers: Readers,
    pub(super) playground: Option<Arc<PublishedPlayground>>,
    requests: Semaphore,
    /// The permit to render a page, of which there is one.
    rendering: Arc<Semaphore>,
    /// The memory of all pages together.
    budget: Arc<Budget>,
}

impl Publisher {
    /// Creates a publisher whose questions are sent to `client` by the current runtime.
    ///
    /// Without a client, all programs on this machine may read everything.
    pub(crate) fn new(
        state: Arc<State>,
        client: Option<Arc<LiveClient>>,
        playground: Option<PublishedPlayground>,
        memory: Memory,
    ) -> Self {
        Self {
            state,
            readers: Readers::new(client),
            playground: playground.map(Arc::new),
            requests: Semaphore::new(REQUESTS),
            rendering: Arc::new(Semaphore::new(1)),
            budget: Budget::new(memory.for_pages()),
        }
    }

    /// Returns a page for a reader who may read it.
    pub(super) async fn answer(&self, page: Page, head: &Parts) -> Result<Response, Denial> {
        let _slot = self.requests.try_acquire().map_err(|_| Denial::Busy)?;
        let answering = async {
            let part = self.authorize(&page, head).await?;
            self.render(part, page, head).await
        };
        timeout(LIMIT, answering).await.unwrap_or(Err(Denial::Busy))
    }

    /// Returns the part of the landscape that the reader requests and may read.
    async fn authorize(&self, page: &Page, head: &Parts) -> Result<Part, Denial> {
        let reader = self.readers.reader(head).await?;
        let Some(project) = project(&head.uri)? else {
            return if self.readers.may_read(&reader, "").await? {
                let published = self.state.published.load_full();
                published.map(Part::Whole).ok_or(Denial::NotReady)
            } else {
                Err(self.choice(page, &reader).await?)
            };
        };
        if dns_subdomain_error(&project).is_some() {
            return Err(Denial::Project(value_within(project, TEXT_LIMIT)));
        }
        let namespace = self.namespace(&project);
        // Unknown Projects cost the same questions, so that the time of the answer shows no names.
        let asked = namespace.clone().unwrap_or_else(|| format!("garden-{project}"));
        let is_allowed = self.readers.may_read(&reader, &asked).await?;
        let namespace = namespace.filter(|_| is_allowed).ok_or(Denial::Project(project))?;
        let published = self.state.published.load_full().ok_or(Denial::NotReady)?;
        Ok(Part::Namespace(published.namespace(&namespace)))
    }

    /// Returns what a reader of some Projects gets instead of all of them.
    async fn choice(&self, page: &Page, reader: &Reader) -> Result<Denial, Denial> {
        if *page != Page::Site {
            return Ok(Denial::AllProjects);
        }
        let garden = self.state.garden.load_full();
        let own = self.readers.own_projects(reader, &garden).await?;
        Ok(if own.is_empty() { Denial::AllProjects } else { Denial::Choice(own) })
    }

    fn namespace(&self, project: &str) -> Option<String> {
        let garden = self.state.garden.load();
        let project = garden.get::<Project>(project).ok().flatten()?;
        let namespace = project.spec.namespace.clone();
        namespace.filter(|it| !it.is_empty())
    }

    async fn render(&self, part: Part, page: Page, head: &Parts) -> Result<Response, Denial> {
        let permit = Arc::clone(&self.rendering).acquire_owned().await;
        let mut memory = self.budget.permit();
        memory.hold(part.bytes(&page))?;
        let content_type = page.content_type();
        let is_document = matches!(page, Page::Document(_));
        // The blocking task cannot be cancelled, and holds its permit until it ends.
        let rendering = spawn_blocking(move || {
            let content = part.render(&page);
            drop(permit);
            content.map(|it| (is_document.then(|| tag(&it)), it))
        });
        let (tag, content) = rendering.await.map_err(|_| Denial::Defect)??;
        let Some(tag) = tag else {
            return Ok(answered::with_permit(content.into_bytes(), memory, content_type)?);
        };
        let response = match not_modified(&head.headers, &tag) {
            Some(response) => response,
            None => answered::with_permit(content.into_bytes(), memory, content_type)?,
        };
        Ok(with_tag(response, &tag))
    }
}
