// SPDX-License-Identifier: Apache-2.0
use crate::api::{Seed, SeedSettingScheduling};

/// Prefix of the labels that name a Seed.
pub const NAME_LABEL_PREFIX: &str = "name.seed.gardener.cloud/";

/// Defaults a Seed and gives it the labels that its name, provider and region imply.
///
/// Mirrors `pkg/apis/core/v1beta1/defaults_seed.go`, Canonicalize in `pkg/apiserver/registry/core/seed/strategy.go`
/// and `plugin/pkg/seed/mutator`. The label of a parent seed needs ManagedSeeds and is not made here.
pub fn seed(seed: &mut Seed) {
    let settings = seed.spec.settings.get_or_insert_default();
    settings.scheduling.get_or_insert(SeedSettingScheduling { visible: true });
    let labels = &mut seed.metadata.labels;
    labels.retain(|key, _| !key.starts_with(NAME_LABEL_PREFIX));
    labels.insert(format!("{NAME_LABEL_PREFIX}{}", seed.metadata.name), "true".to_owned());
    labels.insert("seed.gardener.cloud/provider".to_owned(), seed.spec.provider.kind.clone());
    labels.insert("seed.gardener.cloud/region".to_owned(), seed.spec.provider.region.clone());
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::seed;
    use crate::api::Seed;

    fn defaulted(object: Value) -> Seed {
        let mut object = serde_json::from_value(object).unwrap();
        seed(&mut object);
        object
    }

    fn visible(spec: Value) -> Option<bool> {
        let settings = defaulted(json!({ "spec": spec })).spec.settings?;
        settings.scheduling.map(|scheduling| scheduling.visible)
    }

    #[test]
    fn visible_unless_scheduling_is_given() {
        assert_eq!(visible(json!({})), Some(true));
        assert_eq!(visible(json!({"settings": {}})), Some(true));
        assert_eq!(visible(json!({"settings": {"scheduling": {}}})), Some(false));
        assert_eq!(visible(json!({"settings": {"scheduling": {"visible": true}}})), Some(true));
    }

    #[test]
    fn labels_follow_the_spec() {
        let labels = json!({"name.seed.gardener.cloud/other": "true", "seed.gardener.cloud/region": "old", "a": "b"});
        let provider = json!({"type": "aws", "region": "eu"});
        let seed = defaulted(
            json!({"metadata": {"name": "s", "labels": labels}, "spec": {"provider": provider}}),
        );
        let expected = json!({
            "name.seed.gardener.cloud/s": "true",
            "seed.gardener.cloud/provider": "aws",
            "seed.gardener.cloud/region": "eu",
            "a": "b",
        });
        assert_eq!(serde_json::to_value(&seed.metadata.labels).unwrap(), expected);
    }
}
