use serde::Deserialize;

use crate::model::{ObjectMeta, SeedSelector, Toleration, null_is_default};

/// A kind of exposure of control planes.
///
/// Its scheduling constraints are merged into a Shoot that names it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct ExposureClass {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// Constraints on the seeds that can serve this class.
    pub scheduling: Option<ExposureClassScheduling>,
}

/// Constraints that an [`ExposureClass`] adds to a Shoot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ExposureClassScheduling {
    /// Merged into the Shoot's seed selector.
    pub seed_selector: Option<SeedSelector>,
    /// Appended to the Shoot's tolerations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub tolerations: Vec<Toleration>,
}
