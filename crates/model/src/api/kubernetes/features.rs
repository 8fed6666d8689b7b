//! Feature gates, admission plugins and API versions of Kubernetes by version.
//!
//! The tables are text files, one line each; docs/development/adding-a-rule.md describes how to update them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::api::{GardenerVersion, Versions};
use garden_gate_text::go::{Version, is_at_least, is_before};

/// The entry of a table for a name.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Offered {
    from: Option<Minor>,
    until: Option<Minor>,
    words: Vec<&'static str>,
}

/// A minor version of Kubernetes.
type Minor = (u64, u64);

/// The lines of a table by name.
pub type Table = BTreeMap<&'static str, Offered>;

/// Feature gates of all components.
static FEATURE_GATES: LazyLock<Table> = LazyLock::new(|| read(include_str!("feature-gates.txt")));
/// Admission plugins.
static ADMISSION_PLUGINS: LazyLock<Table> =
    LazyLock::new(|| read(include_str!("admission-plugins.txt")));
/// API versions, as `apps/v1`, and resources in them, as `apps/v1/deployments`.
static APIS: LazyLock<Table> = LazyLock::new(|| read(include_str!("apis.txt")));
/// The feature gates of the vertical pod autoscaler that Gardener deploys, whatever the version of Kubernetes.
const AUTOSCALER_GATES: [(&str, Versions); 4] = [
    ("CPUStartupBoost", Versions::since(145)),
    ("InPlace", Versions::since(145)),
    ("InPlaceOrRecreate", Versions::until(144)),
    ("PerVPAConfig", Versions::since(140)),
];

/// The tables by which a version of Gardener judges.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Feature gates of all components.
    pub feature_gates: &'static Table,
    /// Admission plugins.
    pub admission_plugins: &'static Table,
    /// API versions and resources.
    pub apis: &'static Table,
}

impl Tables {
    /// Returns the tables of a version of Gardener.
    pub fn of(gardener: GardenerVersion) -> Self {
        if KNOWS_1_36.contains(gardener) {
            return Self {
                feature_gates: &FEATURE_GATES,
                admission_plugins: &ADMISSION_PLUGINS,
                apis: &APIS,
            };
        }
        let [feature_gates, admission_plugins, apis] = &*BEFORE_1_36;
        Self { feature_gates, admission_plugins, apis }
    }
}

/// The versions of Gardener that know Kubernetes 1.36. Earlier ones have no entry of the tables about it.
const KNOWS_1_36: Versions = Versions::since(145);

static BEFORE_1_36: LazyLock<[Table; 3]> = LazyLock::new(|| {
    [&FEATURE_GATES, &ADMISSION_PLUGINS, &APIS].map(|table| {
        let entries = table.iter().filter_map(|(name, it)| Some((*name, it.before((1, 36))?)));
        entries.collect()
    })
});

/// Returns the feature gates of the vertical pod autoscaler in a version of Gardener.
pub fn autoscaler_gates(gardener: GardenerVersion) -> Vec<&'static str> {
    let gates = AUTOSCALER_GATES.iter().filter(|(_, versions)| versions.contains(gardener));
    gates.map(|(name, _)| *name).collect()
}

impl Offered {
    /// Reports whether a version of Kubernetes has it.
    ///
    /// A version that cannot be parsed has only entries that were neither added nor removed.
    pub fn is_in(&self, version: &str) -> bool {
        let begun = |(major, minor)| is_at_least(version, major, minor);
        let lasts = |(major, minor)| is_before(version, major, minor);
        self.from.is_none_or(begun) && self.until.is_none_or(lasts)
    }

    /// Returns the entry without changes from a version of Kubernetes on, unless it has been there only since then.
    fn before(&self, newest: Minor) -> Option<Self> {
        if self.from.is_some_and(|from| from >= newest) {
            return None;
        }
        let until = self.until.filter(|until| *until < newest);
        let words = match self.words[..] {
            [_, since] if minor(since).is_some_and(|since| since >= newest) => Vec::new(),
            _ => self.words.clone(),
        };
        Some(Self { from: self.from, until, words })
    }

    /// Reports whether the entry has a certain word.
    pub fn is(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Returns the value that a feature gate is locked to in a version of Kubernetes, if it is locked.
    pub fn locked(&self, version: &str) -> Option<bool> {
        let [locked, since] = self.words[..] else {
            return None;
        };
        let (major, minor) = minor(since)?;
        is_at_least(version, major, minor).then_some(locked == "locked-true")
    }

    /// Describes the versions that have it, for messages.
    pub fn versions(&self) -> String {
        let name = |(major, minor): Minor| format!("`{major}.{minor}`");
        match (self.from, self.until) {
            (Some(from), Some(until)) => {
                format!("from {} on, and no more in {}", name(from), name(until))
            }
            (Some(from), None) => format!("from {} on", name(from)),
            (None, Some(until)) => format!("before {}", name(until)),
            (None, None) => "in every version".to_owned(),
        }
    }
}

/// Returns the minor version of Kubernetes after that of a version; `None` if it cannot be parsed.
pub fn next_minor(version: &str) -> Option<String> {
    let version = Version::parse(version).ok()?;
    Some(format!("{}.{}", version.major, version.minor.checked_add(1)?))
}

fn read(text: &'static str) -> Table {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(line).collect()
}

fn line(line: &'static str) -> Option<(&'static str, Offered)> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let [from, until] = [words.next()?, words.next()?].map(minor);
    let words = words.collect();
    Some((name, Offered { from, until, words }))
}

fn minor(text: &str) -> Option<Minor> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_understood() {
        let known = ["required", "required-workerless", "configurable", "kubeconfig"];
        for (table, text) in [
            (&*FEATURE_GATES, include_str!("feature-gates.txt")),
            (&*ADMISSION_PLUGINS, include_str!("admission-plugins.txt")),
            (&*APIS, include_str!("apis.txt")),
        ] {
            let lines: Vec<&str> = text.lines().filter(|it| !it.starts_with('#')).collect();
            assert_eq!(table.len(), lines.len());
            assert!(lines.is_sorted());
            for line in lines {
                let words: Vec<&str> = line.split(' ').collect();
                let is_version = |word: &str| word == "-" || minor(word).is_some();
                assert!(words[1..3].iter().all(|it| is_version(it)), "{line}");
                let rest = &words[3..];
                let is_locked = matches!(rest, ["locked-true" | "locked-false", since] if minor(since).is_some());
                assert!(is_locked || rest.iter().all(|it| known.contains(it)), "{line}");
            }
        }
    }

    #[test]
    fn tables_before_gardener_1_145_lack_kubernetes_1_36() {
        let [old, new] = [144, 145].map(|it| Tables::of(GardenerVersion::of_minor(it)));
        let plugin = |it: Tables| it.admission_plugins.contains_key("JobValidation");
        assert_eq!([old, new].map(plugin), [false, true]);
        let beta = |it: Tables| it.apis["autoscaling/v2beta2"].is_in("1.36.0");
        assert_eq!([old, new].map(beta), [true, false]);
        let locked = |it: Tables| it.feature_gates["ImageVolume"].locked("1.36.0");
        assert_eq!([old, new].map(locked), [None, Some(true)]);
        let earlier = |it: Tables| it.feature_gates["APIListChunking"].locked("1.36.0");
        assert_eq!([old, new].map(earlier), [Some(true); 2]);
    }

    #[test]
    fn autoscaler_gates_are_those_of_the_version() {
        let gates = |minor| autoscaler_gates(GardenerVersion::of_minor(minor));
        assert_eq!(gates(139), ["InPlaceOrRecreate"]);
        assert_eq!(gates(144), ["InPlaceOrRecreate", "PerVPAConfig"]);
        assert_eq!(gates(145), ["CPUStartupBoost", "InPlace", "PerVPAConfig"]);
    }

    #[test]
    fn gates_come_go_and_are_locked() {
        let gate = &FEATURE_GATES["StructuredAuthorizationConfiguration"];
        let versions = ["1.28.9", "1.29.0-rc.1", "1.35.9", "1.36.0", "?"];
        assert_eq!(versions.map(|it| gate.is_in(it)), [false, true, true, false, false]);
        assert_eq!(["1.31.9", "1.32.0"].map(|it| gate.locked(it)), [None, Some(true)]);
        assert_eq!(gate.versions(), "from `1.29` on, and no more in `1.36`");
        assert!(FEATURE_GATES["AllAlpha"].is_in("1.34.1"));
        let next =
            ["1.34.2", "1.35.0-rc.1", "1.9", "?"].map(next_minor).map(Option::unwrap_or_default);
        assert_eq!(next, ["1.35", "1.36", "1.10", ""]);
        assert!(gate.is_in("1.35") && !gate.is_in("1.36"));
    }
}
