use std::ops::Bound;
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use crate::model::{AccessRestriction, Seed, SeedProvider, SeedSelector, Toleration, is_below};

/// The Seeds, by what the scheduler looks at: however many there are, few differ in that.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    alike: OrdMap<Arc<Traits>, AlikeSeeds>,
    /// How many Seeds have each default domain.
    domains: OrdMap<Arc<str>, usize>,
}

/// Of the labels that a selector wants only so many are looked up: nobody means more, but for who wants to take time.
const LOOKED_AT: usize = 8;

/// What makes Seeds alike.
#[derive(Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Traits {
    provider: SeedProvider,
    zone_selection: String,
    unusable: Option<&'static str>,
    is_stopped: bool,
    taints: Vec<Toleration>,
    access_restrictions: Vec<AccessRestriction>,
}

/// Seeds, at least one, that differ in nothing but their names, labels, domains, address ranges, and in how many Shoots they take.
///
/// So provider, region, zones and how those count, taints, access restrictions, whether and why one is
/// [unusable](Seed::why_unusable), and whether it [is stopped](Seed::is_stopped) are the same.
#[derive(Clone, Debug, Default)]
pub struct AlikeSeeds {
    seeds: OrdMap<Arc<str>, Arc<Seed>>,
    /// Key, value and name of the Seed.
    labels: OrdSet<[Arc<str>; 3]>,
}

impl Seeds {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.groups().map(|alike| alike.seeds.len()).sum()
    }

    /// All of them.
    pub fn groups(&self) -> impl Iterator<Item = &AlikeSeeds> {
        self.alike.values()
    }

    /// Whether `domain` lies below a default domain of any of them.
    #[must_use]
    pub fn any_serves(&self, domain: &str) -> bool {
        self.domains.keys().any(|parent| is_below(domain, parent))
    }

    pub(super) fn add(&mut self, seed: &Arc<Seed>) {
        let traits = Arc::new(Traits::of(seed));
        self.alike.entry(traits).or_default().add(seed);
        for domain in domains(seed) {
            *self.domains.entry(domain.into()).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, seed: &Seed) {
        let traits = Traits::of(seed);
        if let Some(alike) = self.alike.get_mut(&traits) {
            alike.remove(seed);
            if alike.seeds.is_empty() {
                self.alike.remove(&traits);
            }
        }
        for domain in domains(seed) {
            if let Some(count) = self.domains.get_mut(domain) {
                *count -= 1;
                if *count == 0 {
                    self.domains.remove(domain);
                }
            }
        }
    }
}

impl Traits {
    fn of(seed: &Seed) -> Self {
        Self {
            provider: seed.spec.provider.clone(),
            zone_selection: seed.zone_selection().to_owned(),
            unusable: seed.why_unusable(),
            is_stopped: seed.is_stopped(),
            taints: seed.spec.taints.clone(),
            access_restrictions: seed.spec.access_restrictions.clone(),
        }
    }
}

impl AlikeSeeds {
    /// One of them, for what holds of all.
    #[must_use]
    pub fn example(&self) -> Option<&Seed> {
        let (_, seed) = self.seeds.get_min()?;
        Some(seed)
    }

    /// Those among which are all that these selectors select, and as few others as labels tell at a glance.
    pub fn perhaps_selected<'a>(
        &'a self,
        selectors: &'a [&SeedSelector],
    ) -> impl Iterator<Item = &'a Arc<Seed>> {
        let wanted = selectors.iter().flat_map(|it| &it.match_labels);
        let lists = wanted
            .take(LOOKED_AT)
            .map(|(key, value)| self.with_label(key, value));
        let named = shortest(lists.collect());
        let all = named.is_none().then(|| self.seeds.values());
        all.into_iter().flatten().chain(named.into_iter().flatten())
    }

    /// Those that have a label.
    fn with_label(&self, key: &str, value: &str) -> impl Iterator<Item = &Arc<Seed>> {
        let first = [key.into(), value.into(), "".into()];
        let [key, value, _] = first.clone();
        let labels = self
            .labels
            .range((Bound::Included(first), Bound::Unbounded));
        let labels = labels.take_while(move |[of, is, _]| *of == key && *is == value);
        labels.filter_map(|[_, _, name]| self.seeds.get(name))
    }

    fn add(&mut self, seed: &Arc<Seed>) {
        let name: Arc<str> = seed.metadata.name.as_str().into();
        self.labels.extend(labels(seed, &name));
        self.seeds.insert(name, Arc::clone(seed));
    }

    fn remove(&mut self, seed: &Seed) {
        let name: Arc<str> = seed.metadata.name.as_str().into();
        for label in labels(seed, &name) {
            self.labels.remove(&label);
        }
        self.seeds.remove(&name);
    }
}

/// What the list has that is at its end first, when all are gone through side by side; `None` if there are none.
fn shortest<T>(mut lists: Vec<impl Iterator<Item = T>>) -> Option<Vec<T>> {
    let mut seen: Vec<Vec<T>> = lists.iter().map(|_| Vec::new()).collect();
    while !lists.is_empty() {
        for (index, list) in lists.iter_mut().enumerate() {
            match list.next() {
                Some(item) => seen[index].push(item),
                None => return Some(seen.swap_remove(index)),
            }
        }
    }
    None
}

fn labels(seed: &Seed, name: &Arc<str>) -> impl Iterator<Item = [Arc<str>; 3]> {
    let labels = seed.metadata.labels.iter();
    labels.map(|(key, value)| [key.as_str().into(), value.as_str().into(), Arc::clone(name)])
}

fn domains(seed: &Seed) -> impl Iterator<Item = &str> {
    let defaults = seed.spec.dns.defaults.iter();
    defaults.map(|it| it.domain.as_str())
}
