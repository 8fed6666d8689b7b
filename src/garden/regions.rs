use std::collections::BTreeMap;

use crate::model::RegionConfig;
use crate::source::parse;

/// How far other regions are from `region`; `None` if the ConfigMap does not say.
///
/// # Errors
/// When what it says is not a map from regions to whole numbers; with the reason.
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
    Some(document.decode().map_err(|error| error.message))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::distances;
    use crate::model::RegionConfig;

    #[rstest]
    #[case::map("eu: 50\nus: 180", Some(true))]
    #[case::nothing("", Some(true))]
    #[case::words("eu: far", Some(false))]
    #[case::list("- eu", Some(false))]
    #[case::broken("{", Some(false))]
    fn reading(#[case] text: &str, #[case] expected: Option<bool>) {
        let config: RegionConfig = serde_json::from_value(json!({"data": {"r": text}})).unwrap();
        assert_eq!(distances(&config, "r").map(|it| it.is_ok()), expected);
        assert!(distances(&config, "other").is_none());
    }
}
