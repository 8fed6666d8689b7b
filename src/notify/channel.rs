// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::path::Path;

use anyhow::Context as _;
use kube::Client;

use super::destinations::{ChatEntry, Destination, DestinationFile, Kind, SmtpEntry};
use super::events::EventsChannel;
use super::failure::{Failure, Remedy};
use super::folder::FolderChannel;
use super::http::HttpChannel;
use super::smtp::{MailServer, SmtpChannel};
use garden_gate_products::report::{Message, ProjectNews, slack_json, teams_json};

/// Connections that destinations may need.
#[derive(Clone, Default)]
pub struct Resources {
    /// The client of the garden cluster.
    pub cluster: Option<Client>,
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resources").finish_non_exhaustive()
    }
}

/// The connection to a destination.
#[derive(Debug)]
pub struct Channel(Content);

#[derive(Debug)]
enum Content {
    Webhook(HttpChannel),
    Slack(HttpChannel),
    Teams(HttpChannel),
    Smtp(Box<SmtpChannel>),
    Folder(FolderChannel),
    Events(EventsChannel),
}

impl Channel {
    /// Reads the secrets of a destination, and prepares its connection without a request.
    ///
    /// # Errors
    /// Fails if a secret cannot be read, a setting is not valid, or there is no cluster for Events.
    fn open(
        file: &DestinationFile,
        destination: &Destination,
        resources: &Resources,
    ) -> anyhow::Result<Self> {
        let folder = file.folder.as_path();
        let content = match &destination.kind {
            Kind::Webhook(entry) => {
                let authorization =
                    entry.authorization.as_ref().map(|it| it.read(folder)).transpose();
                let ca = entry.ca.as_ref().map(|it| folder.join(it));
                let url = entry.url.read(folder)?;
                HttpChannel::new(url, authorization?, ca.as_deref(), entry.allow_http)
                    .map(Content::Webhook)
            }
            Kind::Slack(entry) => chat(entry, folder).map(Content::Slack),
            Kind::Teams(entry) => chat(entry, folder).map(Content::Teams),
            Kind::Smtp(entry) => smtp(entry, folder).map(|it| Content::Smtp(Box::new(it))),
            Kind::Markdown(entry) => {
                Ok(Content::Folder(FolderChannel { path: folder.join(&entry.folder) }))
            }
            Kind::Events => resources
                .cluster
                .clone()
                .map(|client| Content::Events(EventsChannel { client }))
                .context("`events` needs a live garden cluster: use --live"),
        };
        let shown = || format!("destination `{}` cannot be used", destination.name);
        content.map(Self).with_context(shown)
    }

    /// Opens destinations as `open`.
    ///
    /// # Errors
    /// Fails if one cannot be used.
    pub fn open_all(
        file: &DestinationFile,
        destinations: Vec<Destination>,
        resources: &Resources,
    ) -> anyhow::Result<Vec<(Destination, Self)>> {
        let open = |destination: Destination| {
            Self::open(file, &destination, resources).map(|channel| (destination, channel))
        };
        destinations.into_iter().map(open).collect()
    }

    /// Delivers the news of a Project.
    ///
    /// # Errors
    /// Fails with the reason, which contains no secret.
    pub(super) async fn deliver(
        &self,
        destination: &Destination,
        news: &ProjectNews<'_>,
        message: &Message,
    ) -> Result<(), Failure> {
        let text = || {
            let text = destination.render(message);
            text.map_err(|error| Failure::new(&error.to_string(), Remedy::GiveUp, &[]))
        };
        match &self.0 {
            Content::Webhook(http) => http.send(text()?).await,
            Content::Slack(http) => http.send(slack_json(message, &text()?)).await,
            Content::Teams(http) => http.send(teams_json(message, &text()?)).await,
            Content::Smtp(smtp) => smtp.send(news.facts().owner(), message.title(), text()?).await,
            Content::Folder(folder) => folder.write(news.facts().project(), text()?).await,
            Content::Events(events) => events.create(&news.notices()).await,
        }
    }
}

fn chat(entry: &ChatEntry, folder: &Path) -> anyhow::Result<HttpChannel> {
    let ca = entry.ca.as_ref().map(|it| folder.join(it));
    HttpChannel::new(entry.url.read(folder)?, None, ca.as_deref(), entry.allow_http)
}

fn smtp(entry: &SmtpEntry, folder: &Path) -> anyhow::Result<SmtpChannel> {
    let password = entry.password.as_ref().map(|it| it.read(folder)).transpose()?;
    let ca = entry.ca.as_ref().map(|it| folder.join(it));
    let server = MailServer {
        host: &entry.host,
        port: entry.port,
        security: entry.security,
        credentials: entry.username.clone().zip(password),
        from: &entry.from,
        ca: ca.as_deref(),
    };
    SmtpChannel::new(server, &entry.to)
}
