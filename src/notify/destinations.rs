// SPDX-License-Identifier: Apache-2.0
//! The file of destinations.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::secret::SecretSource;
use super::smtp::{OWNER, Security};
use crate::files;
use garden_gate_products::report::{
    Message, MessageFormat, MessageTemplate, TemplateError, document_json,
};
use garden_gate_text::escape;
use garden_gate_text::yaml;

/// The name of the schema of the file.
pub const DESTINATIONS: &str = "destinations";
/// Maximum number of destinations.
const COUNT: usize = 50;
/// Maximum number of bytes of a name.
const NAME: usize = 63;
/// Maximum number of reminders of a fact.
const REMINDERS: usize = 5;
/// Default time between two messages to a server, in milliseconds: Slack permits one a second.
const INTERVAL: u32 = 1_000;

/// Destinations of the messages of `garden-gate notify`.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DestinationFile {
    /// The destinations.
    destinations: Vec<Entry>,
    /// The folder of the file.
    #[serde(skip)]
    pub(super) folder: PathBuf,
}

/// A destination; exactly one of `webhook`, `slack`, `teams`, `smtp`, `markdown` and `events` is set.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Destination")]
struct Entry {
    /// The name, which identifies the destination in the state: letters, digits, `.`, `_` and `-`.
    name: String,
    /// The Projects, by name; all if it is empty.
    #[serde(default)]
    projects: BTreeSet<String>,
    /// Sends a fact again as many days before its day, at most five numbers.
    #[serde(default)]
    remind_days: Vec<u16>,
    /// Minimum time between two messages in milliseconds. The default is 1000, and 0 for files.
    interval_milliseconds: Option<u32>,
    /// A template in the language of Jinja, relative to this file. The default is built in.
    template: Option<PathBuf>,
    /// Sends JSON.
    webhook: Option<WebhookEntry>,
    /// Sends to an incoming webhook of Slack.
    slack: Option<ChatEntry>,
    /// Sends an Adaptive Card to a workflow of Teams.
    teams: Option<ChatEntry>,
    /// Sends e-mails.
    smtp: Option<SmtpEntry>,
    /// Writes a Markdown file per Project.
    markdown: Option<MarkdownEntry>,
    /// Creates Kubernetes Events on Shoots; needs `--live`.
    events: Option<EventsEntry>,
}

/// A receiver of JSON.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Webhook")]
pub(super) struct WebhookEntry {
    /// The URL, which is a secret.
    pub(super) url: SecretSource,
    /// The value of the header `Authorization`, such as `Bearer …`, which is a secret.
    pub(super) authorization: Option<SecretSource>,
    /// A file with additional root certificates in PEM.
    pub(super) ca: Option<PathBuf>,
    /// Permits a URL without TLS that is not local.
    #[serde(default)]
    pub(super) allow_http: bool,
}

/// A receiver of chat messages.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Chat")]
pub(super) struct ChatEntry {
    /// The URL, which is a secret.
    pub(super) url: SecretSource,
    /// A file with additional root certificates in PEM.
    pub(super) ca: Option<PathBuf>,
    /// Permits a URL without TLS that is not local.
    #[serde(default)]
    pub(super) allow_http: bool,
}

/// A mail server with recipients.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "MailServer")]
pub(super) struct SmtpEntry {
    /// The host name of the server.
    pub(super) host: String,
    /// The port. The default is 587 for `starttls`, 465 for `tls`, and 25 for `none`.
    pub(super) port: Option<u16>,
    /// The encryption: `starttls` (default), `tls` or `none`.
    #[serde(default)]
    pub(super) security: Security,
    /// The sender.
    pub(super) from: String,
    /// The recipients; `owner` is the owner of the Project, if its name is an e-mail address.
    pub(super) to: Vec<String>,
    /// The user.
    pub(super) username: Option<String>,
    /// The password, which is a secret.
    pub(super) password: Option<SecretSource>,
    /// A file with an additional root certificate in PEM.
    pub(super) ca: Option<PathBuf>,
}

/// A folder.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "MarkdownFolder")]
pub(super) struct MarkdownEntry {
    /// The folder, relative to this file.
    pub(super) folder: PathBuf,
}

/// Kubernetes Events.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Events")]
pub(super) struct EventsEntry {}

/// The kind of a destination with its settings.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Webhook(WebhookEntry),
    Slack(ChatEntry),
    Teams(ChatEntry),
    Smtp(SmtpEntry),
    Markdown(MarkdownEntry),
    Events,
}

/// A destination with its template.
#[derive(Debug)]
pub struct Destination {
    /// The name.
    pub name: String,
    pub(super) kind: Kind,
    template: MessageTemplate,
    /// Whether the template is that of the user.
    has_template: bool,
    projects: BTreeSet<String>,
    pub(super) remind: Vec<u16>,
    pub(super) interval: Duration,
}

/// Returns the JSON Schema of the file, for editors.
pub fn destinations_schema() -> Value {
    let settings = SchemaSettings::draft2020_12();
    settings.into_generator().into_root_schema_for::<DestinationFile>().to_value()
}

/// Reads and checks a file of destinations; no secret is read.
///
/// # Errors
/// Fails if the file or a template cannot be read or is not valid.
pub fn read_destinations(path: &Path) -> anyhow::Result<(DestinationFile, Vec<Destination>)> {
    let text = text_of(path)?;
    let located = |error: yaml::SourceError| {
        // It may quote a secret that does not belong there.
        let message = without_quotes(&error.message);
        anyhow!("{}:{}: {message}", path.display(), error.position)
    };
    let documents = yaml::parse(&text).map_err(located)?;
    let [document] = &documents[..] else {
        bail!("`{}` must have one YAML document", path.display());
    };
    let mut file: DestinationFile = document.decode().map_err(located)?;
    file.folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let shown = || format!("`{}` has an invalid destination", path.display());
    let mut destinations = Vec::new();
    let mut names = BTreeSet::new();
    if file.destinations.is_empty() || file.destinations.len() > COUNT {
        bail!("`{}` must have 1 to {COUNT} destinations", path.display());
    }
    for entry in &file.destinations {
        let destination = entry.check(&file.folder).with_context(shown)?;
        if !names.insert(destination.name.clone()) {
            bail!("`{}` has two destinations with the name `{}`", path.display(), destination.name);
        }
        destinations.push(destination);
    }
    Ok((file, destinations))
}

impl Entry {
    fn check(&self, folder: &Path) -> anyhow::Result<Destination> {
        let name = &self.name;
        let is_character = |it: u8| it.is_ascii_alphanumeric() || b"._-".contains(&it);
        if name.is_empty() || name.len() > NAME || !name.bytes().all(is_character) {
            bail!("`name` must have 1 to {NAME} letters, digits, `.`, `_` or `-`");
        }
        if self.remind_days.len() > REMINDERS {
            bail!("`{name}` has more than {REMINDERS} `remindDays`");
        }
        let mut kinds = [
            self.webhook.clone().map(Kind::Webhook),
            self.slack.clone().map(Kind::Slack),
            self.teams.clone().map(Kind::Teams),
            self.smtp.clone().map(Kind::Smtp),
            self.markdown.clone().map(Kind::Markdown),
            self.events.map(|EventsEntry {}| Kind::Events),
        ]
        .into_iter()
        .flatten();
        let (Some(kind), None) = (kinds.next(), kinds.next()) else {
            bail!(
                "`{name}` must have one of `webhook`, `slack`, `teams`, `smtp`, `markdown` and `events`"
            );
        };
        if let Kind::Smtp(smtp) = &kind {
            if smtp.to.is_empty() {
                bail!("`{name}` has no recipients in `to`; write addresses, or `{OWNER}`");
            }
            if smtp.username.is_some() != smtp.password.is_some() {
                bail!("`{name}` needs `username` and `password`, or neither");
            }
        }
        let format = kind.format();
        let template = match &self.template {
            Some(_) if matches!(kind, Kind::Events) => {
                bail!("`{name}` cannot have a template: Events are too short")
            }
            Some(path) => {
                let path = folder.join(path);
                MessageTemplate::parse(&path.display().to_string(), &text_of(&path)?, format)?
            }
            None => MessageTemplate::built_in(format)?,
        };
        let default = if matches!(kind, Kind::Markdown(_)) { 0 } else { INTERVAL };
        let interval = self.interval_milliseconds.unwrap_or(default);
        Ok(Destination {
            name: name.clone(),
            kind,
            template,
            has_template: self.template.is_some(),
            projects: self.projects.clone(),
            remind: self.remind_days.clone(),
            interval: Duration::from_millis(interval.into()),
        })
    }
}

impl Kind {
    /// Returns the markup of messages.
    pub(super) fn format(&self) -> MessageFormat {
        match self {
            Self::Webhook(_) => MessageFormat::Json,
            Self::Slack(_) => MessageFormat::Slack,
            Self::Markdown(_) => MessageFormat::Markdown,
            Self::Teams(_) | Self::Smtp(_) | Self::Events => MessageFormat::Text,
        }
    }
}

impl Destination {
    /// Returns the days before the day of a fact on which it is sent again.
    pub fn remind(&self) -> &[u16] {
        &self.remind
    }

    /// Formats a message with the template.
    ///
    /// # Errors
    /// Fails if the template cannot be used for it.
    pub fn render(&self, message: &Message) -> Result<String, TemplateError> {
        match &self.kind {
            Kind::Webhook(_) if !self.has_template => document_json(message).map_err(|error| {
                TemplateError { name: "JSON".to_owned(), line: None, message: error.to_string() }
            }),
            _ => self.template.render(message),
        }
    }

    /// Reports whether messages about a Project are sent there.
    pub fn takes(&self, project: &str) -> bool {
        self.projects.is_empty() || self.projects.contains(project)
    }
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let bytes = files::read(path).map_err(|problem| anyhow!("{problem}"))?;
    files::text(path, bytes).map_err(|(problem, _)| anyhow!("{problem}"))
}

/// Replaces what is in double quotes.
fn without_quotes(message: &str) -> String {
    let mut parts = message.split('"');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = parts.collect();
    match rest.last() {
        Some(last) => escape::value(&format!("{first}\"…\"{last}")).into_owned(),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::without_quotes;

    #[rstest]
    #[case(
        "invalid type: string \"https://a/\\\"b\", expected x",
        "invalid type: string \"…\", expected x"
    )]
    #[case("unknown field `a`", "unknown field `a`")]
    fn a_quoted_value_is_hidden(#[case] message: &str, #[case] want: &str) {
        assert_eq!(without_quotes(message), want);
    }
}
