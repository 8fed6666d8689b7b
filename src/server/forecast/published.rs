use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::Forecast;
use crate::forecast::{Class, Outlook, UnknownForecast};
use crate::report::PublishedProject;

/// Forecasts that are published, by namespace.
#[derive(Debug)]
pub(in crate::server) struct Published {
    pub(in crate::server) at: Timestamp,
    until: Timestamp,
    namespaces: BTreeMap<String, Arc<NamespaceForecast>>,
}

/// The forecast of a namespace.
#[derive(Debug)]
pub(in crate::server) struct NamespaceForecast {
    pub(in crate::server) outlook: Outlook,
    /// The estimated memory in bytes.
    pub(in crate::server) bytes: u64,
}

/// Collects forecasts up to a memory limit.
#[derive(Debug)]
pub(super) struct Collecting {
    at: Timestamp,
    until: Timestamp,
    namespaces: BTreeMap<String, NamespaceForecast>,
    limit: u64,
    bytes: u64,
    /// The number of Shoots without a forecast because of the limit.
    pub(super) omitted: usize,
}

/// Divisor: the part of the limit for the names of Shoots whose forecast does not fit.
const NAMES: u64 = 8;
const OMITTED: &str = "the forecasts of all Shoots need more memory than the server may use for them; raise its memory limit, or use `garden-gate forecast`";

impl Collecting {
    pub(super) fn new((at, until): (Timestamp, Timestamp), limit: u64) -> Self {
        Self {
            at,
            until,
            namespaces: BTreeMap::new(),
            limit,
            bytes: 0,
            omitted: 0,
        }
    }

    /// Adds a forecast.
    /// At the limit, only its name is kept, and then nothing.
    pub(super) fn add(&mut self, forecast: Forecast) {
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
            Ok(shoot) => &shoot.forecast.namespace,
            Err(shoot) => &shoot.namespace,
        };
        let namespace = self.namespaces.entry(namespace.clone());
        let period = (self.at, self.until);
        let namespace = namespace.or_insert_with(|| NamespaceForecast::empty(period));
        namespace.bytes += size;
        match forecast {
            Ok(shoot) => namespace.outlook.shoots.push(shoot),
            Err(shoot) => namespace.outlook.unforeseen.push(shoot),
        }
    }

    pub(super) fn publish(self) -> Published {
        let namespaces = self.namespaces.into_iter().map(|(name, mut namespace)| {
            let Outlook {
                shoots, unforeseen, ..
            } = &mut namespace.outlook;
            shoots.sort_by(|a, b| a.forecast.name.cmp(&b.forecast.name));
            unforeseen.sort_by(|a, b| a.name.cmp(&b.name));
            (name, Arc::new(namespace))
        });
        Published {
            at: self.at,
            until: self.until,
            namespaces: namespaces.collect(),
        }
    }
}

/// Returns the estimated memory in bytes.
fn bytes(forecast: &Result<&crate::forecast::ShootForecast, &UnknownForecast>) -> u64 {
    let bytes = match forecast {
        Ok(shoot) => shoot.memory(),
        Err(shoot) => {
            let strings = [&shoot.namespace, &shoot.name, &shoot.why];
            let strings = strings.into_iter().map(String::len).sum::<usize>();
            size_of::<UnknownForecast>() + strings + shoot.owner.memory()
        }
    };
    bytes as u64
}

impl NamespaceForecast {
    fn empty((at, until): (Timestamp, Timestamp)) -> Self {
        Self {
            outlook: Outlook {
                at,
                until,
                shoots: Vec::new(),
                unforeseen: Vec::new(),
            },
            bytes: 0,
        }
    }

    fn row(&self, namespace: &str) -> PublishedProject {
        let outlook = &self.outlook;
        let owners = outlook.shoots.iter().map(|shoot| &shoot.owner);
        let mut owners = owners.chain(outlook.unforeseen.iter().map(|shoot| &shoot.owner));
        let forced = outlook
            .events()
            .filter(|(.., it)| it.class == Class::Forced);
        PublishedProject {
            project: owners
                .next()
                .map(|it| it.project.clone())
                .unwrap_or_default(),
            namespace: namespace.to_owned(),
            shoots: outlook.shoots.len() + outlook.unforeseen.len(),
            next_forced: forced.map(|(_, window, _)| window.earliest).min(),
            blocked: outlook.counts().blocked,
        }
    }
}

impl Published {
    /// Returns the forecast of a namespace, which is empty if the namespace has no Shoots.
    pub(in crate::server) fn namespace(&self, namespace: &str) -> Arc<NamespaceForecast> {
        let found = self.namespaces.get(namespace).cloned();
        found.unwrap_or_else(|| Arc::new(NamespaceForecast::empty((self.at, self.until))))
    }

    /// Returns the number of namespaces with Shoots.
    pub(in crate::server) fn count(&self) -> usize {
        self.namespaces.len()
    }

    /// Returns a row for each namespace with Shoots.
    pub(in crate::server) fn rows(&self) -> Vec<PublishedProject> {
        let namespaces = self.namespaces.iter();
        namespaces
            .map(|(name, namespace)| namespace.row(name))
            .collect()
    }
}
