// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::{label_value_error, qualified_name_error};

/// A validated label selector; an empty one selects everything.
///
/// Mirrors LabelSelectorAsSelector in `k8s.io/apimachinery/pkg/apis/meta/v1`.
#[derive(Clone, Debug, Default)]
pub struct Selector<'a> {
    requirements: Vec<(&'a str, Test<'a>)>,
}

#[derive(Clone, Debug)]
enum Test<'a> {
    Is(&'a str),
    In(&'a [String]),
    NotIn(&'a [String]),
    Exists,
    DoesNotExist,
}

impl<'a> Selector<'a> {
    /// Compiles `matchLabels` and `matchExpressions`, given as key, operator and values.
    ///
    /// # Errors
    /// Fails for an unknown operator, too many or too few values, and a malformed key or value.
    pub fn compile(
        labels: &'a BTreeMap<String, String>,
        expressions: impl IntoIterator<Item = (&'a str, &'a str, &'a [String])>,
    ) -> Result<Self, String> {
        let mut requirements = Vec::with_capacity(labels.len());
        for (key, value) in labels {
            check_key(key)?;
            check_value(value)?;
            requirements.push((key.as_str(), Test::Is(value)));
        }
        for (key, operator, values) in expressions {
            check_key(key)?;
            values.iter().try_for_each(|value| check_value(value))?;
            requirements.push((key, test(key, operator, values)?));
        }
        Ok(Self { requirements })
    }

    /// Reports whether the selector matches an object with exactly these labels.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.requirements.iter().all(|(key, test)| {
            let value = labels.get(*key);
            match test {
                Test::Is(wanted) => value.is_some_and(|value| value == wanted),
                Test::In(values) => value.is_some_and(|value| values.contains(value)),
                Test::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
                Test::Exists => value.is_some(),
                Test::DoesNotExist => value.is_none(),
            }
        })
    }
}

fn test<'a>(key: &str, operator: &str, values: &'a [String]) -> Result<Test<'a>, String> {
    let test = match operator {
        "In" => Test::In(values),
        "NotIn" => Test::NotIn(values),
        "Exists" => Test::Exists,
        "DoesNotExist" => Test::DoesNotExist,
        other => {
            return Err(format!(
                "`{other}` is not an operator; use In, NotIn, Exists or DoesNotExist"
            ));
        }
    };
    match (&test, values.is_empty()) {
        (Test::In(_) | Test::NotIn(_), true) => {
            Err(format!("`{operator}` on `{key}` needs at least one value"))
        }
        (Test::Exists | Test::DoesNotExist, false) => {
            Err(format!("`{operator}` on `{key}` takes no values"))
        }
        _ => Ok(test),
    }
}

fn check_key(key: &str) -> Result<(), String> {
    qualified_name_error(key)
        .map_or(Ok(()), |why| Err(format!("`{key}` is not a label key: {why}")))
}

fn check_value(value: &str) -> Result<(), String> {
    label_value_error(value)
        .map_or(Ok(()), |why| Err(format!("`{value}` is not a label value: {why}")))
}
