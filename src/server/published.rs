use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use garden_gate_core::admission::Finding;
use garden_gate_core::garden::ObjectKey;
use garden_gate_products::audit::Tally;
use garden_gate_products::forecast::{Class, Outlook, Owner, ShootForecast, UnknownForecast};
use garden_gate_products::report::{Outcome, PublishedProject, Reviewed};
use garden_gate_text::yaml::Excerpt;

pub(crate) type Forecast = Result<ShootForecast, UnknownForecast>;

/// Forecasts that are published, by namespace.
#[derive(Debug)]
pub(crate) struct Published {
    /// A forecast without Shoots.
    pub(crate) empty: Outlook,
    /// The counts of the audit of all Shoots.
    tally: Tally,
    namespaces: BTreeMap<String, Arc<NamespaceForecast>>,
}

/// The forecast of a namespace.
#[derive(Debug)]
pub(crate) struct NamespaceForecast {
    pub(crate) outlook: Outlook,
    /// The counts of the audit of all Shoots.
    pub(crate) tally: Tally,
    /// The Shoots with findings.
    pub(crate) audited: Vec<Reviewed>,
    /// The estimated memory in bytes.
    pub(crate) bytes: u64,
}

/// Collects forecasts up to a memory limit.
#[derive(Debug)]
pub(crate) struct Collecting {
    /// A forecast without Shoots.
    empty: Outlook,
    /// The counts of the audit of all Shoots.
    tally: Tally,
    namespaces: BTreeMap<String, NamespaceForecast>,
    limit: u64,
    bytes: u64,
    /// The number of Shoots without a forecast because of the limit.
    pub(crate) omitted: usize,
}

/// Divisor: the part of the limit for the names of Shoots whose forecast does not fit.
const NAMES: u64 = 8;
const OMITTED: &str = "the forecasts of all Shoots need more memory than the server may use for them; raise its memory limit, or use `garden-gate forecast`";

impl Collecting {
    /// `empty` is a forecast without Shoots, and `limit` is in bytes.
    pub(crate) fn new(empty: Outlook, limit: u64) -> Self {
        Self {
            empty,
            tally: Tally::default(),
            namespaces: BTreeMap::new(),
            limit,
            bytes: 0,
            omitted: 0,
        }
    }

    /// Adds a forecast.
    /// At the limit, only its name is kept, and then nothing.
    pub(crate) fn add(&mut self, forecast: Forecast) {
        let forecast = match forecast {
            Ok(forecast)
                if self.bytes + bytes(&Ok(&forecast)) > self.limit - self.limit / NAMES =>
            {
                self.omitted += 1;
                Err(UnknownForecast {
                    owner: forecast.owner,
                    namespace: forecast.forecast.namespace,
                    name: forecast.forecast.name,
                    why: OMITTED.to_owned(),
                })
            }
            forecast => forecast,
        };
        let size = bytes(&forecast.as_ref());
        if self.bytes + size > self.limit {
            return;
        }
        self.bytes += size;
        let namespace = match &forecast {
            Ok(shoot) => shoot.forecast.namespace.clone(),
            Err(shoot) => shoot.namespace.clone(),
        };
        let namespace = self.namespace(namespace);
        namespace.bytes += size;
        match forecast {
            Ok(shoot) => namespace.outlook.shoots.push(shoot),
            Err(shoot) => namespace.outlook.unforeseen.push(shoot),
        }
    }

    /// Adds the result of an audit.
    /// At the limit, only the counts are kept.
    pub(crate) fn add_audited(&mut self, key: &ObjectKey, reviewed: Reviewed) {
        let size = findings_bytes(&reviewed);
        let is_kept =
            reviewed.is_remarkable() && self.bytes + size <= self.limit - self.limit / NAMES;
        let size = if is_kept { size } else { 0 };
        self.bytes += size;
        let count = |tally: &mut Tally| {
            if let Outcome::Judged(review, _) = &reviewed.outcome {
                let result = (review, reviewed.occasions.as_slice());
                tally.add(key, &Owner::default(), result);
            }
        };
        count(&mut self.tally);
        let namespace = self.namespace(key.namespace.clone());
        namespace.bytes += size;
        count(&mut namespace.tally);
        if is_kept {
            namespace.audited.push(reviewed);
        }
    }

    fn namespace(&mut self, name: String) -> &mut NamespaceForecast {
        let namespace = self.namespaces.entry(name);
        namespace.or_insert_with(|| NamespaceForecast::empty(&self.empty))
    }

    pub(crate) fn publish(self) -> Published {
        let namespaces = self.namespaces.into_iter().map(|(name, mut namespace)| {
            let Outlook { shoots, unforeseen, .. } = &mut namespace.outlook;
            shoots.sort_by(|a, b| a.forecast.name.cmp(&b.forecast.name));
            unforeseen.sort_by(|a, b| a.name.cmp(&b.name));
            namespace.audited.sort_by(|a, b| a.name.cmp(&b.name));
            (name, Arc::new(namespace))
        });
        Published { empty: self.empty, tally: self.tally, namespaces: namespaces.collect() }
    }
}

/// Returns the estimated memory in bytes.
fn bytes(forecast: &Result<&ShootForecast, &UnknownForecast>) -> u64 {
    let bytes = match forecast {
        Ok(shoot) => shoot.memory(),
        Err(shoot) => {
            let strings = [&shoot.namespace, &shoot.name, &shoot.why]
                .into_iter()
                .map(String::len)
                .sum::<usize>();
            size_of::<UnknownForecast>() + strings + shoot.owner.memory()
        }
    };
    bytes as u64
}

/// Returns the estimated memory of a Shoot with findings in bytes.
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

impl NamespaceForecast {
    fn empty(outlook: &Outlook) -> Self {
        Self { outlook: outlook.clone(), tally: Tally::default(), audited: Vec::new(), bytes: 0 }
    }

    fn row(&self, namespace: &str) -> PublishedProject {
        let outlook = &self.outlook;
        let mut owners = outlook
            .shoots
            .iter()
            .map(|shoot| &shoot.owner)
            .chain(outlook.unforeseen.iter().map(|shoot| &shoot.owner));
        let forced = outlook.events().filter(|(.., it)| it.class == Class::Forced);
        PublishedProject {
            project: owners.next().map(|it| it.project.clone()).unwrap_or_default(),
            namespace: namespace.to_owned(),
            shoots: outlook.shoots.len() + outlook.unforeseen.len(),
            next_forced: forced.map(|(_, window, _)| window.earliest).min(),
            blocked: outlook.counts().blocked,
            denied: self.tally.all.denied,
            warned: self.tally.all.warned,
        }
    }
}

impl Published {
    /// Returns the counts of the audit of all Shoots, if it began less than `age` ago.
    pub(crate) fn recent_tally(&self, age: Duration, now: Timestamp) -> Option<&Tally> {
        let age = SignedDuration::try_from(age).unwrap_or(SignedDuration::MAX);
        (now.duration_since(self.empty.at) < age).then_some(&self.tally)
    }

    /// Returns the forecast of a namespace, which is empty if the namespace has no Shoots.
    pub(crate) fn namespace(&self, namespace: &str) -> Arc<NamespaceForecast> {
        let found = self.namespaces.get(namespace).cloned();
        found.unwrap_or_else(|| Arc::new(NamespaceForecast::empty(&self.empty)))
    }

    /// Returns the number of namespaces with Shoots.
    pub(crate) fn count(&self) -> usize {
        self.namespaces.len()
    }

    /// Returns a row for each namespace with Shoots.
    pub(crate) fn rows(&self) -> Vec<PublishedProject> {
        let namespaces = self.namespaces.iter();
        namespaces.map(|(name, namespace)| namespace.row(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;
    use jiff::tz::Offset;

    use super::{Collecting, Outlook, Owner, Reviewed, ShootForecast};
    use garden_gate_core::config::JudgedVersion;
    use garden_gate_core::garden::ObjectKey;
    use garden_gate_model::api::{Kind, Shoot};
    use garden_gate_model::gardener::version::maintenance::Window;
    use garden_gate_products::audit::Audited;
    use garden_gate_products::forecast::Forecast;

    const SHOOTS: usize = 10_000;

    /// Returns a forecast with a remark of 1,000 bytes.
    fn shoot(number: usize) -> ShootForecast {
        ShootForecast {
            owner: Owner { project: format!("p{}", number % 50), name: "anna".to_owned() },
            forecast: Forecast {
                namespace: format!("garden-p{}", number % 50),
                name: format!("s{number:05}"),
                profile: "CloudProfile nimbus".to_owned(),
                window: Window::of(&Shoot::default()),
                offset: Offset::UTC,
                standings: Vec::new(),
                windows: Vec::new(),
                remarks: vec!["x".repeat(1_000)],
            },
        }
    }

    fn empty() -> Outlook {
        Outlook {
            at: Timestamp::UNIX_EPOCH,
            until: Timestamp::UNIX_EPOCH,
            judged: JudgedVersion::default(),
            shoots: Vec::new(),
            unforeseen: Vec::new(),
        }
    }

    fn collect(limit: u64) -> Collecting {
        let mut collecting = Collecting::new(empty(), limit);
        for number in (0..SHOOTS).rev() {
            collecting.add(Ok(shoot(number)));
        }
        collecting
    }

    #[test]
    fn ten_thousand_shoots_fit_into_32_mebibytes() {
        let collecting = collect(32 << 20);
        assert_eq!(collecting.omitted, 0);
        let bytes = collecting.bytes;
        assert!((10_000_000..20_000_000).contains(&bytes), "{bytes}");
        let published = collecting.publish();
        assert_eq!(published.count(), 50);
        let rows = published.rows();
        assert!(rows.iter().all(|row| row.shoots == SHOOTS / 50));
        let namespace = published.namespace("garden-p7");
        let names = namespace.outlook.shoots.iter().map(|it| &it.forecast.name);
        assert!(names.is_sorted());
        assert!(published.namespace("garden-none").outlook.shoots.is_empty());
    }

    #[test]
    fn shoots_beyond_the_limit_are_listed_with_the_reason_and_then_dropped() {
        let collecting = collect(1 << 20);
        assert!(collecting.omitted > SHOOTS / 2);
        assert!(collecting.bytes <= 1 << 20);
        let published = collecting.publish();
        let rows = published.rows();
        assert!(rows.iter().map(|row| row.shoots).sum::<usize>() < SHOOTS);
        let namespaces = rows.iter().map(|row| published.namespace(&row.namespace));
        let mut omitted = namespaces.flat_map(|it| it.outlook.unforeseen.clone());
        assert!(omitted.any(|it| it.why.contains("raise its memory limit")));
    }

    #[test]
    fn audits_without_findings_are_counted_only() {
        let mut collecting = Collecting::new(empty(), 1 << 20);
        let key = ObjectKey {
            kind: Kind::Shoot,
            namespace: "garden-dev".to_owned(),
            name: "web".to_owned(),
        };
        let reviewed = Reviewed::audited(&key, Audited::default());
        collecting.add_audited(&key, reviewed);
        let published = collecting.publish();
        let namespace = published.namespace("garden-dev");
        assert_eq!(namespace.tally.all.objects, 1);
        assert!(namespace.audited.is_empty());
        assert_eq!(published.tally, namespace.tally);
    }

    #[test]
    fn recent_tally_is_absent_once_it_is_too_old() {
        let published = Collecting::new(empty(), 1 << 20).publish();
        let recent = |second| {
            let now = Timestamp::from_second(second).unwrap();
            published.recent_tally(Duration::from_secs(60), now)
        };
        assert_eq!(recent(59), Some(&published.tally));
        assert_eq!(recent(60), None);
        // The clock was set back.
        assert_eq!(recent(-1), Some(&published.tally));
    }
}
