// SPDX-License-Identifier: Apache-2.0
//! Lists of Shoots as values of expressions.

use std::sync::{Arc, LazyLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::garden::{Shoots, ShootsVersion};
use garden_gate_cel::{EvaluationError, ExceededLimit, List, Text, Value};
use garden_gate_model::api::{Kind, ShootUse};

/// Maximum number of elements that are converted in less than a millisecond.
pub(super) const FEW: usize = 200;
/// Maximum number of Shoots of a list.
const MOST_SHOOTS: usize = 10_000;
/// The number of Shoots in all cached lists: about 20 MiB.
const CAPACITY: u64 = 20_000;
/// The number of Shoots above which a list is cached.
const FEWEST: usize = 8;
/// The estimated number of cached lists; one shard has the whole capacity.
const LISTS: usize = 32;

/// Cache of the lists of all Shoots, and of those of some namespaces.
///
/// A list is made again after a change of any Shoot, but only changed Shoots are converted again.
pub(super) struct ShootLists(LazyLock<Cache<Option<String>, Arc<ShootList>, Count>>);

struct ShootList {
    version: ShootsVersion,
    /// The Shoots in order, whose addresses identify their versions.
    shoots: Vec<Arc<ShootUse>>,
    list: Arc<List>,
}

#[derive(Clone)]
struct Count;

impl Weighter<Option<String>, Arc<ShootList>> for Count {
    fn weight(&self, _: &Option<String>, list: &Arc<ShootList>) -> u64 {
        1 + u64::try_from(list.shoots.len()).unwrap_or(u64::MAX)
    }
}

impl Default for ShootLists {
    fn default() -> Self {
        let cache = || Cache::with_weighter(LISTS, CAPACITY, Count);
        Self(LazyLock::new(cache))
    }
}

impl ShootLists {
    /// Returns the Shoots of a namespace, or all, by name.
    ///
    /// # Errors
    /// Fails if there are too many, and with a limit if the conversion takes too long for a quick evaluation.
    pub(super) fn list(
        &self,
        shoots: &Shoots,
        namespace: Option<&str>,
        is_quick: bool,
    ) -> Result<Value, EvaluationError> {
        let key = namespace.map(str::to_owned);
        let known = self.0.get(&key);
        if let Some(known) = &known
            && known.version == *shoots.version()
        {
            return Ok(Value::List(Arc::clone(&known.list)));
        }
        let most = if is_quick { FEW } else { MOST_SHOOTS };
        let current: Vec<_> = shoots.within(namespace).take(most + 1).cloned().collect();
        if current.len() > most {
            return Err(if is_quick {
                EvaluationError::Exceeded(ExceededLimit::Work)
            } else {
                EvaluationError::Undetermined(format!(
                    "`garden.shoots` is not known: there are more than {MOST_SHOOTS} Shoots"
                ))
            });
        }
        let list = Arc::new(ShootList {
            version: shoots.version().clone(),
            list: Arc::new(List::new(converted(&current, known.as_deref()))),
            shoots: current,
        });
        let value = Value::List(Arc::clone(&list.list));
        // Names of Namespaces may be invented.
        if list.shoots.len() > FEWEST {
            self.0.insert(key, list);
        }
        Ok(value)
    }
}

/// Returns the values of Shoots, some of which an earlier list may have.
fn converted(shoots: &[Arc<ShootUse>], known: Option<&ShootList>) -> Vec<Value> {
    let mut known = known.iter().flat_map(|it| it.shoots.iter().zip(it.list.items())).peekable();
    let names = FieldNames::default();
    let values = shoots.iter().map(|shoot| {
        while known.next_if(|(it, _)| it.name < shoot.name).is_some() {}
        match known.peek() {
            Some((it, value)) if Arc::ptr_eq(it, shoot) => (*value).clone(),
            _ => names.value(shoot),
        }
    });
    values.collect()
}

/// The names of fields, which all Shoots of a list share.
struct FieldNames {
    metadata: Text,
    namespace: Text,
    name: Text,
    spec: Text,
    seed_name: Text,
    kubernetes: Text,
    version: Text,
    exposure_class_name: Text,
    cloud_profile: Text,
    kind: Text,
    is_deleting: Text,
}

impl Default for FieldNames {
    fn default() -> Self {
        Self {
            metadata: "metadata".into(),
            namespace: "namespace".into(),
            name: "name".into(),
            spec: "spec".into(),
            seed_name: "seedName".into(),
            kubernetes: "kubernetes".into(),
            version: "version".into(),
            exposure_class_name: "exposureClassName".into(),
            cloud_profile: "cloudProfile".into(),
            kind: "kind".into(),
            is_deleting: "isDeleting".into(),
        }
    }
}

impl FieldNames {
    fn value(&self, shoot: &ShootUse) -> Value {
        let text = |text: &Arc<str>| Value::from(Arc::clone(text));
        let optional = |it: &Option<Arc<str>>| it.as_ref().map_or(Value::Null, text);
        let metadata = object([
            (&self.namespace, text(&shoot.name.namespace)),
            (&self.name, text(&shoot.name.name)),
        ]);
        let profile = shoot.profile.as_ref().map_or(Value::Null, |it| {
            let kind = Value::from(Kind::from(it.kind).as_str());
            object([(&self.kind, kind), (&self.name, text(&it.name))])
        });
        let spec = object([
            (&self.seed_name, optional(&shoot.seed_name)),
            (&self.kubernetes, object([(&self.version, text(&shoot.kubernetes))])),
            (&self.exposure_class_name, optional(&shoot.exposure_class)),
            (&self.cloud_profile, profile),
        ]);
        object([
            (&self.metadata, metadata),
            (&self.spec, spec),
            (&self.is_deleting, Value::from(shoot.deleting)),
        ])
    }
}

fn object<const N: usize>(fields: [(&Text, Value); N]) -> Value {
    Value::object(fields.map(|(name, value)| (name.clone(), value)))
}
