// SPDX-License-Identifier: Apache-2.0
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use tokio::runtime::Handle;

use super::denial::Denial;
use super::token::token;
use crate::garden::live::{Caller, Callers, LiveClient};
use crate::server::connections::Peer;
use crate::server::log::{RateLimiter, TEXT_LIMIT, WARNING_INTERVAL};
use garden_gate_core::garden::{AccessQuestion, Snapshot};
use garden_gate_model::api::{Kind, Project, Subject};
use garden_gate_text::escape::value_within;

/// The permissions that a page requires.
const VERBS: [&str; 2] = ["get", "list"];
/// Maximum number of Projects of a reader for which the API server is asked.
const OWN_PROJECTS: usize = 20;

/// Those who may read pages.
#[derive(Debug)]
pub(super) enum Readers {
    /// All programs on this machine, for a server without an API server, which listens on a loopback address only.
    Local,
    /// The users of an API server, by token.
    Users(Users),
}

/// The users of an API server.
#[derive(Debug)]
pub(super) struct Users {
    callers: Arc<Callers>,
    /// The runtime that owns the connections to the API server.
    runtime: Handle,
    warnings: RateLimiter,
}

/// A reader of the request.
#[derive(Clone, Debug)]
pub(super) enum Reader {
    Local,
    User(Caller),
}

impl Readers {
    /// Returns the users of `client`, whose questions are sent by the current runtime; without one, all local programs.
    pub(super) fn new(client: Option<Arc<LiveClient>>) -> Self {
        let Some(client) = client else { return Self::Local };
        Self::Users(Users {
            callers: Arc::new(Callers::new(client)),
            runtime: Handle::current(),
            warnings: RateLimiter::new(1, WARNING_INTERVAL),
        })
    }

    /// Returns who sends a request.
    pub(super) async fn reader(&self, head: &Parts) -> Result<Reader, Denial> {
        match self {
            Self::Local if is_local(head) => Ok(Reader::Local),
            // Another site may have let a browser resolve its name to this machine.
            Self::Local => Err(Denial::Host),
            Self::Users(users) => {
                let token = token(&head.headers)?;
                let peer = head.extensions.get().map(|Peer(address)| *address);
                users.authenticate(peer, token.to_owned()).await.map(Reader::User)
            }
        }
    }

    /// Reports whether a reader has both permissions in a namespace, or in all if it is empty.
    pub(super) async fn may_read(&self, reader: &Reader, namespace: &str) -> Result<bool, Denial> {
        match (self, reader) {
            (Self::Users(users), Reader::User(caller)) => users.may_read(caller, namespace).await,
            _ => Ok(true),
        }
    }

    /// Returns the Projects that name a reader as owner or member and that it may read, up to 20.
    pub(super) async fn own_projects(
        &self,
        reader: &Reader,
        garden: &Snapshot,
    ) -> Result<Vec<String>, Denial> {
        let (Self::Users(users), Reader::User(caller)) = (self, reader) else {
            return Ok(Vec::new());
        };
        let all = garden
            .names_of(Kind::Project, "")
            .filter_map(|it| garden.get::<Project>(it).ok().flatten());
        let named: Vec<(String, String)> = all
            .filter(|it| is_named(caller, it))
            .filter_map(|it| {
                let namespace = it.spec.namespace.clone().filter(|it| !it.is_empty())?;
                Some((it.metadata.name.clone(), namespace))
            })
            .take(OWN_PROJECTS)
            .collect();
        let mut own = Vec::new();
        for (name, namespace) in named {
            if users.may_read(caller, &namespace).await? {
                own.push(name);
            }
        }
        Ok(own)
    }
}

impl Users {
    async fn authenticate(&self, peer: Option<IpAddr>, token: String) -> Result<Caller, Denial> {
        let callers = Arc::clone(&self.callers);
        let asking = async move { callers.authenticate(peer, &token).await };
        let caller = self.ask(asking).await?;
        caller.ok_or(Denial::InvalidToken)
    }

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
    fn ask<T: Send + 'static>(
        &self,
        asking: impl Future<Output = Result<T, String>> + Send + 'static,
    ) -> impl Future<Output = Result<T, Denial>> {
        // The future of a reader then holds a handle instead of the whole request.
        let asked = self.runtime.spawn(asking);
        async {
            let answer = asked.await.unwrap_or_else(|error| Err(error.to_string()));
            answer.map_err(|why| {
                if self.warnings.allows().is_some() {
                    let why = value_within(&why, TEXT_LIMIT);
                    tracing::warn!("failed to check who may read a page: {why}; more within a minute are not logged");
                }
                Denial::Unanswered
            })
        }
    }
}

/// Reports whether a Project has a user as owner or member, perhaps by a group.
fn is_named(caller: &Caller, project: &Project) -> bool {
    let names = |kind: &str, name: &str, namespace: &str| match kind {
        "User" => name == caller.name(),
        "Group" => caller.groups().iter().any(|it| it == name),
        "ServiceAccount" => {
            let account = caller.name().strip_prefix("system:serviceaccount:");
            account.and_then(|it| it.split_once(':')) == Some((namespace, name))
        }
        _ => false,
    };
    let owner = project.spec.owner.as_ref();
    let is_owner = |it: &Subject| names(&it.kind, &it.name, &it.namespace);
    let mut members = project.spec.members.iter();
    owner.is_some_and(is_owner) || members.any(|it| names(&it.kind, &it.name, &it.namespace))
}

/// Reports whether a request is for a name of this machine, and for no other one.
fn is_local(head: &Parts) -> bool {
    let authority = head.uri.authority().map(Authority::as_str);
    let mut hosts = head
        .headers
        .get_all(HOST)
        .iter()
        .map(|it| it.to_str().unwrap_or_default())
        .chain(authority)
        .peekable();
    hosts.peek().is_some() && hosts.all(is_local_host)
}

/// Reports whether a host, perhaps with a port, is `localhost` or a loopback address.
fn is_local_host(host: &str) -> bool {
    let is_port = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if let Some((address, rest)) = host.strip_prefix('[').and_then(|it| it.split_once(']')) {
        let is_end = rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port);
        return is_end && address.parse::<Ipv6Addr>().is_ok_and(|it| it.is_loopback());
    }
    let name = match host.split_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use rstest::rstest;

    use super::is_local;

    #[rstest]
    #[case(Some("localhost"), true)]
    #[case(Some("LOCALHOST:8443"), true)]
    #[case(Some("127.0.0.1:8443"), true)]
    #[case(Some("127.8.9.10"), true)]
    #[case(Some("[::1]:8443"), true)]
    #[case(None, false)]
    #[case(Some(""), false)]
    #[case(Some("attacker.example:8443"), false)]
    #[case(Some("localhost.attacker.example"), false)]
    #[case(Some("127.0.0.1.attacker.example"), false)]
    #[case(Some("0.0.0.0"), false)]
    #[case(Some("[::]"), false)]
    #[case(Some("192.168.0.1"), false)]
    #[case(Some("[::1]attacker.example"), false)]
    #[case(Some("[localhost]"), false)]
    #[case(Some("localhost:attacker"), false)]
    #[case(Some("attacker.example@localhost"), false)]
    fn only_names_of_this_machine_are_local(#[case] host: Option<&str>, #[case] expected: bool) {
        let request = Request::builder().uri("/");
        let request = host.into_iter().fold(request, |it, host| it.header("host", host));
        let (head, ()) = request.body(()).unwrap().into_parts();
        assert_eq!(is_local(&head), expected);
    }

    #[test]
    fn the_authority_of_http2_counts() {
        for (uri, expected) in [("https://localhost/", true), ("https://attacker.example/", false)]
        {
            let request = Request::builder().uri(uri);
            let (head, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(is_local(&head), expected, "{uri}");
        }
        let request = Request::builder().uri("https://localhost/").header("host", "a.example");
        let (head, ()) = request.body(()).unwrap().into_parts();
        assert!(!is_local(&head), "they disagree");
    }
}
