// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Kind};
use garden_gate_model::api::{DefaultDomain, GARDEN_NAMESPACE, Seed, Shoot};

/// The default domains that apply to one Shoot.
pub(super) struct Defaults {
    /// Those of its seed, or else those of the landscape; `None` if they are unknown.
    pub(super) domains: Option<Vec<DefaultDomain>>,
    /// The name of its Project; `None` if it has none, or if the Project is unknown.
    pub(super) project: Option<String>,
    /// The reason why its Project or its seed is unknown.
    pub(super) unknown: Option<String>,
    /// The name of the Shoot; empty if the API server has yet to generate it.
    shoot: String,
}

impl Defaults {
    pub(super) fn of(context: &Context<'_>, shoot: &Shoot) -> Self {
        let project = context.project_of_namespace(&context.request.namespace);
        let unknown_seed = || context.get::<Seed>(shoot.seed_name()?).err();
        let unknown = project.as_ref().err().cloned().or_else(unknown_seed);
        Self {
            domains: domains(context, shoot),
            project: project.ok().flatten().map(|it| it.metadata.name.clone()),
            unknown: unknown.as_ref().map(ToString::to_string),
            shoot: shoot.metadata.name.clone(),
        }
    }

    /// Returns the default domain above `domain`.
    ///
    /// Guesses it from the prefix if no default domains are known.
    pub(super) fn above<'d>(&self, domain: &'d str) -> Option<&'d str> {
        let Some(domains) = &self.domains else {
            return domain.strip_prefix(&self.prefix()?);
        };
        let above = domains.iter().map(|it| it.name.as_str()).find(|it| is_below(domain, it))?;
        domain.get(domain.len() - above.len()..)
    }

    /// Returns the domains that Gardener may generate for a Shoot without one.
    ///
    /// Returns several if Gardener picks any of them.
    pub(super) fn generated(&self) -> Vec<String> {
        let domains = self.domains.iter().flatten();
        let highest = domains.clone().map(|it| it.priority).max();
        let first = domains.filter(|it| Some(it.priority) == highest);
        let generated = first.filter_map(|it| Some(self.prefix()? + &it.name));
        generated.collect()
    }

    /// Reports whether Gardener may have generated the Shoot's domain.
    pub(super) fn may_be_generated(&self, domain: &str) -> bool {
        match &self.domains {
            Some(_) => self.generated().iter().any(|it| it == domain),
            None => self.above(domain).is_some(),
        }
    }

    /// Returns the prefix of the Shoot's generated domain.
    fn prefix(&self) -> Option<String> {
        let project = self.project.as_ref().filter(|_| !self.shoot.is_empty())?;
        Some(format!("{}.{project}.", self.shoot))
    }
}

/// Reports whether `domain` is a subdomain of `above`.
fn is_below(domain: &str, above: &str) -> bool {
    let rest = domain.strip_suffix(above);
    rest.is_some_and(|rest| rest.ends_with('.'))
}

fn domains(context: &Context<'_>, shoot: &Shoot) -> Option<Vec<DefaultDomain>> {
    if let Some(name) = shoot.seed_name() {
        let seed = context.get::<Seed>(name).ok().flatten()?;
        if !seed.spec.dns.defaults.is_empty() {
            return Some(own(&seed));
        }
    }
    let domains = context.default_domains().ok()?;
    let is_known =
        !domains.is_empty() || context.absence_is_known_in(Kind::Secret, GARDEN_NAMESPACE);
    is_known.then_some(domains)
}

/// Returns the default domains of a seed; Shoots get the first one.
fn own(seed: &Seed) -> Vec<DefaultDomain> {
    let domains = seed
        .spec
        .dns
        .defaults
        .iter()
        .zip((0..).map(|rank: i64| -rank))
        .map(|(it, priority)| DefaultDomain { name: it.domain.clone(), priority });
    domains.collect()
}
