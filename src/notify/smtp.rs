//! Messages by e-mail.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use lettre::message::{Mailbox, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::failure::{Failure, Remedy, causes};
use super::secret::Secret;
use crate::files;

/// Maximum time of one step of a conversation.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The encryption of a connection to a mail server.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Security {
    /// STARTTLS, which is required; port 587.
    #[default]
    Starttls,
    /// TLS from the start; port 465.
    Tls,
    /// None; port 25. Passwords are refused.
    None,
}

/// A mail server.
pub(super) struct MailServer<'a> {
    pub(super) host: &'a str,
    pub(super) port: Option<u16>,
    pub(super) security: Security,
    pub(super) credentials: Option<(String, Secret)>,
    pub(super) from: &'a str,
    pub(super) ca: Option<&'a Path>,
}

/// A sender of e-mails.
#[derive(Debug)]
pub(super) struct SmtpChannel {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    to: Vec<Mailbox>,
    /// Whether the owner of a Project is a recipient.
    to_owner: bool,
    password: Option<Secret>,
}

impl SmtpChannel {
    /// Creates a sender to these recipients; `owner` is the owner of the Project.
    ///
    /// # Errors
    /// Fails if an address or a file is not valid, or a password would be sent without encryption.
    pub(super) fn new(server: MailServer<'_>, recipients: &[String]) -> anyhow::Result<Self> {
        let MailServer { host, port, security, credentials, from, ca } = server;
        let mailbox = |text: &str| -> anyhow::Result<Mailbox> {
            text.parse().ok().with_context(|| format!("`{text}` is not a valid e-mail address"))
        };
        let from = mailbox(from)?;
        let addresses = recipients.iter().filter(|it| *it != OWNER);
        let to = addresses.map(|it| mailbox(it)).collect::<anyhow::Result<Vec<_>>>()?;
        if security == Security::None && credentials.is_some() {
            anyhow::bail!("a password would be sent without encryption; use `security: starttls`");
        }
        let tls = || -> anyhow::Result<TlsParameters> {
            // It fails if there is one already.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let mut builder = TlsParameters::builder(host.to_owned());
            if let Some(path) = ca {
                let bytes = files::read(path).map_err(|problem| anyhow!("{problem}"))?;
                let certificate = Certificate::from_pem(&bytes).ok();
                builder = builder.add_root_certificate(
                    certificate
                        .with_context(|| format!("`{}` has no certificate", path.display()))?,
                );
            }
            builder.build().map_err(|error| anyhow!("cannot use TLS: {}", causes(&error)))
        };
        let (usual, tls) = match security {
            Security::Starttls => (587, Tls::Required(tls()?)),
            Security::Tls => (465, Tls::Wrapper(tls()?)),
            Security::None => (25, Tls::None),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(port.unwrap_or(usual))
            .timeout(Some(TIMEOUT))
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .tls(tls);
        let password = credentials.as_ref().map(|(_, password)| password.clone());
        if let Some((user, password)) = credentials {
            builder = builder.credentials(Credentials::new(user, password.expose().to_owned()));
        }
        let to_owner = recipients.iter().any(|it| it == OWNER);
        Ok(Self { transport: builder.build(), from, to, to_owner, password })
    }

    /// Sends a message; `owner` is the owner of the Project.
    ///
    /// # Errors
    /// Fails with the reason, which contains no secret.
    pub(super) async fn send(
        &self,
        owner: &str,
        subject: &str,
        text: String,
    ) -> Result<(), Failure> {
        let mut message = Message::builder().from(self.from.clone()).subject(subject);
        let address = if self.to_owner { owner.parse::<Address>().ok() } else { None };
        let to_owner = address.map(|it| Mailbox::new(None, it));
        let recipients: Vec<Mailbox> = self.to.iter().cloned().chain(to_owner).collect();
        if recipients.is_empty() {
            let why = "there is no recipient: the owner of the Project is not an e-mail address";
            return Err(Failure::new(why, Remedy::GiveUp, &[]));
        }
        for recipient in recipients {
            message = message.to(recipient);
        }
        let secrets: Vec<&Secret> = self.password.iter().collect();
        // Mail programs on vacation do not answer.
        let message = message
            .raw_header(lettre::message::header::HeaderValue::new(
                lettre::message::header::HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ))
            .singlepart(SinglePart::plain(text));
        let message =
            message.map_err(|error| Failure::new(&causes(&error), Remedy::GiveUp, &secrets))?;
        match self.transport.send(message).await {
            Ok(_) => Ok(()),
            Err(error) => {
                let remedy = match error.is_permanent() || error.is_client() {
                    true => Remedy::GiveUp,
                    false => Remedy::Retry(Duration::ZERO),
                };
                Err(Failure::new(&causes(&error), remedy, &secrets))
            }
        }
    }
}

/// The recipient that stands for the owner of the Project.
pub(super) const OWNER: &str = "owner";
