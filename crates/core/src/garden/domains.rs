// SPDX-License-Identifier: Apache-2.0
use std::cmp::Ordering;
use std::sync::Arc;

use imbl::OrdSet;

use garden_gate_model::api::{ShootName, ShootUse};

/// The domains of all Shoots, sorted so that subdomains of a domain are adjacent.
#[derive(Clone, Debug, Default)]
pub(super) struct Domains(OrdSet<(Domain, ShootName)>);

/// A Shoot whose domain conflicts with another one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ConflictingDomain<'a> {
    /// The Shoot.
    pub shoot: &'a ShootName,
    /// Its domain.
    pub domain: &'a str,
}

/// A domain, ordered by its reversed bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Domain(Arc<str>);

impl Ord for Domain {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.bytes().rev().cmp(other.0.bytes().rev())
    }
}

impl PartialOrd for Domain {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Domains {
    pub(super) fn apply(&mut self, shoot: &ShootUse) {
        if let Some(domain) = &shoot.domain {
            self.0.insert((Domain(domain.clone()), shoot.name.clone()));
        }
    }

    pub(super) fn remove(&mut self, shoot: &ShootUse) {
        if let Some(domain) = &shoot.domain {
            self.0.remove(&(Domain(domain.clone()), shoot.name.clone()));
        }
    }

    /// Returns a conflicting domain: preferably the same, then a parent domain, then a subdomain.
    pub(super) fn conflicting_domain(
        &self,
        domain: &str,
        own: &ShootName,
    ) -> Option<ConflictingDomain<'_>> {
        let other = |it: &ConflictingDomain<'_>| it.shoot != own;
        let same = || self.from(domain).take_while(|it| it.domain == domain);
        let above = || {
            let dots = domain.match_indices('.');
            let domains = dots.map(|(dot, _)| &domain[dot + 1..]);
            domains.flat_map(|above| self.from(above).take_while(move |it| it.domain == above))
        };
        let end = format!(".{domain}");
        let below = || self.from(&end).take_while(|it| it.domain.ends_with(&end));
        let mut same = same().filter(other);
        let found = same.next().or_else(|| above().find(other));
        found.or_else(|| below().find(other))
    }

    /// Returns all domains from the given one on.
    fn from<'s>(&'s self, domain: &str) -> impl Iterator<Item = ConflictingDomain<'s>> + use<'s> {
        let nobody = ShootName { namespace: "".into(), name: "".into() };
        let all = self.0.range((Domain(domain.into()), nobody)..);
        all.map(|(Domain(domain), shoot)| ConflictingDomain { shoot, domain })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{from_value, json};

    use super::Domains;
    use garden_gate_model::api::ShootUse;

    fn shoot(name: &str, domain: &str) -> ShootUse {
        let metadata = json!({"namespace": "ns", "name": name});
        from_value(json!({"metadata": metadata, "spec": {"dns": {"domain": domain}}})).unwrap()
    }

    #[rstest]
    #[case::free("web.example.com", None)]
    #[case::same("apps.example.com", Some("apps.example.com"))]
    #[case::below("a.b.apps.example.com", Some("apps.example.com"))]
    #[case::above("example.com", Some("apps.example.com"))]
    #[case::far_above("com", Some("apps.example.com"))]
    #[case::same_end_of_a_label("dev-apps.example.com", None)]
    #[case::end_of_a_label("pps.example.com", None)]
    #[case::own("own.example.org", None)]
    #[case::below_own("a.own.example.org", None)]
    #[case::rather_the_same_than_one_above(
        "deep.nested.example.net",
        Some("deep.nested.example.net")
    )]
    #[case::nothing("", None)]
    fn a_domain_has_one_owner(#[case] domain: &str, #[case] expected: Option<&str>) {
        let mut domains = Domains::default();
        let own = shoot("own", "own.example.org");
        domains.apply(&own);
        domains.apply(&shoot("a", "apps.example.com"));
        domains.apply(&shoot("b", "nested.example.net"));
        domains.apply(&shoot("c", "deep.nested.example.net"));
        let rival = domains.conflicting_domain(domain, &own.name);
        assert_eq!(rival.map(|it| it.domain), expected);
    }

    #[test]
    fn a_domain_is_free_when_its_owners_are_gone() {
        let mut domains = Domains::default();
        let own = shoot("own", "own.example.org").name;
        let [a, b] = ["a", "b"].map(|name| shoot(name, "apps.example.com"));
        domains.apply(&a);
        domains.apply(&b);
        domains.remove(&a);
        let rival = domains.conflicting_domain("apps.example.com", &own);
        assert_eq!(rival.map(|it| it.shoot), Some(&b.name));
        domains.remove(&b);
        assert_eq!(domains.conflicting_domain("apps.example.com", &own), None);
    }
}
