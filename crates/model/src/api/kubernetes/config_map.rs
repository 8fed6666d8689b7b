// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of a ConfigMap that may configure the API server of a Shoot.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ConfigMapData(BTreeMap<&'static str, Arc<str>>);

impl ConfigMapData {
    /// The key of an audit policy.
    pub const POLICY: &'static str = "policy";
    /// The key of other configuration files.
    pub const CONFIG: &'static str = "config.yaml";

    const KEYS: [&'static str; 2] = [Self::POLICY, Self::CONFIG];
    /// Maximum size of the data of a ConfigMap in Kubernetes, in bytes.
    const LARGEST: usize = 1 << 20;

    /// Returns the values, which `value` looks up; `None` if Kubernetes would refuse them because of their size.
    pub fn of(value: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let values = Self::KEYS.into_iter().filter_map(|key| Some((key, Arc::from(value(key)?))));
        let data = Self(values.collect());
        (data.bytes() <= Self::LARGEST).then_some(data)
    }

    /// Returns the value of a key; `None` if the ConfigMap does not have it.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(AsRef::as_ref)
    }

    /// Returns all values.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(AsRef::as_ref)
    }

    /// Returns the size of all values.
    pub fn bytes(&self) -> usize {
        self.values().map(str::len).sum()
    }
}
