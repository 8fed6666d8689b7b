use std::collections::BTreeMap;

use super::served;
use crate::engine::{Operation, Request, Rule};
use crate::model::Kind;

/// The rules that a server runs, by what they look at, so that a request does not go through all of them.
#[derive(Debug)]
pub struct Served {
    all: Vec<&'static Rule>,
    by_request: BTreeMap<(Kind, Operation), Vec<&'static Rule>>,
}

impl Default for Served {
    fn default() -> Self {
        let mut by_request: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for rule in served() {
            for kind in Kind::ALL {
                for operation in [Operation::Create, Operation::Update, Operation::Delete] {
                    let mut scopes = rule.scopes.iter();
                    let looks =
                        scopes.any(|it| it.kind == *kind && it.operations.contains(&operation));
                    if looks {
                        by_request.entry((*kind, operation)).or_default().push(rule);
                    }
                }
            }
        }
        let all = served().collect();
        Self { all, by_request }
    }
}

impl Served {
    /// Every rule that a server runs, in order.
    #[must_use]
    pub fn all(&self) -> &[&'static Rule] {
        &self.all
    }

    /// In the same order, all that may have a say in a request.
    #[must_use]
    pub fn for_request(&self, request: &Request<'_>) -> &[&'static Rule] {
        let rules = request
            .kind()
            .and_then(|kind| self.by_request.get(&(kind, request.operation)));
        rules.map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Subresource;

    #[test]
    fn no_rule_that_looks_at_a_request_is_left_out() {
        let served = Served::default();
        assert!(!served.all().is_empty());
        for kind in Kind::ALL {
            for operation in [Operation::Create, Operation::Update, Operation::Delete] {
                let request = Request {
                    operation,
                    ..Request::of_objects(*kind, Default::default(), [None, None])
                };
                let rules = served.for_request(&request);
                for subresource in Subresource::ALL {
                    let looks = |rule: &&&Rule| rule.applies_to(*kind, operation, subresource);
                    let of_all: Vec<&str> =
                        served.all().iter().filter(looks).map(|it| it.id).collect();
                    let of_some: Vec<&str> = rules.iter().filter(looks).map(|it| it.id).collect();
                    assert_eq!(of_some, of_all, "{operation} of {kind}");
                }
            }
        }
    }
}
