// SPDX-License-Identifier: Apache-2.0
//! Messages over HTTP.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, StatusCode, Url};

use super::failure::{Failure, Remedy, causes};
use super::secret::Secret;
use crate::files;

/// Maximum time of a request.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum time to connect.
const CONNECT: Duration = Duration::from_secs(10);
/// Maximum time for which a receiver can delay the next attempt.
const LONGEST_WAIT: Duration = Duration::from_hours(24);
/// Maximum size of an answer that is printed, in bytes.
const SHOWN: usize = 60;
/// Length from which a part of a secret in an answer keeps it from being printed, in bytes.
const PART: usize = 4;

/// A receiver of HTTP requests.
#[derive(Debug)]
pub(super) struct HttpChannel {
    client: Client,
    url: Secret,
    authorization: Option<Secret>,
}

impl HttpChannel {
    /// Creates a receiver; `ca` is a file with additional root certificates.
    ///
    /// # Errors
    /// Fails if the URL or a file is not valid, or the URL is neither HTTPS nor local and `allows_http` is false.
    pub(super) fn new(
        url: Secret,
        authorization: Option<Secret>,
        ca: Option<&Path>,
        allows_http: bool,
    ) -> anyhow::Result<Self> {
        // The reason would quote it.
        let parsed = Url::parse(url.expose()).ok().context("the URL is not valid")?;
        match parsed.scheme() {
            "https" => {}
            "http" if allows_http || is_local(&parsed) => {}
            "http" => bail!("the URL is not encrypted; use https://, or set `allowHttp: true`"),
            _ => bail!("the URL begins with neither https:// nor http://"),
        }
        if !parsed.username().is_empty() || parsed.password().is_some() {
            bail!("the URL has a user; use `authorization` for credentials");
        }
        if let Some(authorization) = &authorization {
            header(authorization)?;
        }
        // It fails if there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .redirect(Policy::none())
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT)
            .user_agent(concat!("garden-gate/", env!("CARGO_PKG_VERSION")));
        if is_local(&parsed) {
            builder = builder.no_proxy();
        }
        if let Some(path) = ca {
            builder = builder.tls_certs_merge(certificates(path)?);
        }
        let client = builder.build().map_err(|error| {
            anyhow::anyhow!("failed to create an HTTP client: {}", causes(&error.without_url()))
        })?;
        Ok(Self { client, url, authorization })
    }

    /// Sends a JSON document.
    ///
    /// # Errors
    /// Fails with the reason, which contains no secret.
    pub(super) async fn send(&self, json: String) -> Result<(), Failure> {
        let secrets: Vec<&Secret> = [&self.url].into_iter().chain(&self.authorization).collect();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            let value = header(authorization)
                .map_err(|error| Failure::new(&error.to_string(), Remedy::GiveUpAll, &secrets))?;
            headers.insert(AUTHORIZATION, value);
        }
        let request = self.client.post(self.url.expose()).headers(headers).body(json);
        let mut response = request
            .send()
            .await
            .map_err(|error| Failure::temporary(&causes(&error.without_url()), &secrets))?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let wait = retry_after(response.headers());
        let mut answer = Vec::new();
        while answer.len() <= SHOWN
            && let Ok(Some(chunk)) = response.chunk().await
        {
            answer.extend_from_slice(&chunk[..chunk.len().min(SHOWN + 1)]);
        }
        let mut why = format!("the receiver answers {status}");
        if status.is_redirection() {
            why += ", and redirects are not followed";
        } else if let Some(answer) = shown(&answer, &secrets) {
            why += &format!(": {answer}");
        }
        Err(Failure::new(&why, remedy(status, wait), &secrets))
    }
}

/// Returns an answer if it is a short reason such as `invalid_token`, and contains no part of a secret.
fn shown<'a>(answer: &'a [u8], secrets: &[&Secret]) -> Option<&'a str> {
    let answer = str::from_utf8(answer).ok()?.trim();
    let is_plain = |it: u8| it.is_ascii_lowercase() || it == b'_' || it == b' ';
    let is_short = !answer.is_empty() && answer.len() <= SHOWN && answer.bytes().all(is_plain);
    let is_secret = |word: &str| word.len() >= PART && secrets.iter().any(|it| it.contains(word));
    let mut words = answer.split([' ', '_']);
    (is_short && !words.any(is_secret)).then_some(answer)
}

fn remedy(status: StatusCode, wait: Option<Duration>) -> Remedy {
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY => {
            Remedy::Retry(wait.unwrap_or_default())
        }
        _ if status.is_server_error() => Remedy::Retry(wait.unwrap_or_default()),
        StatusCode::BAD_REQUEST
        | StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::UNPROCESSABLE_ENTITY => Remedy::GiveUp,
        _ => Remedy::GiveUpAll,
    }
}

/// Returns the time that a receiver asks to wait, up to a day.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    let wait = match value.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let at = rfc2822::parse(value).ok()?.timestamp();
            Duration::try_from(at.duration_since(Timestamp::now())).ok()?
        }
    };
    Some(wait.min(LONGEST_WAIT))
}

fn header(secret: &Secret) -> anyhow::Result<HeaderValue> {
    let mut value = HeaderValue::from_str(secret.expose())
        .ok()
        .context("`authorization` has characters that no header has")?;
    value.set_sensitive(true);
    Ok(value)
}

fn is_local(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "127.0.0.1" | "[::1]") => true,
        Some(_) | None => false,
    }
}

/// Reads certificates in PEM.
///
/// # Errors
/// Fails if the file cannot be read or has none.
fn certificates(path: &Path) -> anyhow::Result<Vec<Certificate>> {
    let bytes = files::read(path).map_err(|problem| anyhow::anyhow!("{problem}"))?;
    let certificates = Certificate::from_pem_bundle(&bytes).ok().filter(|it| !it.is_empty());
    certificates.with_context(|| format!("`{}` has no certificates in PEM", path.display()))
}
