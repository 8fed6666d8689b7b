// SPDX-License-Identifier: Apache-2.0
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::fmt;

/// A CIDR, with the semantics of Go's `net.ParseCIDR` and `net.IPNet`.
///
/// IPv4-mapped IPv6 networks of at least 96 bits (`::ffff:10.0.0.0/104`) are IPv4 networks, as in Go.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// The address as written; IPv4 if it is IPv4-mapped.
    address: IpAddr,
    /// The first address; IPv4 if it is IPv4-mapped.
    first: IpAddr,
    /// Returns the prefix length as written.
    prefix: u8,
    /// The number of bits that all addresses share in the family of `first`.
    shared: u8,
}

impl Network {
    /// Parses a CIDR; returns `None` where `net.ParseCIDR` returns an error.
    ///
    /// The standard library and Go agree about addresses: no leading zeros in IPv4, no spaces, at most four digits in a
    /// group. Go accepts zones in addresses but not in CIDRs, and any number of leading zeros in the prefix length.
    pub fn read(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let address: IpAddr = address.parse().ok()?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix_length(prefix).filter(|prefix| *prefix <= longest)?;
        let masked = masked(address, prefix);
        let first = masked.to_canonical();
        // With fewer than 96 bits in common, the first address is not IPv4-mapped.
        let shared = if first == masked { prefix } else { prefix.saturating_sub(96) };
        Some(Self { address: address.to_canonical(), first, prefix, shared })
    }

    /// Returns the IPv4 network with this first address; `prefix` is at most 32.
    pub const fn ipv4(octets: [u8; 4], prefix: u8) -> Self {
        Self::canonical(IpAddr::V4(Ipv4Addr::from_octets(octets)), prefix)
    }

    /// Returns the IPv6 network with this first address; `prefix` is at most 128.
    pub const fn ipv6(segments: [u16; 8], prefix: u8) -> Self {
        Self::canonical(IpAddr::V6(Ipv6Addr::from_segments(segments)), prefix)
    }

    const fn canonical(first: IpAddr, prefix: u8) -> Self {
        Self { address: first, first, prefix, shared: prefix }
    }

    /// Reports whether the addresses are IPv6.
    pub fn is_ipv6(&self) -> bool {
        self.first.is_ipv6()
    }

    /// Returns the address as written.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Returns the prefix length as written.
    pub fn prefix(&self) -> u8 {
        self.prefix
    }

    /// Reports whether the written address has no host bits, as in `10.0.0.0/8`.
    ///
    /// Mirrors ValidateCIDRIsCanonical in `pkg/utils/validation/cidr`.
    pub fn is_canonical(&self) -> bool {
        self.address == self.first
    }

    /// Returns the first address.
    pub fn first(&self) -> IpAddr {
        self.first
    }

    /// Returns the last address.
    pub fn last(&self) -> IpAddr {
        let shared = self.shared.into();
        match self.first {
            IpAddr::V4(first) => {
                let host = u32::MAX.checked_shr(shared).unwrap_or(0);
                Ipv4Addr::from_bits(first.to_bits() | host).into()
            }
            IpAddr::V6(first) => {
                let host = u128::MAX.checked_shr(shared).unwrap_or(0);
                Ipv6Addr::from_bits(first.to_bits() | host).into()
            }
        }
    }

    /// Reports whether all addresses of another network are in this one; those of the other family are not.
    ///
    /// Mirrors ValidateSubset in `pkg/utils/validation/cidr`. An IPv6 network with an IPv4-mapped last address is in no other.
    pub fn contains(&self, other: &Self) -> bool {
        let last = other.last();
        self.shared <= other.shared && self.intersects(other) && last == last.to_canonical()
    }

    /// Reports whether the networks overlap; networks of different families do not.
    pub fn intersects(&self, other: &Self) -> bool {
        // One contains the other, or they are disjoint, so only the bits shared in the larger network matter.
        let shared = u32::from(self.shared.min(other.shared));
        match (self.first, other.first) {
            (IpAddr::V4(a), IpAddr::V4(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros() >= shared,
            (IpAddr::V6(a), IpAddr::V6(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros() >= shared,
            _ => false,
        }
    }
}

/// Formats the canonical form, as `IPNet.String` in Go.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.shared)
    }
}

/// Parses decimal digits; returns `None` for other strings, and above 255.
fn prefix_length(digits: &str) -> Option<u8> {
    let is_decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal.then(|| digits.parse().ok()).flatten()
}

/// Returns the address without its host bits.
fn masked(address: IpAddr, prefix: u8) -> IpAddr {
    let prefix = prefix.into();
    match address {
        IpAddr::V4(address) => {
            let host = u32::MAX.checked_shr(prefix).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & !host).into()
        }
        IpAddr::V6(address) => {
            let host = u128::MAX.checked_shr(prefix).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & !host).into()
        }
    }
}

/// Reports whether two CIDRs overlap; CIDRs of different families do not.
///
/// An invalid CIDR overlaps with every other one, so that it is refused. Mirrors NetworksIntersect in
/// `pkg/utils/validation/cidr/disjoint.go`.
pub fn networks_intersect(a: &str, b: &str) -> bool {
    let (Some(a), Some(b)) = (Network::read(a), Network::read(b)) else {
        return true;
    };
    a.intersects(&b)
}

/// Reports whether a string is a CIDR.
pub fn is_network(text: &str) -> bool {
    Network::read(text).is_some()
}

/// Reports whether a string is the canonical form of a CIDR: no host bits, no leading zeros, not IPv4-mapped, IPv6 abbreviated.
///
/// Mirrors IsValidCIDR in `k8s.io/apimachinery/pkg/util/validation` since Kubernetes 1.33.
pub fn is_strict_network(text: &str) -> bool {
    Network::read(text).is_some_and(|it| it.to_string() == text)
}

/// Reports whether a string is the canonical form of an IP address: not IPv4-mapped, IPv6 abbreviated.
///
/// Mirrors IsValidIP in `k8s.io/apimachinery/pkg/util/validation` since Kubernetes 1.33.
pub fn is_strict_address(text: &str) -> bool {
    let address = text.parse::<IpAddr>();
    address.is_ok_and(|it| it.to_canonical() == it && it.to_string() == text)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Network, is_strict_address, is_strict_network, networks_intersect};

    #[rstest]
    #[case::ipv4("10.0.0.0/8", true)]
    #[case::all_of_ipv4("0.0.0.0/0", true)]
    #[case::all_of_ipv6("::/0", true)]
    #[case::ipv6("2001:db8::/32", true)]
    #[case::ipv4_compatible("::102:304/128", true)]
    #[case::long("2001:db8:0::/32", false)]
    #[case::upper_case("2001:DB8::/32", false)]
    #[case::host_bits("10.1.2.3/8", false)]
    #[case::zero_in_address("010.0.0.0/8", false)]
    #[case::zero_in_prefix("10.0.0.0/08", false)]
    #[case::ipv4_mapped("::ffff:10.0.0.0/104", false)]
    #[case::address("10.0.0.1", false)]
    #[case::empty("", false)]
    fn strict_network(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_strict_network(text), expected);
    }

    #[rstest]
    #[case::ipv4("10.0.0.1", true)]
    #[case::ipv6("2001:db8::1", true)]
    #[case::long("2001:db8:0::1", false)]
    #[case::upper_case("2001:DB8::1", false)]
    #[case::ipv4_mapped("::ffff:10.0.0.1", false)]
    #[case::leading_zero("010.0.0.1", false)]
    #[case::zone("fe80::1%eth0", false)]
    fn strict_address(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_strict_address(text), expected);
    }

    #[rstest]
    #[case::ipv4("10.1.2.3/8", "10.0.0.0", "10.255.255.255")]
    #[case::address("10.1.2.3/32", "10.1.2.3", "10.1.2.3")]
    #[case::all("0.0.0.0/0", "0.0.0.0", "255.255.255.255")]
    #[case::ipv6("fd00::1/120", "fd00::", "fd00::ff")]
    fn addresses(#[case] text: &str, #[case] first: &str, #[case] last: &str) {
        let network = Network::read(text).unwrap();
        let addresses = [network.first(), network.last()].map(|it| it.to_string());
        assert_eq!(addresses, [first, last]);
    }

    #[rstest]
    #[case::part("10.0.0.0/8", "10.1.0.0/16", true)]
    #[case::itself("10.0.0.0/8", "10.0.0.0/8", true)]
    #[case::larger("10.1.0.0/16", "10.0.0.0/8", false)]
    #[case::other("10.1.0.0/16", "10.2.0.0/24", false)]
    #[case::family("::/0", "10.0.0.0/8", false)]
    #[case::ends_before_mapped("::/0", "::fffc:0:0/95", true)]
    #[case::ends_mapped("::/0", "::fffe:0:0/95", false)]
    fn containment(#[case] outer: &str, #[case] inner: &str, #[case] expected: bool) {
        let [outer, inner] = [outer, inner].map(|it| Network::read(it).unwrap());
        assert_eq!(outer.contains(&inner), expected);
    }

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
