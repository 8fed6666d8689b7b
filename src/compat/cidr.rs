use ipnet::IpNet;

/// Whether two address ranges have an address in common; those of different families have none.
///
/// What is not an address range has one in common with everything, so that it is refused. Mirrors NetworksIntersect in
/// `pkg/utils/validation/cidr/disjoint.go`.
#[must_use]
pub fn networks_intersect(a: &str, b: &str) -> bool {
    let (Ok(a), Ok(b)) = (a.parse::<IpNet>(), b.parse::<IpNet>()) else {
        return true;
    };
    a.contains(&b.network()) || b.contains(&a.network())
}

/// Whether a text is an address range.
#[must_use]
pub fn is_network(text: &str) -> bool {
    text.parse::<IpNet>().is_ok()
}

/// Whether a text is a range of IPv6 addresses.
#[must_use]
pub fn is_ipv6_network(text: &str) -> bool {
    matches!(text.parse(), Ok(IpNet::V6(_)))
}

/// Whether a text is a range of IPv4 addresses.
#[must_use]
pub fn is_ipv4_network(text: &str) -> bool {
    matches!(text.parse(), Ok(IpNet::V4(_)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::networks_intersect;

    #[rstest]
    #[case::inside("10.0.0.0/8", "10.1.0.0/16", true)]
    #[case::equal("10.0.0.0/8", "10.0.0.0/8", true)]
    #[case::neighbours("10.0.0.0/16", "10.1.0.0/16", false)]
    #[case::host_bits("10.0.0.1/8", "10.200.0.0/16", true)]
    #[case::families("::/0", "10.0.0.0/8", false)]
    #[case::ipv6("fd00::/8", "fd8f:6d53:b97a:1::/96", true)]
    #[case::no_network("10.0.0.0", "192.168.0.0/16", true)]
    #[case::empty("", "10.0.0.0/8", true)]
    fn intersection(#[case] a: &str, #[case] b: &str, #[case] expected: bool) {
        assert_eq!(networks_intersect(a, b), expected);
        assert_eq!(networks_intersect(b, a), expected);
    }
}
