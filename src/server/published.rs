// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use garden_gate_core::admission::Finding;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::Kind;
use garden_gate_products::audit::Tally;
use garden_gate_products::forecast::{Class, Counts, Owner, ShootForecast};
use garden_gate_products::report::{
    self, Documents, Landscape, LandscapeBuilder, LandscapeFacts, Naming, Outcome, Playground,
    PublishedProject, Reviewed, Site, SitePart,
};
use garden_gate_text::yaml::Excerpt;

/// Forecasts and findings that are published.
#[derive(Debug)]
pub(crate) struct Published {
    /// A landscape without objects.
    pub(crate) empty: Landscape,
    /// The counts of the audit of all objects.
    tally: Tally,
    /// The rows of the list of Projects.
    pub(crate) rows: Vec<PublishedProject>,
    /// The page of the whole landscape.
    pub(crate) page: String,
    /// Its documents about all objects, by name.
    pub(crate) documents: BTreeMap<&'static str, String>,
    namespaces: BTreeMap<String, Arc<PublishedNamespace>>,
}

/// The forecasts and findings of a namespace.
#[derive(Debug)]
pub(crate) struct PublishedNamespace {
    pub(crate) landscape: Landscape,
    audits: Audits,
    /// The estimated memory in bytes.
    pub(crate) bytes: u64,
}

/// The audits of a namespace.
#[derive(Debug, Default)]
struct Audits {
    /// The counts of all Shoots.
    tally: Tally,
    /// The Shoots with findings.
    reviewed: Vec<Reviewed>,
    /// The estimated memory in bytes.
    bytes: u64,
}

/// Collects forecasts and audits up to a memory limit.
#[derive(Debug)]
pub(crate) struct Collecting {
    landscape: report::Collecting,
    /// The counts of the audit of all objects.
    tally: Tally,
    audits: BTreeMap<String, Audits>,
    limit: u64,
    bytes: u64,
    /// The number of Shoots without a forecast because of the limit.
    pub(crate) omitted: usize,
    /// The playground to which pages link.
    pub(crate) playground: Option<Playground>,
}

/// Divisor: the part of the limit for the names of Shoots whose forecast does not fit.
const NAMES: u64 = 8;
const OMITTED: &str = "the forecasts of all Shoots need more memory than the server may use for them; raise its memory limit, or use `garden-gate forecast`";

impl Collecting {
    /// Returns a collection for the landscape of `builder`; `limit` is in bytes.
    pub(crate) fn new(builder: &LandscapeBuilder<'_>, limit: u64) -> Self {
        Self {
            landscape: builder.begin(),
            tally: Tally::default(),
            audits: BTreeMap::new(),
            limit,
            bytes: 0,
            omitted: 0,
            playground: None,
        }
    }

    /// Adds an object with its audit.
    ///
    /// At the limit, only the name of a Shoot and counts are kept, and then only counts.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub(crate) fn add(&mut self, part: SitePart, reviewed: Reviewed) -> serde_json::Result<()> {
        let key = part.key().clone();
        let most = self.limit - self.limit / NAMES;
        let fits = |collecting: &Self, part: &SitePart, most: u64| {
            collecting.bytes + part.memory() as u64 <= most
        };
        let part = if fits(self, &part, most) {
            Some(part)
        } else {
            self.omitted += usize::from(key.kind == Kind::Shoot);
            part.omitted(OMITTED.to_owned())?
        };
        if let Some(part) = part.filter(|it| fits(self, it, self.limit)) {
            self.bytes += part.memory() as u64;
            self.landscape.add(part);
        }
        self.add_audit(&key, reviewed, most);
        Ok(())
    }

    fn add_audit(&mut self, key: &ObjectKey, reviewed: Reviewed, most: u64) {
        let size = findings_bytes(&reviewed);
        let is_kept = reviewed.is_remarkable() && self.bytes + size <= most;
        let count = |tally: &mut Tally| {
            if let Outcome::Judged(review, _) = &reviewed.outcome {
                let result = (review, reviewed.occasions.as_slice());
                tally.add(key, &Owner::default(), result);
            }
        };
        count(&mut self.tally);
        // The pages of audits are about Shoots.
        if key.kind == Kind::Shoot {
            let audits = self.audits.entry(key.namespace.clone()).or_default();
            count(&mut audits.tally);
            if is_kept {
                self.bytes += size;
                audits.bytes += size;
                audits.reviewed.push(reviewed);
            }
        }
    }

    /// Adds a note to all pages.
    pub(crate) fn note(&mut self, note: String) {
        self.landscape.note([note]);
    }

    /// Renders what all readers of the whole landscape share, and returns the facts for owners, too, if it `notifies`.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub(crate) fn publish(
        self,
        builder: &LandscapeBuilder<'_>,
        notifies: bool,
    ) -> serde_json::Result<(Published, Option<LandscapeFacts>)> {
        let Self { landscape, tally, mut audits, playground, .. } = self;
        let landscape = builder.end(landscape, |_, _| true)?.with_playground(playground);
        let facts = notifies.then(|| LandscapeFacts::of(&landscape));
        let (page, documents) = whole(&landscape)?;
        let empty = landscape.without_objects();
        let mut namespaces = BTreeMap::new();
        for (name, landscape) in landscape.by_namespace() {
            let mut own = audits.remove(&name).unwrap_or_default();
            own.reviewed.sort_by(|a, b| a.name.cmp(&b.name));
            let bytes = landscape.memory() as u64 + own.bytes;
            namespaces.insert(name, Arc::new(PublishedNamespace { landscape, audits: own, bytes }));
        }
        let rows = namespaces.iter().filter(|(_, it)| it.landscape.shoots() > 0);
        let published = Published {
            empty,
            tally,
            rows: rows.map(|(name, it)| it.row(name)).collect(),
            page,
            documents,
            namespaces,
        };
        Ok((published, facts))
    }
}

/// Returns the page of a landscape and its documents about all objects.
fn whole(landscape: &Landscape) -> serde_json::Result<(String, BTreeMap<&'static str, String>)> {
    let site = Site::of(landscape, Naming::Names);
    let documents = site.documents();
    let mut known = BTreeMap::new();
    for name in Documents::whole() {
        known.insert(name, documents.get(name)?.unwrap_or_default());
    }
    Ok((site.served(), known))
}

/// Returns the estimated memory of an object with findings in bytes.
fn findings_bytes(reviewed: &Reviewed) -> u64 {
    let Outcome::Judged(review, excerpts) = &reviewed.outcome else {
        return 0;
    };
    let findings =
        review.findings.iter().map(|it| it.message.len() + it.help.len() + 2 * it.field.len());
    let undetermined = review.undetermined.iter().map(|it| it.message.len() + it.field.len());
    let silenced = review
        .silenced
        .iter()
        .flat_map(|it| &it.findings)
        .map(|it| it.message.len() + it.help.len() + 2 * it.field.len());
    let strings: usize = findings.chain(undetermined).chain(silenced).sum();
    let entries = excerpts.len() * (size_of::<Finding>() + size_of::<Excerpt>());
    (size_of::<Reviewed>() + entries + strings) as u64
}

impl PublishedNamespace {
    /// Returns the namespace of `empty`, without objects.
    fn empty(empty: &Landscape) -> Self {
        Self { landscape: empty.without_objects(), audits: Audits::default(), bytes: 0 }
    }

    /// Returns the counts of the audit of its Shoots.
    pub(crate) fn tally(&self) -> &Tally {
        &self.audits.tally
    }

    /// Returns its Shoots with findings.
    pub(crate) fn reviewed(&self) -> &[Reviewed] {
        &self.audits.reviewed
    }

    fn row(&self, namespace: &str) -> PublishedProject {
        let tally = self.tally();
        let events = self.landscape.forecasts().flat_map(ShootForecast::events);
        let forced = events.filter(|(_, it)| it.class == Class::Forced);
        PublishedProject {
            project: self.landscape.project().to_owned(),
            namespace: namespace.to_owned(),
            shoots: self.landscape.shoots(),
            next_forced: forced.map(|(window, _)| window.earliest).min(),
            blocked: Counts::of(self.landscape.forecasts()).blocked,
            denied: tally.all.denied,
            warned: tally.all.warned,
        }
    }
}

impl Published {
    /// Returns the counts of the audit of all objects, if it began less than `age` ago.
    pub(crate) fn recent_tally(&self, age: Duration, now: Timestamp) -> Option<&Tally> {
        let age = SignedDuration::try_from(age).unwrap_or(SignedDuration::MAX);
        (now.duration_since(self.empty.at()) < age).then_some(&self.tally)
    }

    /// Returns a namespace, which is empty if nothing is known of it.
    pub(crate) fn namespace(&self, namespace: &str) -> Arc<PublishedNamespace> {
        let found = self.namespaces.get(namespace).cloned();
        found.unwrap_or_else(|| Arc::new(PublishedNamespace::empty(&self.empty)))
    }

    /// Returns the namespace whose part in the names of documents is `part`.
    pub(crate) fn namespace_of_document(&self, part: &str) -> Option<Arc<PublishedNamespace>> {
        let usual = self.namespaces.get(part);
        let found = usual.or_else(|| {
            let name = format!("projects/{part}");
            let mut all = self.namespaces.iter();
            all.find(|(it, _)| Naming::Names.project(0, it) == name).map(|(_, it)| it)
        });
        found.cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use jiff::{SignedDuration, Timestamp};
    use serde_json::value::RawValue;

    use super::{Collecting, Published};
    use crate::garden::directory;
    use garden_gate_core::config::Config;
    use garden_gate_core::garden::ObjectKey;
    use garden_gate_model::api::Kind;
    use garden_gate_products::audit::Auditor;
    use garden_gate_products::forecast::PERIOD;
    use garden_gate_products::report::{LandscapeBuilder, Lookups, Reviewed};

    const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/forecast");
    const SHOOTS: usize = 40;

    /// A published landscape with some Shoots in four namespaces.
    struct Sample {
        published: Published,
        bytes: u64,
        omitted: usize,
    }

    fn sample(limit: u64) -> Sample {
        let garden = directory::load(Path::new(EXAMPLE)).unwrap().snapshot;
        let at: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let (config, lookups) = (Config::default(), Lookups::default());
        let profiles = Arc::clone(&lookups.profiles);
        let auditor = Auditor::new(&garden, &config, at).of_server().with_profiles(profiles);
        let builder = LandscapeBuilder::new(&auditor, at + PERIOD, lookups).packed();
        let mut collecting = Collecting::new(&builder, limit);
        let files = directory::files(Path::new(EXAMPLE));
        let mut stored = files.flat_map(|it| directory::objects(&it, &[Kind::Shoot]));
        let (_, stored) = stored.find(|(key, _)| key.name == "checkout").unwrap();
        for number in 0..SHOOTS {
            let namespace = format!("garden-p{}", number % 4);
            let name = format!("s{:03}", SHOOTS - number);
            let text = stored.get().replace("checkout", &name).replace("garden-shop", &namespace);
            let stored = RawValue::from_string(text).unwrap();
            let key = ObjectKey { kind: Kind::Shoot, namespace, name };
            let mut reviewed = Reviewed::audited(&key, auditor.object(&key, &stored));
            let part = builder.part(&key, &stored, &mut reviewed).unwrap();
            collecting.add(part, reviewed).unwrap();
        }
        let (bytes, omitted) = (collecting.bytes, collecting.omitted);
        let (published, _) = collecting.publish(&builder, false).unwrap();
        Sample { published, bytes, omitted }
    }

    #[test]
    fn shoots_with_many_events_take_less_than_16_kibibytes() {
        let Sample { published, bytes, omitted } = sample(32 << 20);
        assert_eq!(omitted, 0);
        let of_one = bytes / SHOOTS as u64;
        assert!((1 << 10..16 << 10).contains(&of_one), "{of_one}");
        let rows = &published.rows;
        assert_eq!(rows.iter().map(|row| row.shoots).collect::<Vec<_>>(), [SHOOTS / 4; 4]);
        let namespace = published.namespace("garden-p2");
        let outlook = namespace.landscape.outlook();
        assert!(outlook.shoots.iter().map(|it| &it.forecast.name).is_sorted());
        assert_eq!(outlook.shoots.len(), SHOOTS / 4);
        assert_eq!(published.namespace("garden-none").landscape.shoots(), 0);
    }

    #[test]
    fn shoots_beyond_the_limit_are_listed_with_the_reason_and_then_dropped() {
        let Sample { bytes: all, .. } = sample(32 << 20);
        let limit = all / 4;
        let Sample { published, bytes, omitted } = sample(limit);
        assert!(omitted > SHOOTS / 2, "{omitted}");
        assert!(bytes <= limit);
        let shoots = published.rows.iter().map(|row| row.shoots).sum::<usize>();
        assert!(shoots < SHOOTS, "{shoots}");
        let namespaces = published.rows.iter().map(|row| published.namespace(&row.namespace));
        let mut omitted = namespaces.flat_map(|it| it.landscape.outlook().unforeseen);
        assert!(omitted.any(|it| it.why.contains("raise its memory limit")));
        // Each is still counted.
        assert_eq!(published.tally.all.objects, SHOOTS);
    }

    #[test]
    fn recent_tally_is_absent_once_it_is_too_old() {
        let Sample { published, .. } = sample(32 << 20);
        let recent = |seconds| {
            let now = published.empty.at() + SignedDuration::from_secs(seconds);
            published.recent_tally(Duration::from_mins(1), now)
        };
        assert_eq!(recent(59), Some(&published.tally));
        assert_eq!(recent(60), None);
        // The clock was set back.
        assert_eq!(recent(-1), Some(&published.tally));
    }
}
