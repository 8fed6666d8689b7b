use serde::Deserialize;

use crate::model::null_is_default;

/// A restriction of access to a cluster; options are not read.
#[derive(Clone, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
pub struct AccessRestriction {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
}
