use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Parts;
use axum::response::Response;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::denial::Denial;
use super::page::{Format, Part, Topic};
use super::query::project;
use super::token::token;
use crate::garden::live::{Caller, Callers, LiveClient};
use crate::server::connections::{Peer, answered};
use crate::server::log::{RateLimiter, TEXT_LIMIT, WARNING_INTERVAL};
use crate::server::memory::{Budget, Memory};
use crate::server::state::State;
use garden_gate_core::garden::AccessQuestion;
use garden_gate_model::api::Project;
use garden_gate_text::escape::value_within;
use garden_gate_text::go::dns_subdomain_error;

/// Maximum number of requests at a time; the HTTP/2 streams of all connections could be far more.
const REQUESTS: usize = 64;
/// Maximum time for a response, the default timeout of reviews.
const LIMIT: Duration = Duration::from_secs(10);
/// The permissions that a page requires.
const VERBS: [&str; 2] = ["get", "list"];

/// Answers requests for pages.
#[derive(Debug)]
pub(crate) struct Publisher {
    pub(super) state: Arc<State>,
    callers: Arc<Callers>,
    /// The runtime that owns the connections to the API server.
    runtime: Handle,
    requests: Semaphore,
    /// The permit to render a page, of which there is one.
    rendering: Arc<Semaphore>,
    /// The memory of all pages together.
    budget: Arc<Budget>,
    warnings: RateLimiter,
}

impl Publisher {
    /// Creates a publisher whose questions are sent by the current runtime.
    pub(crate) fn new(state: Arc<State>, client: Arc<LiveClient>, memory: Memory) -> Self {
        Self {
            state,
            callers: Arc::new(Callers::new(client)),
            runtime: Handle::current(),
            requests: Semaphore::new(REQUESTS),
            rendering: Arc::new(Semaphore::new(1)),
            budget: Budget::new(memory.for_pages()),
            warnings: RateLimiter::new(1, WARNING_INTERVAL),
        }
    }

    /// Returns a page for a caller who may read it.
    pub(super) async fn answer(
        &self,
        topic: Topic,
        format: Format,
        head: &Parts,
    ) -> Result<Response, Denial> {
        let _slot = self.requests.try_acquire().map_err(|_| Denial::Busy)?;
        let page = async {
            let part = self.authorize(head).await?;
            self.render(part, topic, format).await
        };
        timeout(LIMIT, page).await.unwrap_or(Err(Denial::Busy))
    }

    /// Returns the part of the forecast that the caller requests and may read.
    async fn authorize(&self, head: &Parts) -> Result<Part, Denial> {
        let token = token(&head.headers)?;
        let project = project(&head.uri)?;
        let peer = head.extensions.get().map(|Peer(address)| *address);
        let caller = self.authenticate(peer, token.to_owned()).await?;
        let Some(project) = project else {
            return if self.may_read(&caller, "").await? {
                let published = self.state.published.load_full();
                published.map(Part::Projects).ok_or(Denial::NotReady)
            } else {
                Err(Denial::AllProjects)
            };
        };
        if dns_subdomain_error(&project).is_some() {
            return Err(Denial::Project(value_within(project, TEXT_LIMIT)));
        }
        let namespace = self.namespace(&project);
        // Unknown Projects cost the same questions, so that the time of the answer shows no names.
        let asked = namespace.clone().unwrap_or_else(|| format!("garden-{project}"));
        let is_allowed = self.may_read(&caller, &asked).await?;
        let namespace = namespace.filter(|_| is_allowed).ok_or(Denial::Project(project))?;
        let published = self.state.published.load_full().ok_or(Denial::NotReady)?;
        Ok(Part::Namespace(published.namespace(&namespace)))
    }

    async fn authenticate(&self, peer: Option<IpAddr>, token: String) -> Result<Caller, Denial> {
        let callers = Arc::clone(&self.callers);
        let asking = async move { callers.authenticate(peer, &token).await };
        let caller = self.ask(asking).await?;
        caller.ok_or(Denial::InvalidToken)
    }

    /// Reports whether a caller has both permissions in a namespace, or in all if it is empty.
    async fn may_read(&self, caller: &Caller, namespace: &str) -> Result<bool, Denial> {
        let asking = VERBS.map(|verb| {
            let (callers, caller) = (Arc::clone(&self.callers), caller.clone());
            let question = AccessQuestion {
                verb,
                group: "core.gardener.cloud",
                resource: "shoots",
                subresource: "",
                namespace: namespace.to_owned(),
                name: String::new(),
            };
            self.ask(async move { callers.has_access(&caller, &question).await })
        });
        let [get, list] = asking;
        let (get, list) = tokio::join!(get, list);
        Ok(get? && list?)
    }

    /// Asks the API server on the runtime that owns its connections.
    async fn ask<T: Send + 'static>(
        &self,
        asking: impl Future<Output = Result<T, String>> + Send + 'static,
    ) -> Result<T, Denial> {
        let answer =
            self.runtime.spawn(asking).await.unwrap_or_else(|error| Err(error.to_string()));
        answer.map_err(|why| {
            if self.warnings.allows().is_some() {
                let why = value_within(&why, TEXT_LIMIT);
                tracing::warn!("failed to check who may read a page: {why}; more within a minute are not logged");
            }
            Denial::Unanswered
        })
    }

    fn namespace(&self, project: &str) -> Option<String> {
        let garden = self.state.garden.load();
        let project = garden.get::<Project>(project).ok().flatten()?;
        let namespace = project.spec.namespace.clone();
        namespace.filter(|it| !it.is_empty())
    }

    async fn render(&self, part: Part, topic: Topic, format: Format) -> Result<Response, Denial> {
        let permit = Arc::clone(&self.rendering).acquire_owned().await;
        let mut memory = self.budget.permit();
        memory.hold(part.bytes())?;
        // The blocking task cannot be cancelled, and holds its permit until it ends.
        let rendering = spawn_blocking(move || {
            let page = part.render(topic, format);
            drop(permit);
            page
        });
        let page = rendering.await.map_err(|_| Denial::Defect)??;
        Ok(answered::with_permit(page, memory, format.content_type())?)
    }
}
