// SPDX-License-Identifier: Apache-2.0
//! Messages by e-mail.

use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{fmt, io};

use anyhow::{Context as _, anyhow};
use lettre::message::{Mailbox, SinglePart};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, AsyncTokioStream, Certificate, TlsParameters,
};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::failure::{Failure, Remedy, causes};
use super::secret::Secret;
use crate::files;

/// Maximum time to connect, and of a whole conversation.
const TIMEOUT: Duration = Duration::from_secs(20);
const LONGEST: Duration = Duration::from_mins(1);
/// Maximum size of all answers of a server in bytes.
const ANSWERS: usize = 256 << 10;

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
pub(super) struct SmtpChannel {
    host: String,
    port: u16,
    hello: ClientId,
    encryption: Encryption,
    credentials: Option<Credentials>,
    from: Mailbox,
    to: Vec<Mailbox>,
    /// Whether the owner of a Project is a recipient.
    to_owner: bool,
    password: Option<Secret>,
}

/// The encryption of a connection, with its parameters.
enum Encryption {
    Starttls(TlsParameters),
    Tls(TlsParameters),
    None,
}

impl fmt::Debug for SmtpChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpChannel").finish_non_exhaustive()
    }
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
        let (usual, encryption) = match security {
            Security::Starttls => (587, Encryption::Starttls(tls()?)),
            Security::Tls => (465, Encryption::Tls(tls()?)),
            Security::None => (25, Encryption::None),
        };
        let password = credentials.as_ref().map(|(_, password)| password.clone());
        let credentials = credentials
            .map(|(user, password)| Credentials::new(user, password.expose().to_owned()));
        Ok(Self {
            host: host.to_owned(),
            port: port.unwrap_or(usual),
            hello: ClientId::Domain(from.email.domain().to_owned()),
            encryption,
            credentials,
            from,
            to,
            to_owner: recipients.iter().any(|it| it == OWNER),
            password,
        })
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
        let to_owner = if self.to_owner { mailbox_of(owner) } else { None };
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
            .singlepart(SinglePart::plain(text))
            .map_err(|error| Failure::new(&causes(&error), Remedy::GiveUp, &secrets))?;
        let Ok(sent) = timeout(LONGEST, self.send_message(&message)).await else {
            return Err(Failure::temporary("the mail server does not answer in time", &secrets));
        };
        sent.map_err(|error| match error {
            SmtpError::Connect(error) => Failure::temporary(&causes(&error), &secrets),
            SmtpError::Server(error) => {
                let is_final = error.is_permanent() || error.is_client();
                let retry = Remedy::Retry(Duration::ZERO);
                let remedy = if is_final { Remedy::GiveUp } else { retry };
                Failure::new(&causes(&error), remedy, &secrets)
            }
        })
    }

    async fn send_message(&self, message: &Message) -> Result<(), SmtpError> {
        let mut connection = self.connect().await?;
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        connection.send(message.envelope(), &message.formatted()).await?;
        // The message is accepted, whatever the server answers now.
        let _ = connection.quit().await;
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let (server, hello) = ((&*self.host, self.port), &self.hello);
        let parameters = match &self.encryption {
            // The server shows a certificate for its name before it sends anything.
            Encryption::Tls(parameters) => {
                let (limit, tls) = (Some(TIMEOUT), Some(parameters.clone()));
                let connection =
                    AsyncSmtpConnection::connect_tokio1(server, limit, hello, tls, None).await;
                return Ok(connection?);
            }
            Encryption::Starttls(parameters) => Some(parameters),
            Encryption::None => None,
        };
        let stream = timeout(TIMEOUT, TcpStream::connect(server))
            .await
            .map_err(io::Error::from)
            .flatten()
            .map_err(SmtpError::Connect)?;
        let stream = Box::new(Limited { stream, left: ANSWERS });
        let mut connection = AsyncSmtpConnection::connect_with_transport(stream, hello).await?;
        if let Some(parameters) = parameters {
            connection.starttls(parameters.clone(), hello).await?;
        }
        Ok(connection)
    }
}

/// An error of a conversation with a mail server.
#[derive(Debug)]
enum SmtpError {
    Connect(io::Error),
    Server(Error),
}

impl From<Error> for SmtpError {
    fn from(error: Error) -> Self {
        Self::Server(error)
    }
}

/// A connection that ends after some bytes of answers, since a server could send a line without an end.
#[derive(Debug)]
struct Limited {
    stream: TcpStream,
    /// The number of bytes that may still be read.
    left: usize,
}

impl AsyncRead for Limited {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, left } = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(stream).poll_read(cx, buffer))?;
        let read = buffer.filled().len() - before;
        Poll::Ready(match left.checked_sub(read) {
            Some(rest) => {
                *left = rest;
                Ok(())
            }
            None => Err(io::Error::other("the mail server sends too much")),
        })
    }
}

impl AsyncWrite for Limited {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for Limited {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

/// Returns the mailbox of an owner whose name is an ordinary e-mail address.
fn mailbox_of(owner: &str) -> Option<Mailbox> {
    let is_ordinary = |it: u8| it.is_ascii_alphanumeric() || b"@.!#$%&'*+-/=?^_`{|}~".contains(&it);
    let address = owner.bytes().all(is_ordinary).then(|| owner.parse::<Address>());
    Some(Mailbox::new(None, address?.ok()?))
}

/// The recipient that stands for the owner of the Project.
pub(super) const OWNER: &str = "owner";
