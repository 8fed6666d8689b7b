// SPDX-License-Identifier: Apache-2.0
use jiff::civil::{Date, date};

use crate::api::GardenerVersion;
use garden_gate_text::go::{Version, is_before};

/// A minor version of Kubernetes 1, and the versions of Gardener that support it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Supported {
    minor: u64,
    /// The first version of Gardener that supports it.
    first: GardenerVersion,
    /// The first later version that does not support it any more; `None` if all known later ones do.
    dropped: Option<GardenerVersion>,
    /// The date until which Gardener supports it at least.
    until: Date,
}

impl Supported {
    const fn since(minor: u64, first: u16, until: Date) -> Self {
        Self { minor, first: GardenerVersion::of_minor(first), dropped: None, until }
    }

    const fn dropped(self, by: u16) -> Self {
        Self { dropped: Some(GardenerVersion::of_minor(by)), ..self }
    }
}

/// The minor versions of Kubernetes that known versions of Gardener support, the oldest first.
///
/// Source: `supported-kubernetes-versions.yaml` (`addedIn`, `endDate`) of the releases, and `SupportedVersions` of
/// `pkg/utils/validation/kubernetesversion`. Shoots, Seeds and the garden have the same versions.
const SUPPORTED: [Supported; 7] = [
    Supported::since(30, 95, date(2025, 7, 16)).dropped(141),
    Supported::since(31, 106, date(2025, 12, 21)).dropped(142),
    Supported::since(32, 113, date(2026, 4, 24)),
    Supported::since(33, 122, date(2026, 8, 27)),
    Supported::since(34, 132, date(2027, 1, 13)),
    Supported::since(35, 136, date(2027, 4, 14)),
    Supported::since(36, 145, date(2027, 8, 19)),
];

/// Whether a version of Gardener supports a version of Kubernetes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum KubernetesSupport {
    /// It supports the version.
    Supported,
    /// It does not support the version any more, from this version of Gardener on; `None` if no known one supports it.
    Dropped(Option<GardenerVersion>),
    /// It does not support the version yet, but this version of Gardener does; `None` if no known one does.
    NotYet(Option<GardenerVersion>),
    /// Gardener is newer than all known versions, and may have dropped the version after this date, or added it.
    Unknown(Option<Date>),
}

impl KubernetesSupport {
    /// Returns whether a version of Gardener supports a version of Kubernetes; `None` without a valid minor version.
    pub fn of(kubernetes: &str, gardener: GardenerVersion) -> Option<Self> {
        let version = Version::parse(kubernetes).ok().filter(|_| kubernetes.contains('.'))?;
        let supported = match version.major {
            1 => SUPPORTED.iter().find(|it| it.minor == version.minor),
            _ => None,
        };
        let is_newer = gardener.is_newer_than_known();
        let gardener = gardener.known();
        Some(match supported {
            None if is_before(kubernetes, 1, SUPPORTED[0].minor) => Self::Dropped(None),
            None if is_newer => Self::Unknown(None),
            None => Self::NotYet(None),
            Some(it) if gardener < it.first => Self::NotYet(Some(it.first)),
            Some(Supported { dropped: Some(by), .. }) if *by <= gardener => {
                Self::Dropped(Some(*by))
            }
            Some(it) if is_newer => Self::Unknown(Some(it.until)),
            Some(_) => Self::Supported,
        })
    }
}

/// Returns the date until which Gardener supports a version of Kubernetes at least; `None` if that is not known.
pub fn supported_until(kubernetes: &str) -> Option<Date> {
    let version = Version::parse(kubernetes).ok().filter(|it| it.major == 1)?;
    SUPPORTED.iter().find(|it| it.minor == version.minor).map(|it| it.until)
}

/// Returns the oldest minor version of Kubernetes 1 that a version of Gardener supports.
pub fn oldest_supported(gardener: GardenerVersion) -> u64 {
    let gardener = gardener.known();
    let mut supported =
        SUPPORTED.iter().filter(|it| it.dropped.is_none_or(|dropped| gardener < dropped));
    supported.next().unwrap_or(&SUPPORTED[0]).minor
}

/// Reports whether a version of Gardener does not support a Kubernetes version any more.
///
/// Invalid versions are not reported.
pub fn is_dropped(kubernetes: &str, gardener: GardenerVersion) -> bool {
    is_before(kubernetes, 1, oldest_supported(gardener))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1.29.9", 138, true)]
    #[case("1.29.9", 139, true)]
    #[case("1.30.0", 140, false)]
    #[case("1.30.14", 141, true)]
    #[case("1.31.0", 141, false)]
    #[case("1.31.14", 142, true)]
    #[case("v1.32.0", 142, false)]
    #[case("1.32.0", 150, false)]
    #[case("1.31.0", 200, true)]
    #[case("latest", 150, false)]
    #[case("", 150, false)]
    fn version_dropped(#[case] kubernetes: &str, #[case] minor: u16, #[case] expected: bool) {
        let gardener = GardenerVersion::of_minor(minor);
        assert_eq!(is_dropped(kubernetes, gardener), expected);
        let support = KubernetesSupport::of(kubernetes, gardener);
        assert_eq!(matches!(support, Some(KubernetesSupport::Dropped(_))), expected);
    }

    #[rstest]
    #[case::supported("1.30.14", 140, KubernetesSupport::Supported)]
    #[case::dropped(
        "1.30.14",
        142,
        KubernetesSupport::Dropped(Some(GardenerVersion::of_minor(141)))
    )]
    #[case::older_than_all("1.29.1", 140, KubernetesSupport::Dropped(None))]
    #[case::other_major("0.36.1", 150, KubernetesSupport::Dropped(None))]
    #[case::last_before(
        "1.36.0",
        144,
        KubernetesSupport::NotYet(Some(GardenerVersion::of_minor(145)))
    )]
    #[case::first("1.36.0", 145, KubernetesSupport::Supported)]
    #[case::newer_than_all("1.37.0", 150, KubernetesSupport::NotYet(None))]
    #[case::later_major("2.0.0", 150, KubernetesSupport::NotYet(None))]
    #[case::both_newer("1.37.0", 151, KubernetesSupport::Unknown(None))]
    #[case::promised("1.32.1", 151, KubernetesSupport::Unknown(Some(date(2026, 4, 24))))]
    #[case::dropped_before(
        "1.31.1",
        151,
        KubernetesSupport::Dropped(Some(GardenerVersion::of_minor(142)))
    )]
    #[case::prerelease("v1.36.0-rc.1", 150, KubernetesSupport::Supported)]
    fn support(#[case] kubernetes: &str, #[case] minor: u16, #[case] expected: KubernetesSupport) {
        let gardener = GardenerVersion::of_minor(minor);
        assert_eq!(KubernetesSupport::of(kubernetes, gardener), Some(expected));
    }

    #[rstest]
    #[case("latest")]
    #[case("1")]
    #[case("")]
    fn support_of_other_texts_is_not_known(#[case] kubernetes: &str) {
        assert_eq!(KubernetesSupport::of(kubernetes, GardenerVersion::NEWEST), None);
    }

    #[test]
    fn each_known_gardener_supports_consecutive_versions() {
        for minor in 139..=150 {
            let gardener = GardenerVersion::of_minor(minor);
            let supported = SUPPORTED.iter().filter(|it| {
                let version = format!("1.{}.0", it.minor);
                KubernetesSupport::of(&version, gardener) == Some(KubernetesSupport::Supported)
            });
            let minors: Vec<u64> = supported.map(|it| it.minor).collect();
            let newest = if minor < 145 { 35 } else { 36 };
            assert_eq!(
                minors,
                (oldest_supported(gardener)..=newest).collect::<Vec<_>>(),
                "1.{minor}"
            );
        }
    }
}
