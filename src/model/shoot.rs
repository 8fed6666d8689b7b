use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{ObjectMeta, SeedSelector, Toleration, is_default, null_is_default};

/// A Shoot: a Kubernetes cluster that Gardener manages.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Shoot {
    /// Name, namespace and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// What the Shoot's owner asked for.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: ShootSpec,
}

/// The desired state of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootSpec {
    /// Which seed taints the Shoot tolerates.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub tolerations: Vec<Toleration>,
    /// Which seeds may host the Shoot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_selector: Option<SeedSelector>,
    /// The ExposureClass whose constraints are merged into the Shoot when it is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposure_class_name: Option<String>,
    /// Infrastructure and worker pools.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: ShootProvider,
}

/// Infrastructure and worker pools of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct ShootProvider {
    /// The worker pools.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub workers: Vec<Worker>,
}

/// A worker pool.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Worker {
    /// The name of the pool.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// Present on the pool that hosts the control plane of a self-hosted Shoot.
    pub control_plane: Option<Box<RawValue>>,
}
