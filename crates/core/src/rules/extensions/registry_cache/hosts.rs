// SPDX-License-Identifier: Apache-2.0
//! Hosts and URLs of registries. Source: `pkg/apis/registry/validation` of registry-cache.

use crate::admission::{FieldPath, FindingKind, Findings};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_text::go::{Url, dns_subdomain_error};

/// An error in a host or URL, with its remedy.
#[derive(Debug)]
struct Problem {
    message: String,
    help: &'static str,
}

/// The help for the host of an upstream, which is no URL.
const ALONE: &str = "write a DNS name with an optional port, such as `registry.example.com:5000`";
/// The help for the host of a URL.
const IN_URL: &str =
    "write a DNS name with an optional port, as in `https://registry.example.com:5000`";

/// Whether a URL may have a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Paths {
    Forbidden,
    Allowed,
}

/// Checks a host with an optional port.
pub(crate) fn check_upstream(
    upstream: &str,
    place: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    report(host_problems(upstream, ALONE), upstream, place, kind, findings);
}

/// Checks the URL of a registry, mirror or proxy as a version of the extension does.
pub(crate) fn check_url(
    (url, paths): (&str, Paths),
    place: &FieldPath,
    version: ExtensionVersion,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    report(url_problems(url, paths, version), url, place, kind, findings);
}

fn report(
    problems: Vec<Problem>,
    value: &str,
    place: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    for problem in problems {
        findings.invalid(kind, place.clone(), problem.message).value(value).help(problem.help);
    }
}

fn url_problems(url: &str, paths: Paths, version: ExtensionVersion) -> Vec<Problem> {
    if version < ExtensionVersion::new(0, 22) {
        return old_url_problems(url);
    }
    let parsed = match Url::parse(url) {
        Ok(parsed) => parsed,
        Err(why) => {
            let message = format!("`{}` is not a URL: {why}", short(url));
            let help = "write it like `https://registry.example.com:5000`";
            return vec![Problem { message, help }];
        }
    };
    if !matches!(parsed.scheme.as_str(), "http" | "https") {
        return vec![wrong_scheme(url)];
    }
    let mut problems = host_problems(&parsed.host, IN_URL);
    let mut add = |part: &str, help| {
        let message = format!("`{}` has {part}", short(url));
        problems.push(Problem { message, help });
    };
    if paths == Paths::Forbidden && !matches!(parsed.path.as_str(), "" | "/") {
        add("a path", "remove the path");
    }
    if paths == Paths::Allowed && version >= ExtensionVersion::new(0, 23) {
        for segment in ["..", "."] {
            if parsed.path.split('/').any(|it| it == segment) {
                let part = format!("the path segment `{segment}`");
                add(&part, "write the path without `.` and `..`");
            }
        }
    }
    if parsed.has_user {
        add("a user", "remove the user before `@`");
    }
    if !parsed.query.is_empty() {
        add("a query", "remove the query after `?`");
    }
    if !parsed.fragment.is_empty() {
        add("a fragment", "remove the fragment after `#`");
    }
    problems
}

/// Checks a URL as versions before 0.22 do: everything after the scheme is a host.
fn old_url_problems(url: &str) -> Vec<Problem> {
    let (scheme, host) = url.split_once("://").unwrap_or(("", url));
    let is_known = matches!(scheme, "http" | "https");
    let scheme = (!is_known).then(|| wrong_scheme(url));
    scheme.into_iter().chain(host_problems(host, IN_URL)).collect()
}

fn wrong_scheme(url: &str) -> Problem {
    Problem {
        message: format!("the scheme of `{}` is not `http` or `https`", short(url)),
        help: "begin with `https://` or `http://`",
    }
}

/// Returns the errors in a host with an optional port, which consists of digits; `help` is about the host.
fn host_problems(text: &str, help: &'static str) -> Vec<Problem> {
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if is_digits(port) => (host, Some(port)),
        _ => (text, None),
    };
    let port =
        port.filter(|it| it.starts_with('0') || it.parse::<u16>().is_err()).map(|port| Problem {
            message: format!("`{}` is not a valid port", short(port)),
            help: "use a number from 1 to 65535 without leading zeros",
        });
    let host = dns_subdomain_error(host).map(|why| Problem {
        message: format!("`{}` is not a valid host: {why}", short(host)),
        help,
    });
    port.into_iter().chain(host).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("docker.io", 0)]
    #[case("docker.io:65535", 0)]
    #[case("10.1.2.3:5000", 0)]
    #[case("docker.io:0", 1)]
    #[case("docker.io:65536", 1)]
    #[case("docker.io:0443", 1)]
    #[case("docker.io:", 1)]
    #[case("docker.io:port", 1)]
    #[case("a:b:5000", 1)]
    #[case("[::1]:0", 2)]
    #[case("", 1)]
    fn port_is_what_follows_the_last_colon_if_digits(#[case] host: &str, #[case] count: usize) {
        assert_eq!(host_problems(host, ALONE).len(), count);
    }

    #[rstest]
    #[case("https://a.io", [0, 0, 0])]
    #[case("HTTPS://a.io", [1, 0, 0])]
    #[case("https://a.io/", [1, 0, 0])]
    #[case("https://a.io/v2", [1, 1, 0])]
    #[case("https://a.io/%2e%2e/.", [1, 1, 2])]
    #[case("https://a.io/..x", [1, 1, 0])]
    #[case("https://u@a.io?x#y", [1, 3, 3])]
    #[case("https://a.io?#", [1, 0, 0])]
    #[case("ftp://A.io", [2, 1, 1])]
    #[case("a.io", [1, 1, 1])]
    #[case("https://a.io:00", [1, 1, 1])]
    #[case("https://a.io/%zz", [1, 1, 1])]
    fn urls_before_0_22_and_now(#[case] url: &str, #[case] expected: [usize; 3]) {
        let count = |paths, minor| {
            let version = ExtensionVersion::new(0, minor);
            url_problems(url, paths, version).len()
        };
        let now = [count(Paths::Forbidden, 25), count(Paths::Allowed, 25)];
        assert_eq!([count(Paths::Allowed, 21), now[0], now[1]], expected);
    }
}
