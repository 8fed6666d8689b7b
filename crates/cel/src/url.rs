// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use garden_gate_text::go::Url;

/// A URL with the accessors of Kubernetes' library.
#[derive(Clone, Debug)]
pub struct ParsedUrl {
    /// The URL as written.
    pub(super) text: String,
    url: Url,
}

impl ParsedUrl {
    /// Parses an absolute URL or path.
    ///
    /// # Errors
    /// Returns the message of Kubernetes where Go's `url.ParseRequestURI` returns an error.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let refused = |reason: &str| {
            format!("URL parse error during conversion from string: parse {text:?}: {reason}")
        };
        if text.is_empty() {
            return Err(refused("empty url"));
        }
        if !Url::is_request_uri(text) {
            return Err(refused("invalid URI for request"));
        }
        let url = Url::parse(text).map_err(refused)?;
        Ok(Self { text: text.to_owned(), url })
    }

    /// Returns the scheme in lower case.
    pub(super) fn scheme(&self) -> &str {
        &self.url.scheme
    }

    /// Returns host and port.
    pub(super) fn host(&self) -> &str {
        &self.url.host
    }

    /// Returns host and port separately; an IPv6 address without brackets.
    pub(super) fn host_and_port(&self) -> (&str, &str) {
        let host = self.host();
        let (host, port) = match host.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|it| it.is_ascii_digit()) => (host, port),
            _ => (host, ""),
        };
        let inner = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        (inner.unwrap_or(host), port)
    }

    /// Returns user, path and everything else as written, without scheme, query and fragment.
    fn written(&self) -> (&str, &str) {
        let text = self.text.split('#').next().unwrap_or_default();
        let has_scheme = !self.url.scheme.is_empty();
        let rest = match text.split_once(':') {
            Some((_, rest)) if has_scheme => rest,
            _ => text,
        };
        let rest = rest.split('?').next().unwrap_or_default();
        let has_authority = has_scheme || !rest.starts_with("///");
        let Some(authority) = rest.strip_prefix("//").filter(|_| has_authority) else {
            return ("", rest);
        };
        let end = authority.find('/').unwrap_or(authority.len());
        let (authority, path) = authority.split_at_checked(end).unwrap_or((authority, ""));
        let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
        (user, path)
    }

    /// Returns the path with percent-encoding.
    pub(super) fn escaped_path(&self) -> String {
        let (_, path) = self.written();
        if !path.starts_with('/') {
            return String::new();
        }
        let is_valid = |byte: u8| is_plain(byte) || b"!'()*[]%".contains(&byte);
        if path.bytes().all(is_valid) {
            return path.to_owned();
        }
        let mut escaped = String::with_capacity(path.len());
        for byte in self.url.path.bytes() {
            if is_plain(byte) {
                escaped.push(char::from(byte));
            } else {
                escaped.push_str(&format!("%{byte:02X}"));
            }
        }
        escaped
    }

    /// Returns the values of each parameter of the query; those with invalid percent-encoding are left out.
    pub(super) fn query(&self) -> Vec<(String, Vec<String>)> {
        let mut parameters: Vec<(String, Vec<String>)> = Vec::new();
        let mut indexes: BTreeMap<String, usize> = BTreeMap::new();
        for parameter in self.url.query.split('&') {
            if parameter.is_empty() || parameter.contains(';') {
                continue;
            }
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (Some(name), Some(value)) = (unescape(name), unescape(value)) else {
                continue;
            };
            let index = *indexes.entry(name.clone()).or_insert(parameters.len());
            match parameters.get_mut(index) {
                Some((_, values)) => values.push(value),
                None => parameters.push((name, vec![value])),
            }
        }
        parameters
    }

    /// Returns the number of parameters of the query, with repeated ones.
    pub(super) fn parameters(&self) -> usize {
        self.url.query.split('&').count()
    }

    /// Reports whether Go prints the same string for both.
    pub(super) fn is_equal(&self, other: &Self) -> bool {
        let parts = |it: &Self| {
            let (user, rest) = it.written();
            let path = if rest.starts_with('/') { it.escaped_path() } else { rest.to_owned() };
            (user.to_owned(), path)
        };
        let (a, b) = (&self.url, &other.url);
        a.scheme == b.scheme
            && a.host == b.host
            && a.query == b.query
            && a.fragment == b.fragment
            && parts(self) == parts(other)
    }
}

/// Reports whether a byte is written in a path without percent-encoding.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte)
}

/// Decodes a part of a query.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            _ => byte,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
