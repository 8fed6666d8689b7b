// SPDX-License-Identifier: Apache-2.0
//! Addresses of DNS servers. Source: `ValidateNameserver` in `pkg/apis/config/validation/validation.go`.

use core::net::IpAddr;

use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_text::go::{atoi, dns_subdomain_error};

/// The first version that accepts an IPv6 address in brackets without a port.
const BRACKETS: ExtensionVersion = ExtensionVersion::new(1, 64);

/// Returns the error in the address of a DNS server with an optional port; `None` if it is valid.
pub(super) fn nameserver_error(server: &str, version: ExtensionVersion) -> Option<String> {
    let parts = split_host_port(server);
    let (host, port) = parts.unwrap_or_else(|| (bare_host(server, version), "53"));
    let is_numeric = host.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    let name = host.strip_suffix('.').unwrap_or(host);
    if host.parse::<IpAddr>().is_err() && (is_numeric || dns_subdomain_error(name).is_some()) {
        let message = "is neither an IP address nor a domain name";
        return Some(format!("`{}` {message}", short(host)));
    }
    let is_port = atoi(port).is_some_and(|it| (1..=65535).contains(&it));
    (!is_port).then(|| format!("`{}` is not the number of a port", short(port)))
}

/// Returns the host of an address without a port.
fn bare_host(server: &str, version: ExtensionVersion) -> &str {
    let inner = server.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_address = |it: &&str| version >= BRACKETS && it.parse::<IpAddr>().is_ok();
    inner.filter(is_address).unwrap_or(server)
}

/// Mirrors Go's `net.SplitHostPort`.
///
/// It does not refuse brackets in hosts and ports, which are invalid there anyway.
fn split_host_port(text: &str) -> Option<(&str, &str)> {
    let (before, port) = text.rsplit_once(':')?;
    let host = match before.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']')?,
        None if before.contains(':') => return None,
        None => before,
    };
    Some((host, port))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Answers of the function in 1.66 and before 1.64.
    #[rstest]
    #[case("8.8.8.8", [true, true])]
    #[case("8.8.8.8:53", [true, true])]
    #[case("8.8.8.8:0", [false, false])]
    #[case("8.8.8.8:65536", [false, false])]
    #[case("8.8.8.8:", [false, false])]
    #[case("8.8.8", [false, false])]
    #[case("", [false, false])]
    #[case("dns.google", [true, true])]
    #[case("dns.google.:53", [true, true])]
    #[case("dns.google..", [false, false])]
    #[case(" 8.8.8.8", [false, false])]
    #[case("DNS.google", [false, false])]
    #[case("2001:db8::1", [true, true])]
    #[case("[2001:db8::1]:53", [true, true])]
    #[case("[2001:db8::1]", [true, false])]
    #[case("[2001:db8::1", [false, false])]
    #[case("[8.8.8.8]", [true, false])]
    #[case("[dns.google]", [false, false])]
    #[case("[dns.google]:53", [true, true])]
    #[case("a:b:53", [false, false])]
    #[case("a[b:53", [false, false])]
    #[case("[[dns]:53", [false, false])]
    #[case("[dns]:5]", [false, false])]
    fn nameservers_as_in_go(#[case] server: &str, #[case] expected: [bool; 2]) {
        let is_right = |minor| nameserver_error(server, ExtensionVersion::new(1, minor)).is_none();
        assert_eq!([is_right(66), is_right(63)], expected);
    }
}
