use core::net::{Ipv4Addr, Ipv6Addr};
use std::fmt;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// A range of addresses.
#[derive(Clone, Copy, Debug)]
pub struct Network(IpNet);

impl Network {
    /// Reads one; `None` if the text is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    /// The range of IPv4 addresses that begin with the first `prefix` bits of this one; no more than 32.
    #[must_use]
    pub const fn ipv4([a, b, c, d]: [u8; 4], prefix: u8) -> Self {
        Self(IpNet::V4(Ipv4Net::new_assert(
            Ipv4Addr::new(a, b, c, d),
            prefix,
        )))
    }

    /// The range of IPv6 addresses that begin with the first `prefix` bits of this one; no more than 128.
    #[must_use]
    pub const fn ipv6([a, b, c, d, e, f, g, h]: [u16; 8], prefix: u8) -> Self {
        Self(IpNet::V6(Ipv6Net::new_assert(
            Ipv6Addr::new(a, b, c, d, e, f, g, h),
            prefix,
        )))
    }

    /// Whether it is of IPv6.
    #[must_use]
    pub fn is_ipv6(&self) -> bool {
        matches!(self.0, IpNet::V6(_))
    }

    /// How many bits its addresses have in common.
    #[must_use]
    pub fn prefix(&self) -> u8 {
        self.0.prefix_len()
    }

    /// Whether both have an address in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        // The smaller is in the larger, or has nothing to do with it: the bits count that the addresses of the larger share.
        let bits = u32::from(self.prefix().min(other.prefix()));
        match (self.0, other.0) {
            (IpNet::V4(a), IpNet::V4(b)) => {
                let differing = a.addr().to_bits() ^ b.addr().to_bits();
                differing.leading_zeros() >= bits
            }
            (IpNet::V6(a), IpNet::V6(b)) => {
                let differing = a.addr().to_bits() ^ b.addr().to_bits();
                differing.leading_zeros() >= bits
            }
            _ => false,
        }
    }
}

/// Writes it as it is written.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether two address ranges have an address in common; those of different families have none.
///
/// What is not an address range has one in common with everything, so that it is refused. Mirrors NetworksIntersect in
/// `pkg/utils/validation/cidr/disjoint.go`.
#[must_use]
pub fn networks_intersect(a: &str, b: &str) -> bool {
    let (Some(a), Some(b)) = (Network::read(a), Network::read(b)) else {
        return true;
    };
    a.intersects(&b)
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
