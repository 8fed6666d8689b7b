use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::api::{ObjectMeta, bounded};

/// A ControllerRegistration: the resources that an extension of Gardener reconciles.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ControllerRegistration {
    /// The name.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The desired state.
    #[serde(default)]
    pub spec: ControllerRegistrationSpec,
}

/// The desired state of a [`ControllerRegistration`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ControllerRegistrationSpec {
    /// The kinds and types that it reconciles.
    #[serde(default, deserialize_with = "bounded::list")]
    pub resources: Vec<ControllerResource>,
    /// How the extension is deployed.
    #[serde(default)]
    pub deployment: ControllerRegistrationDeployment,
}

/// How the extension of a [`ControllerRegistration`] is deployed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerRegistrationDeployment {
    /// The ControllerDeployments.
    #[serde(default, deserialize_with = "bounded::list")]
    pub deployment_refs: Vec<DeploymentRef>,
}

/// A reference to a [`ControllerDeployment`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct DeploymentRef {
    /// The name.
    #[serde(default)]
    pub name: String,
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

/// A kind and type of objects that an extension of Gardener reconciles.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerResource {
    /// The kind, such as `Network`.
    #[serde(default)]
    pub kind: String,
    /// The type, such as `calico`.
    #[serde(default, rename = "type")]
    pub class: String,
    /// Whether it is the primary extension for them; the default is true.
    pub primary: Option<bool>,
    /// Whether it works in Shoots without workers.
    pub workerless_supported: Option<bool>,
    /// The clusters that it is for, such as `shoot`; empty means Shoots.
    #[serde(default, deserialize_with = "bounded::list")]
    pub cluster_compatibility: Vec<String>,
    /// The clusters that have it by default, such as `shoot`.
    #[serde(default, deserialize_with = "bounded::list")]
    pub auto_enable: Vec<String>,
}

impl ControllerResource {
    /// Reports whether it may be used in a kind of clusters, such as `shoot`.
    ///
    /// By default an extension is for Shoots, and other kinds are for every cluster.
    pub fn is_for(&self, cluster: &str) -> bool {
        match self.cluster_compatibility.as_slice() {
            [] => self.kind != "Extension" || cluster == "shoot",
            clusters => clusters.iter().any(|it| it == cluster),
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
