// SPDX-License-Identifier: Apache-2.0
//! Fields that Gardener removed from its API.

use crate::api::shoot::kubelet::KubeletConfigReserved;
use crate::api::{GardenerVersion, Object, Shape, Versions, object};

/// A field that the API had before a release of Gardener.
#[derive(Debug)]
pub struct Removed {
    /// Name of the object that had the field.
    object: &'static str,
    /// Name of the field.
    pub field: &'static str,
    /// The first release of Gardener without the field.
    pub release: &'static str,
    /// The replacement.
    pub instead: &'static str,
    /// The versions that have the field, and its shape, if it is in a known version.
    had: Option<(Versions, Shape)>,
}

impl Removed {
    /// Returns the removed field of that name, if the object once had one.
    pub fn of(object: &Object, name: &str) -> Option<&'static Self> {
        let mut all = REMOVED.iter();
        all.find(|it| it.object == object.name && it.field == name)
    }

    /// Returns name and shape of a removed field that the object still has in that version of Gardener.
    pub fn had(
        object: &Object,
        name: &str,
        version: GardenerVersion,
    ) -> Option<(&'static str, Shape)> {
        let it = Self::of(object, name)?;
        Some((it.field, it.shape_in(version)?))
    }

    /// Returns the removed fields that the object still has in that version of Gardener, with their shapes.
    pub fn fields_in(
        object: &Object,
        version: GardenerVersion,
    ) -> impl Iterator<Item = (&'static Self, Shape)> {
        let all = REMOVED.iter().filter(|it| it.object == object.name);
        all.filter_map(move |it| Some((it, it.shape_in(version)?)))
    }

    fn shape_in(&self, version: GardenerVersion) -> Option<Shape> {
        let (versions, shape) = self.had?;
        versions.contains(version).then_some(shape)
    }

    /// Returns the versions that have the field, if one of them is known.
    pub fn versions(&self) -> Option<Versions> {
        self.had.map(|(versions, _)| versions)
    }
}

/// Each release is the first whose `pkg/apis/core/v1beta1/types_*.go` lacks the field, of all from v1.0.0 to v1.149.3.
static REMOVED: &[Removed] = &[
    removed(
        "HorizontalPodAutoscalerConfig",
        "downscaleDelay",
        "1.21",
        "use `downscaleStabilization`",
    ),
    removed(
        "HorizontalPodAutoscalerConfig",
        "upscaleDelay",
        "1.21",
        "remove it",
    ),
    removed(
        "SeedSpec",
        "highAvailability",
        "1.60",
        "remove it; list three zones in `spec.provider.zones`",
    ),
    removed(
        "ServiceAccountConfig",
        "signingKeySecretName",
        "1.63",
        "remove it; Gardener generates the key",
    ),
    removed("SeedSettings", "shootDNS", "1.64", "remove it"),
    removed(
        "SeedDNS",
        "ingressDomain",
        "1.67",
        "use `spec.ingress.domain`",
    ),
    removed("SeedDNSProvider", "domains", "1.67", "remove it"),
    removed("SeedDNSProvider", "zones", "1.67", "remove it"),
    removed(
        "KubeAPIServerConfig",
        "enableBasicAuthentication",
        "1.71",
        "remove it; Kubernetes has no basic authentication",
    ),
    removed("SeedSettings", "ownerChecks", "1.76", "remove it"),
    removed(
        "SeedSettingDependencyWatchdog",
        "endpoint",
        "1.84",
        "use `weeder`",
    ),
    removed(
        "SeedSettingDependencyWatchdog",
        "probe",
        "1.84",
        "use `prober`",
    ),
    removed(
        "SeedSpec",
        "secretRef",
        "1.87",
        "remove it; gardenlet runs in the seed cluster",
    ),
    removed(
        "KubeletConfig",
        "imagePullProgressDeadline",
        "1.89",
        "remove it; only Docker used it",
    ),
    removed(
        "Kubernetes",
        "allowPrivilegedContainers",
        "1.91",
        "remove it; to restrict pods, configure the admission plugin `PodSecurity`",
    ),
    removed(
        "NamespacedCloudProfileSpec",
        "regions",
        "1.103",
        "remove it; regions are those of the parent CloudProfile",
    ),
    removed(
        "Kubernetes",
        "enableStaticTokenKubeconfig",
        "1.122",
        "remove it; request a kubeconfig from the `adminkubeconfig` subresource",
    ),
    removed("Backup", "secretRef", "1.123", "use `credentialsRef`"),
    removed(
        "CloudProfileSpec",
        "capabilities",
        "1.128",
        "use `machineCapabilities`",
    ),
    removed(
        "MachineImageVersion",
        "capabilitySets",
        "1.128",
        "use `capabilityFlavors`",
    ),
    removed(
        "ShootCredentialsRotation",
        "kubeconfig",
        "1.129",
        "remove it",
    ),
    removed(
        "SeedDNSProvider",
        "secretRef",
        "1.139",
        "use `credentialsRef`",
    ),
    removed(
        "ShootStatus",
        "encryptedResources",
        "1.139",
        "use `status.credentials.encryptionAtRest.resources`",
    ),
    removed(
        "KubeletConfig",
        "systemReserved",
        "1.141",
        "add its values to `kubeReserved`",
    )
    .until(140, Shape::Object(&KubeletConfigReserved)),
    removed(
        "KubeAPIServerConfig",
        "oidcConfig",
        "1.142",
        "use `structuredAuthentication`, with an AuthenticationConfiguration in the ConfigMap that its `configMapName` names",
    )
    .until(141, Shape::Object(&OIDCConfig)),
    removed(
        "OIDCConfig",
        "clientAuthentication",
        "1.141",
        "remove it; it has no effect",
    )
    .until(140, Shape::Object(&OpenIDConnectClientAuthentication)),
];

object! {
    /// Configuration of an OpenID Connect provider.
    OIDCConfig {
        /// Certificates that verify the provider.
        "caBundle": String;
        /// ID of the client.
        "clientID": String;
        /// Claim with the groups of a user.
        "groupsClaim": String;
        /// Prefix of all groups.
        "groupsPrefix": String;
        /// URL of the provider.
        "issuerURL": String;
        /// Claims that a token must have.
        "requiredClaims": {String};
        /// Permitted signing algorithms.
        "signingAlgs": [String];
        /// Claim with the name of a user.
        "usernameClaim": String;
        /// Prefix of all user names.
        "usernamePrefix": String;
    }
}

object! {
    /// Configuration of a client of an OpenID Connect provider.
    OpenIDConnectClientAuthentication {
        /// Further configuration of the authentication provider.
        "extraConfig": {String};
        /// Secret of the client.
        "secret": String;
    }
}

impl Removed {
    /// Declares that Gardener had the field until 1.`minor`.
    const fn until(self, minor: u16, shape: Shape) -> Self {
        let had = Some((Versions::until(minor), shape));
        Self { had, ..self }
    }
}

const fn removed(
    object: &'static str,
    field: &'static str,
    release: &'static str,
    instead: &'static str,
) -> Removed {
    Removed { object, field, release, instead, had: None }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::KINDS;
    use super::*;

    /// All objects of the table, by their names.
    fn objects() -> BTreeMap<&'static str, &'static Object> {
        let mut found = BTreeMap::new();
        let mut left: Vec<&'static Object> = KINDS.iter().map(|it| it.object).collect();
        while let Some(object) = left.pop() {
            if found.insert(object.name, object).is_none() {
                let inner = object.fields.iter();
                left.extend(inner.filter_map(|field| field.shape.object()));
            }
        }
        found.insert("OIDCConfig", &OIDCConfig);
        found
    }

    #[test]
    fn removed_fields_are_of_objects_that_lack_them() {
        let objects = objects();
        for it in REMOVED {
            let Removed { object, field, .. } = it;
            let owner =
                objects.get(object).unwrap_or_else(|| unreachable!("{object} is in no kind"));
            assert!(owner.field(field).is_none(), "{object} has {field}");
        }
    }

    #[test]
    fn fields_of_known_versions_have_a_shape() {
        for it in REMOVED {
            let minor = it.release.split_once('.').unwrap().1.parse().unwrap();
            let release = GardenerVersion::of_minor(minor);
            assert_eq!(it.had.is_some(), release > GardenerVersion::OLDEST, "{it:?}");
            let versions = it.versions().unwrap_or(Versions::until(minor - 1));
            assert_eq!(versions, Versions::until(minor - 1), "{it:?}");
        }
    }

    /// A replacement is a field next to the removed one, or a path from the root.
    #[test]
    fn replacements_exist() {
        let objects = objects();
        let mut count = 0;
        for it in REMOVED {
            let Some((_, rest)) = it.instead.split_once("use `") else {
                continue;
            };
            let meant = rest.split_once('`').unwrap().0;
            let path: Vec<&str> = meant.split('.').collect();
            let (name, above) = path.split_last().unwrap();
            let mut owners: Vec<&Object> = match above {
                [] => vec![objects[it.object]],
                _ => KINDS.iter().filter_map(|kind| kind.object.at(above)).collect(),
            };
            owners.retain(|owner| {
                owner.field(name).is_some_and(|it| !matches!(it.shape, Shape::Any))
            });
            assert!(!owners.is_empty(), "{meant}, for {}", it.field);
            count += 1;
        }
        assert!(count > 8, "{count}");
    }
}
