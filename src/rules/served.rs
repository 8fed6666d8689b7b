use std::collections::BTreeMap;

use super::served;
use crate::engine::{Door, Operation, Request, Rule, Rules, Subresource};
use crate::model::Kind;

/// The rules that a server runs, by what they look at, so that a request does not go through all of them.
#[derive(Debug)]
pub struct Served {
    all: Vec<&'static Rule>,
    by_request: BTreeMap<(Door, Kind, Operation, Subresource), Vec<&'static Rule>>,
}

/// The doors of a server.
const DOORS: [Door; 2] = [Door::Mutate, Door::Validate];

impl Default for Served {
    fn default() -> Self {
        let mut by_request: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for rule in served() {
            for kind in Kind::ALL {
                for operation in [Operation::Create, Operation::Update, Operation::Delete] {
                    for subresource in Subresource::ALL {
                        if !rule.applies_to(*kind, operation, subresource) {
                            continue;
                        }
                        for door in DOORS.into_iter().filter(|door| rule.runs_at(*door)) {
                            let request = (door, *kind, operation, subresource);
                            by_request.entry(request).or_default().push(rule);
                        }
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

    /// In the same order, all that may have a say in a request at one of the doors of a server.
    #[must_use]
    pub fn for_request(&self, door: Door, request: &Request<'_>) -> Rules<'_> {
        let subresource = Subresource::named(&request.sub_resource);
        let looks = request.kind().zip(subresource);
        let rules = looks.and_then(|(kind, subresource)| {
            let request = (door, kind, request.operation, subresource);
            self.by_request.get(&request)
        });
        Rules::Chosen(rules.map_or(&[], Vec::as_slice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rule_that_looks_at_a_request_is_left_out() {
        let served = Served::default();
        assert!(!served.all().is_empty());
        for kind in Kind::ALL {
            for operation in [Operation::Create, Operation::Update, Operation::Delete] {
                for subresource in Subresource::ALL {
                    let request = Request {
                        operation,
                        sub_resource: subresource.as_str().to_owned(),
                        ..Request::of_objects(*kind, Default::default(), [None, None])
                    };
                    for door in DOORS {
                        let looks = |rule: &&&Rule| {
                            rule.applies_to(*kind, operation, subresource) && rule.runs_at(door)
                        };
                        let all = served.all().iter().filter(looks);
                        let all: Vec<&str> = all.map(|it| it.id).collect();
                        let some = served.for_request(door, &request).all().iter();
                        let some: Vec<&str> = some.map(|it| it.id).collect();
                        assert_eq!(some, all, "{operation} of {kind} at {door:?}");
                    }
                }
            }
        }
    }
}
