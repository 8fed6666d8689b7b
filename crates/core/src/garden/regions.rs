// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use garden_gate_model::api::RegionConfig;
use garden_gate_text::yaml::parse;

/// Returns the distances of other regions from `region`; `None` if it is not in the ConfigMap.
///
/// # Errors
/// Fails with the reason if the value is not a map from regions to integers.
pub fn distances(
    config: &RegionConfig,
    region: &str,
) -> Option<Result<BTreeMap<String, i64>, String>> {
    let text = config.data.get(region)?;
    let documents = match parse(text) {
        Ok(documents) => documents,
        Err(error) => return Some(Err(error.message)),
    };
    let Some(document) = documents.first() else {
        return Some(Ok(BTreeMap::new()));
    };
    let distances: Option<BTreeMap<String, Option<f64>>> = match document.decode() {
        Ok(distances) => distances,
        Err(error) => return Some(Err(error.message)),
    };
    let whole: Option<BTreeMap<String, i64>> = distances
        .unwrap_or_default()
        .into_iter()
        .map(|(region, distance)| Some((region, whole(distance.unwrap_or(0.0))?)))
        .collect();
    Some(whole.ok_or_else(|| "a distance is not a whole number".to_owned()))
}

/// 2^63, the first float beyond the largest integer.
const INT_END: f64 = 9_223_372_036_854_775_808.0;

/// Converts a float to an integer.
///
/// Gardener accepts YAML's `50.0` and `5e1` as integers.
/// A number that a 64-bit integer cannot represent is an error.
#[expect(clippy::cast_possible_truncation, reason = "it was compared with the bounds")]
fn whole(number: f64) -> Option<i64> {
    let is_whole = number.fract() == 0.0 && (-INT_END..INT_END).contains(&number);
    is_whole.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::distances;
    use garden_gate_model::api::RegionConfig;

    #[rstest]
    #[case::map("eu: 50\nus: 180", Some(true))]
    #[case::nothing("", Some(true))]
    #[case::null("~", Some(true))]
    #[case::whole_float("eu: 50.0\nus: 1e2", Some(true))]
    #[case::no_value("eu:", Some(true))]
    #[case::fraction("eu: 50.5", Some(false))]
    #[case::beyond_64_bits("eu: 1e20", Some(false))]
    #[case::text("eu: \"50\"", Some(false))]
    #[case::words("eu: far", Some(false))]
    #[case::list("- eu", Some(false))]
    #[case::broken("{", Some(false))]
    fn reading(#[case] text: &str, #[case] expected: Option<bool>) {
        let config: RegionConfig = serde_json::from_value(json!({"data": {"r": text}})).unwrap();
        assert_eq!(distances(&config, "r").map(|it| it.is_ok()), expected);
        assert!(distances(&config, "other").is_none());
    }
}
