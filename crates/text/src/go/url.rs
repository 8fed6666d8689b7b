// SPDX-License-Identifier: Apache-2.0
use core::net::IpAddr;

/// A URL, split as Go's `url.Parse` splits it.
///
/// Bytes that are not UTF-8 without percent-encoding are replaced.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Url {
    /// The scheme in lower case; empty for a relative URL.
    pub scheme: String,
    /// Host and port, without percent-encoding.
    pub host: String,
    /// The path, without percent-encoding.
    pub path: String,
    /// Whether there is a user before the host, even an empty one.
    pub has_user: bool,
    /// The query as written, without `?`.
    pub query: String,
    /// The fragment, without percent-encoding.
    pub fragment: String,
}

/// A part of a URL, with its rules for percent-encoding.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Component {
    Host,
    Zone,
    Other,
}

const BAD_ESCAPE: &str = "the percent-encoding is invalid";
const BAD_HOST: &str = "the host has an invalid character";
const BAD_LITERAL: &str = "the IPv6 address in brackets is invalid";
const BAD_PORT: &str = "the port is not a number";

impl Url {
    /// Parses a URL, also a relative one.
    ///
    /// # Errors
    /// Returns the reason where `url.Parse` returns an error.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url = Self::without_fragment(text)?;
        url.fragment = unescape(fragment, Component::Other)?;
        Ok(url)
    }

    /// Reports whether this is an absolute URL or path, as Go's `url.ParseRequestURI` accepts it.
    pub fn is_request_uri(text: &str) -> bool {
        match split_scheme(text) {
            Err(_) => false,
            Ok(("", path)) => {
                let (path, _) = path.split_once('?').unwrap_or((path, ""));
                let is_right = path.starts_with('/') && unescape(path, Component::Other).is_ok();
                text == "*" || is_right && !text.bytes().any(|byte| byte.is_ascii_control())
            }
            Ok(_) => Self::without_fragment(text).is_ok(),
        }
    }

    fn without_fragment(text: &str) -> Result<Self, &'static str> {
        if text.bytes().any(|byte| byte.is_ascii_control()) {
            return Err("there is a control character");
        }
        let mut url = Self::default();
        let (scheme, rest) = split_scheme(text)?;
        url.scheme = scheme.to_ascii_lowercase();
        let (mut rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        query.clone_into(&mut url.query);
        if !rest.starts_with('/') {
            if !scheme.is_empty() {
                return Ok(url);
            }
            let first = rest.split('/').next().unwrap_or_default();
            if first.contains(':') {
                return Err("the scheme before `:` is invalid");
            }
        }
        let has_authority = !scheme.is_empty() || !rest.starts_with("///");
        if let Some(authority) = rest.strip_prefix("//").filter(|_| has_authority) {
            let end = authority.find('/').unwrap_or(authority.len());
            let (authority, path) = authority.split_at(end);
            rest = path;
            url.set_authority(authority)?;
        }
        url.path = unescape(rest, Component::Other)?;
        Ok(url)
    }

    fn set_authority(&mut self, authority: &str) -> Result<(), &'static str> {
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        self.host = match host.rfind('[') {
            Some(0) => literal(host)?,
            Some(_) => return Err(BAD_LITERAL),
            None => {
                let is_strict = matches!(self.scheme.as_str(), "http" | "https");
                let colon = if is_strict { host.find(':') } else { host.rfind(':') };
                if !is_port(&host[colon.unwrap_or(host.len())..]) {
                    return Err(BAD_PORT);
                }
                unescape(host, Component::Host)?
            }
        };
        self.has_user = user.is_some();
        let user = user.unwrap_or_default();
        if !user.bytes().all(is_in_user) {
            return Err("the user has an invalid character");
        }
        unescape(user, Component::Other).map(drop)
    }
}

/// Splits off the scheme; without one it is empty.
fn split_scheme(text: &str) -> Result<(&str, &str), &'static str> {
    let is_in_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    match text.split_once(':') {
        Some(("", _)) => Err("the scheme before `:` is missing"),
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(is_in_scheme) =>
        {
            Ok((scheme, rest))
        }
        _ => Ok(("", text)),
    }
}

/// Parses an IPv6 address in brackets, with an optional zone and port.
fn literal(host: &str) -> Result<String, &'static str> {
    let (address, port) = host[1..].rsplit_once(']').ok_or(BAD_LITERAL)?;
    if !is_port(port) {
        return Err(BAD_PORT);
    }
    let (address, zone) = address.split_at(address.find("%25").unwrap_or(address.len()));
    let zone = unescape(zone, Component::Zone)?;
    // Without an encoded `%`, a host cannot have a zone, as `%` cannot be written in it.
    let address = unescape(address, Component::Host)?;
    let is_ipv6 = matches!(address.parse(), Ok(IpAddr::V6(_)));
    if !is_ipv6 || zone == "%" {
        return Err(BAD_LITERAL);
    }
    Ok(format!("[{address}{zone}]{port}"))
}

/// Reports whether it is empty, or a colon with digits or nothing.
fn is_port(text: &str) -> bool {
    let digits = text.strip_prefix(':');
    text.is_empty() || digits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_in_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)
}

/// Reports whether a byte can be written in a host without percent-encoding.
fn is_in_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!\"$&'()*+,-.:;<=>[]_~".contains(&byte)
}

fn unescape(text: &str, component: Component) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'%' {
            if component != Component::Other && byte.is_ascii() && !is_in_host(*byte) {
                return Err(BAD_HOST);
            }
            bytes.push(*byte);
            continue;
        }
        let [high, low, after @ ..] = rest else {
            return Err(BAD_ESCAPE);
        };
        rest = after;
        let byte = (hex(*high)? << 4) | hex(*low)?;
        let is_right = match component {
            Component::Host => !byte.is_ascii() || byte == b'%',
            Component::Zone => matches!(byte, b'%' | b' ') || is_in_host(byte),
            Component::Other => true,
        };
        if !is_right {
            return Err(BAD_HOST);
        }
        bytes.push(byte);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex(digit: u8) -> Result<u8, &'static str> {
    let digit = char::from(digit).to_digit(16);
    digit.and_then(|it| u8::try_from(it).ok()).ok_or(BAD_ESCAPE)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Answers of `url.Parse` of Go 1.26: scheme, host, path, query, fragment, and whether there is a user.
    const ANSWERS: &[(&str, Option<&str>)] = &[
        ("", Some("|||||")),
        ("*", Some("||*|||")),
        ("https://a.io", Some("https|a.io||||")),
        ("HTTPS://Reg.example.com:5000/", Some("https|Reg.example.com:5000|/|||")),
        ("http://a.io:", Some("http|a.io:||||")),
        ("https://a.io?", Some("https|a.io||||")),
        ("https://a.io/?x", Some("https|a.io|/|x||")),
        ("https://a.io?a=b#c", Some("https|a.io||a=b|c|")),
        ("https://a.io#", Some("https|a.io||||")),
        ("https://a.io#%zz", None),
        ("https://a.io#a%20b", Some("https|a.io|||a b|")),
        ("https://u@a.io", Some("https|a.io||||user")),
        ("https://@a.io", Some("https|a.io||||user")),
        ("https://u:p%40w@a.io", Some("https|a.io||||user")),
        ("https://u w@a.io", None),
        ("https://u%zz@a.io", None),
        ("https://a@b@c.io", Some("https|c.io||||user")),
        ("a.io", Some("||a.io|||")),
        ("a.io:5000", Some("a.io|||||")),
        ("10.0.0.1:3128", None),
        ("10.0.0.1/x:y", Some("||10.0.0.1/x:y|||")),
        ("a.io/x:y", Some("||a.io/x:y|||")),
        ("//a.io/x", Some("|a.io|/x|||")),
        ("///a.io", Some("||///a.io|||")),
        ("://a.io", None),
        (":", None),
        ("https:a.io", Some("https|||||")),
        ("https:/a.io", Some("https||/a.io|||")),
        ("https:///x", Some("https||/x|||")),
        ("https://", Some("https|||||")),
        ("https://a b.io", None),
        ("https://a.io:port", None),
        ("https://a.io:50:60", None),
        ("ftp://a.io:50:60", Some("ftp|a.io:50:60||||")),
        ("https://a.io:-1", None),
        ("https://[::1", None),
        ("https://[::1]", Some("https|[::1]||||")),
        ("https://[::1]:5000", Some("https|[::1]:5000||||")),
        ("https://[::1]x", None),
        ("https://[fe80::1%25en0]:80", Some("https|[fe80::1%en0]:80||||")),
        ("https://[fe80::1%25e%20n]", Some("https|[fe80::1%e n]||||")),
        ("https://[fe80::1%25e%3cn]", Some("https|[fe80::1%e<n]||||")),
        ("https://[fe80::1%en]", None),
        ("https://[1.2.3.4]", None),
        ("https://[::ffff:1.2.3.4]", Some("https|[::ffff:1.2.3.4]||||")),
        ("https://[::1%25]", None),
        ("https://a[::1]", None),
        ("https://[a]", None),
        ("https://%61.io", None),
        ("https://%25.io", Some("https|%.io||||")),
        ("https://%e4.io", Some("https|\u{fffd}.io||||")),
        ("https://ä.io", Some("https|ä.io||||")),
        ("https://a_b.io", Some("https|a_b.io||||")),
        ("https://a<b>.io", Some("https|a<b>.io||||")),
        ("https://a^b.io", None),
        ("https://a\"b", Some("https|a\"b||||")),
        ("https://a|b", None),
        ("https://a'b!$&()*+,;=", Some("https|a'b!$&()*+,;=||||")),
        ("https://a~b", Some("https|a~b||||")),
        ("https://a.io/%zz", None),
        ("https://a.io/%2e%2E/x", Some("https|a.io|/../x|||")),
        ("https://a.io/a%2f..%2fb", Some("https|a.io|/a/../b|||")),
        ("https://a.io/%", None),
        ("https://a.io/ x", Some("https|a.io|/ x|||")),
        ("https://a.io/x?a?b", Some("https|a.io|/x|a?b||")),
        ("https://a.io??", Some("https|a.io||?||")),
        ("ht tp://a.io", None),
        ("1http://a.io", None),
        ("h+t-t.p1://a.io", Some("h+t-t.p1|a.io||||")),
        ("hä://a", None),
        ("https://a.io\x7f", None),
        ("https://a.io/\n", None),
        ("https://a.io#\x01", Some("https|a.io|||\x01|")),
        ("#a:b", Some("||||a:b|")),
        ("?a:b", Some("|||a:b||")),
        ("a?b:c", Some("||a|b:c||")),
        ("https://a.io/%ff", Some("https|a.io|/\u{fffd}|||")),
        ("https://a.io\\x", None),
    ];

    #[test]
    fn urls_are_split_as_in_go() {
        for (text, expected) in ANSWERS {
            let found = Url::parse(text).ok().map(|it| {
                let user = if it.has_user { "user" } else { "" };
                let parts = [&it.scheme, &it.host, &it.path, &it.query, &it.fragment];
                format!("{}|{user}", parts.map(String::as_str).join("|"))
            });
            assert_eq!(found.as_deref(), *expected, "{text}");
        }
    }

    /// Answers of `url.ParseRequestURI` of Go 1.26.
    #[rstest]
    #[case("", false)]
    #[case("*", true)]
    #[case("/a", true)]
    #[case("//a", true)]
    #[case("?x", false)]
    #[case("a.io", false)]
    #[case("a:b", true)]
    #[case(":", false)]
    #[case("https:", true)]
    #[case("https://a.io/x?x y", true)]
    #[case("https://a.io#f", false)]
    #[case("https://%zz", false)]
    #[case("http://a b", false)]
    fn request_uri_as_in_go(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(Url::is_request_uri(text), expected);
    }
}
