// SPDX-License-Identifier: Apache-2.0
//! ControllerDeployment: the Helm chart of an extension, in both API versions.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::NamedResourceReference;

use super::bastion::LocalObjectReference;

object! {
    /// Deployment of an extension of Gardener: a Helm chart and its values.
    ControllerDeployment {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Helm chart of the extension.
        "helm": HelmControllerDeployment;
        /// Whether the extension gets a kubeconfig for the garden cluster.
        "injectGardenKubeconfig": Boolean;
        /// Secrets and ConfigMaps of the garden namespace that templates in `helm.values` use.
        "resources": [NamedResourceReference; by name];
    }
}

object! {
    /// Helm chart of an extension; either `rawChart` or `ociRepository`.
    HelmControllerDeployment {
        /// Chart as an archive (`.tgz`), in base64.
        "rawChart": String;
        /// Values of the chart. Strings may contain `{{ .resources.<name>.data.<key> }}`.
        "values": Any;
        /// Repository of the chart.
        "ociRepository": OCIRepository;
    }
}

object! {
    /// Artifact in an OCI repository: `ref`, or `repository` with `tag` or `digest`.
    OCIRepository {
        /// Reference with tag or digest; excludes the other fields.
        "ref": String;
        /// Repository without tag.
        "repository": String;
        /// Tag of the artifact.
        "tag": String;
        /// Digest of the artifact, `sha256:…`; takes precedence over the tag.
        "digest": String;
        /// Secret of the garden namespace with the credentials of the registry.
        "pullSecretRef": LocalObjectReference;
        /// Secret of the garden namespace with the CA bundle of the registry.
        "caBundleSecretRef": LocalObjectReference;
    }
}

object! {
    /// Deployment of an extension of Gardener in the deprecated version `v1beta1`.
    LegacyControllerDeployment {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Type of the deployment: `helm`, or one that another component handles.
        "type": String required;
        /// Configuration of the type; for `helm`, the fields `chart`, `values` and `ociRepository`.
        "providerConfig": Any required;
        /// Whether the extension gets a kubeconfig for the garden cluster.
        "injectGardenKubeconfig": Boolean;
    }
}

/// A ControllerDeployment: the Helm chart of an extension, of which only the version is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerDeployment {
    /// The name.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The chart.
    #[serde(default)]
    pub helm: HelmDeployment,
    /// The chart in `core.gardener.cloud/v1beta1`, which has no `helm`.
    #[serde(default, deserialize_with = "legacy_chart")]
    provider_config: HelmDeployment,
}

/// The Helm chart of an extension, and its values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HelmDeployment {
    /// The repository of the chart.
    #[serde(default)]
    pub oci_repository: OciRepository,
    /// The values, of which `image.tag` is read; of any type, as charts differ.
    #[serde(default)]
    values: HelmValues,
}

/// The repository of a chart, by `ref`, or by `tag`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct OciRepository {
    /// The chart with its tag, such as `example.com/charts/provider-aws:v1.66.0`.
    #[serde(default, rename = "ref")]
    pub reference: String,
    /// The tag.
    #[serde(default)]
    pub tag: String,
}

/// The tag of the image in the values of a chart; empty if they have none.
#[derive(Clone, Debug, Default)]
struct HelmValues(String);

impl<'de> Deserialize<'de> for HelmValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Value::deserialize(deserializer)?;
        let tag = values.pointer("/image/tag").and_then(Value::as_str);
        Ok(Self(tag.unwrap_or_default().to_owned()))
    }
}

/// Decodes the `providerConfig` of a ControllerDeployment; one of another type than `helm` has no chart.
fn legacy_chart<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HelmDeployment, D::Error> {
    let configuration = Value::deserialize(deserializer)?;
    Ok(HelmDeployment::deserialize(configuration).unwrap_or_default())
}

impl ControllerDeployment {
    /// Returns the version of the extension as written: the tag of its image, or else of its chart; empty if there is none.
    pub fn version(&self) -> &str {
        match self.helm.version() {
            "" => self.provider_config.version(),
            version => version,
        }
    }
}

impl HelmDeployment {
    /// Returns the tag of the image, or else of the chart; empty if there is none.
    fn version(&self) -> &str {
        let chart = &self.oci_repository;
        let of_reference = || {
            let (reference, _) = chart.reference.split_once('@').unwrap_or((&chart.reference, ""));
            let tag = reference.rsplit_once(':').map(|(_, tag)| tag);
            tag.filter(|tag| !tag.contains('/')).unwrap_or_default()
        };
        match (self.values.0.as_str(), chart.tag.as_str()) {
            ("", "") => of_reference(),
            ("", tag) | (tag, _) => tag,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::ControllerDeployment;

    #[rstest]
    #[case::image(json!({"ociRepository": {"ref": "e.com/a:v1.1.0"}, "values": {"image": {"tag": "v1.2.0"}}}), "v1.2.0")]
    #[case::tag(json!({"ociRepository": {"repository": "e.com/a", "tag": "v1.1.0"}}), "v1.1.0")]
    #[case::reference(json!({"ociRepository": {"ref": "e.com:443/a:v1.1.0@sha256:00"}, "values": {"image": "a"}}), "v1.1.0")]
    #[case::untagged(json!({"ociRepository": {"ref": "e.com:443/a"}, "values": null}), "")]
    #[case::raw_chart(json!({"rawChart": "AAAA", "values": 7}), "")]
    fn version_is_the_tag_of_the_image_or_chart(#[case] helm: Value, #[case] version: &str) {
        let v1 = json!({"metadata": {"name": "provider-aws"}, "helm": helm});
        let v1beta1 =
            json!({"metadata": {"name": "provider-aws"}, "type": "helm", "providerConfig": helm});
        for deployment in [v1, v1beta1] {
            let deployment: ControllerDeployment = serde_json::from_value(deployment).unwrap();
            assert_eq!(deployment.version(), version);
        }
    }

    #[rstest]
    #[case::list(json!([1]))]
    #[case::text(json!("a"))]
    #[case::other(json!({"ociRepository": 7, "values": {"image": {"tag": "v1.0.0"}}}))]
    fn provider_config_of_another_type_has_no_version(#[case] config: Value) {
        let deployment = json!({"type": "custom", "providerConfig": config});
        let deployment: ControllerDeployment = serde_json::from_value(deployment).unwrap();
        assert_eq!(deployment.version(), "");
    }
}
