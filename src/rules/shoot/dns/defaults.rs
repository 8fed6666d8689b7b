use crate::engine::{Context, Kind};
use crate::garden::Lookup;
use crate::model::{DefaultDomain, GARDEN_NAMESPACE, Seed, Shoot};

/// The domains below which Shoots get theirs, as far as they count for one Shoot.
pub(super) struct Defaults {
    /// Those of its seed, or else those of the landscape; `None` if the garden does not tell.
    pub(super) domains: Option<Vec<DefaultDomain>>,
    /// Its Project's name; `None` if there is none, or none is known.
    pub(super) project: Option<String>,
    /// Why its Project or its seed is not known.
    pub(super) unknown: Option<String>,
    /// Its name; empty if the API server still has to make one.
    shoot: String,
}

impl Defaults {
    pub(super) fn of(context: &Context<'_>, shoot: &Shoot) -> Self {
        let (project, unknown_project) =
            match context.project_of_namespace(&context.request.namespace) {
                Lookup::Found(project) => (Some(project.metadata.name.clone()), None),
                Lookup::Unknown(why) => (None, Some(why)),
                Lookup::Absent | Lookup::Unconfirmed => (None, None),
            };
        let unknown_seed = || match context.get::<Seed>(shoot.seed_name()?) {
            Lookup::Unknown(why) => Some(why),
            _ => None,
        };
        Self {
            domains: domains(context, shoot),
            project,
            unknown: unknown_project.or_else(unknown_seed),
            shoot: shoot.metadata.name.clone(),
        }
    }

    /// The default domain that a domain is below, if it is; a garden that tells of none is believed what looks like it.
    pub(super) fn above<'d>(&self, domain: &'d str) -> Option<&'d str> {
        let Some(domains) = &self.domains else {
            return domain.strip_prefix(&self.prefix()?);
        };
        let mut domains = domains.iter().map(|it| it.name.as_str());
        let above = domains.find(|it| is_below(domain, it))?;
        domain.get(domain.len() - above.len()..)
    }

    /// The domains one of which the Shoot gets if it has none: several, where Gardener takes any of them.
    pub(super) fn generated(&self) -> Vec<String> {
        let domains = self.domains.iter().flatten();
        let highest = domains.clone().map(|it| it.priority).max();
        let first = domains.filter(|it| Some(it.priority) == highest);
        let generated = first.filter_map(|it| Some(self.prefix()? + &it.name));
        generated.collect()
    }

    /// Whether the Shoot may have got a domain from Gardener.
    pub(super) fn may_be_generated(&self, domain: &str) -> bool {
        match &self.domains {
            Some(_) => self.generated().iter().any(|it| it == domain),
            None => self.above(domain).is_some(),
        }
    }

    /// What the Shoot's own domain begins with.
    fn prefix(&self) -> Option<String> {
        let project = self.project.as_ref().filter(|_| !self.shoot.is_empty())?;
        Some(format!("{}.{project}.", self.shoot))
    }
}

/// Whether a domain ends with another one, and has more labels.
fn is_below(domain: &str, above: &str) -> bool {
    let rest = domain.strip_suffix(above);
    rest.is_some_and(|rest| rest.ends_with('.'))
}

fn domains(context: &Context<'_>, shoot: &Shoot) -> Option<Vec<DefaultDomain>> {
    if let Some(name) = shoot.seed_name() {
        let Lookup::Found(seed) = context.get::<Seed>(name) else {
            return None;
        };
        if !seed.spec.dns.defaults.is_empty() {
            return Some(own(&seed));
        }
    }
    match context.default_domains() {
        Lookup::Found(domains) if domains.is_empty() => {
            let tells = context.tells_of_in(Kind::Secret, GARDEN_NAMESPACE);
            tells.then(Vec::new)
        }
        Lookup::Found(domains) => Some(domains),
        _ => None,
    }
}

/// The default domains of a seed, of which the first is given to Shoots.
fn own(seed: &Seed) -> Vec<DefaultDomain> {
    let domains = seed
        .spec
        .dns
        .defaults
        .iter()
        .zip((0..).map(|rank: i64| -rank));
    let domains = domains.map(|(it, priority)| DefaultDomain {
        name: it.domain.clone(),
        priority,
    });
    domains.collect()
}
