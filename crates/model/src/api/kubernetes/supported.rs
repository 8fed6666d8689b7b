use crate::api::GardenerVersion;
use garden_gate_text::go::is_before;

/// The oldest supported minor version of Kubernetes, from each minor version of Gardener on.
///
/// Source: `supported-kubernetes-versions.yaml`, and before it exists,
/// `docs/usage/shoot-operations/supported_k8s_versions.md`, of each release.
/// Shoots, Seeds and the garden have the same minimum.
const OLDEST: [(u16, u64); 3] = [(139, 30), (141, 31), (142, 32)];

/// Returns the oldest minor version of Kubernetes 1 that a version of Gardener supports.
pub fn oldest_supported(gardener: GardenerVersion) -> u64 {
    let gardener = gardener.known();
    let reached =
        OLDEST.iter().rev().find(|(minor, _)| GardenerVersion::of_minor(*minor) <= gardener);
    reached.unwrap_or(&OLDEST[0]).1
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
    }
}
