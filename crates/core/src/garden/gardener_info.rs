// SPDX-License-Identifier: Apache-2.0
//! The version that gardener-operator publishes in the ConfigMap `gardener-info`.

use super::Snapshot;
use garden_gate_model::api::{GardenerVersion, ObjectKey, RegionConfig};
use garden_gate_text::yaml;

/// The key of the ConfigMap with data of gardener-apiserver.
const KEY: &str = "gardenerAPIServer";

/// The version of gardener-apiserver in a garden.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PublishedVersion {
    /// The version as published, such as `v1.145.4`.
    pub text: String,
    /// Its minor version.
    pub version: GardenerVersion,
}

impl PublishedVersion {
    /// Parses the data of the ConfigMap.
    ///
    /// Mirrors `VerifyGardenerVersion` in `pkg/gardenlet/bootstrappers/verify_version.go`.
    ///
    /// # Errors
    /// Fails with the field and its problem.
    pub fn parse(info: &RegionConfig) -> Result<Self, String> {
        let data = info.data.get(KEY).ok_or_else(|| format!("`data.{KEY}` is missing"))?;
        let documents = yaml::parse(data).map_err(|error| {
            let line = error.position.line;
            format!("line {line} of `data.{KEY}` is not valid YAML")
        })?;
        let text = documents
            .first()
            .and_then(|it| it.text("/version"))
            .ok_or_else(|| format!("`version` in `data.{KEY}` is missing or not a string"))?;
        let version = GardenerVersion::parse(&text)
            .map_err(|why| format!("`version` in `data.{KEY}`: {why}"))?;
        Ok(Self { text, version })
    }
}

impl Snapshot {
    /// Returns the version that the garden publishes; `None` if it has no ConfigMap `gardener-info`.
    ///
    /// # Errors
    /// Fails with the problem if the ConfigMap cannot be read or has no valid version.
    pub fn published_version(&self) -> Result<Option<PublishedVersion>, String> {
        let key = ObjectKey::gardener_info();
        if let Some(why) = self.why_unreadable(&key) {
            return Err(why);
        }
        let info = self.object::<RegionConfig>(&key);
        info.map(|it| PublishedVersion::parse(&it)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(data: &str) -> Result<PublishedVersion, String> {
        let mut info = RegionConfig::default();
        info.data.insert(KEY.to_owned(), data.to_owned());
        PublishedVersion::parse(&info)
    }

    #[test]
    fn published_version_is_that_of_gardener_apiserver() {
        let data = "version: v1.145.4\nworkloadIdentityIssuerURL: https://issuer.example.com\n";
        let published = parse(data).unwrap();
        assert_eq!(published.text, "v1.145.4");
        assert_eq!(published.version, GardenerVersion::of_minor(145));
    }

    #[test]
    fn invalid_data_names_the_field() {
        let form = "it is not of the form `1.2.3`, optionally with `-prerelease` and `+build`";
        for (data, expected) in [
            (
                "version: latest",
                format!("`version` in `data.gardenerAPIServer`: `latest` is not a version: {form}"),
            ),
            (
                "version: v2.0.0",
                "`version` in `data.gardenerAPIServer`: `v2.0.0` is not a version of Gardener 1.x"
                    .to_owned(),
            ),
            (
                "version: 1.145",
                "`version` in `data.gardenerAPIServer` is missing or not a string".to_owned(),
            ),
            (
                "workloadIdentityIssuerURL: a",
                "`version` in `data.gardenerAPIServer` is missing or not a string".to_owned(),
            ),
            ("", "`version` in `data.gardenerAPIServer` is missing or not a string".to_owned()),
            ("a: b\n- [", "line 2 of `data.gardenerAPIServer` is not valid YAML".to_owned()),
        ] {
            assert_eq!(parse(data), Err(expected), "{data}");
        }
        let empty = PublishedVersion::parse(&RegionConfig::default());
        assert_eq!(empty, Err("`data.gardenerAPIServer` is missing".to_owned()));
    }
}
