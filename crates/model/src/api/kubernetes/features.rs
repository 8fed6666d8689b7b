// SPDX-License-Identifier: Apache-2.0
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
/// What Kubernetes 1.37 adds to the tables or replaces in them.
const OF_1_37: &str = include_str!("kubernetes-1.37.txt");
/// The newest version of Kubernetes in the tables of the newest known Gardener, and in all tables.
const NEWEST: [Minor; 2] = [(1, 36), (1, 37)];
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
    /// Returns the tables of a version of Gardener. Those of an unknown newer one end at the newest known Kubernetes.
    pub fn of(gardener: GardenerVersion) -> Self {
        if gardener.is_newer_than_known() {
            return Self::newest();
        }
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

    /// Returns the tables with all known versions of Kubernetes.
    pub fn newest() -> Self {
        let [feature_gates, admission_plugins, apis] = &*WITH_1_37;
        Self { feature_gates, admission_plugins, apis }
    }

    /// Returns the problem that `judge` finds by the tables of a version of Gardener.
    ///
    /// A garden that offers a version of Kubernetes which the newest known Gardener does not know probably runs a newer Gardener.
    ///
    /// # Errors
    /// Fails with the reason if the tables do not decide whether there is a problem in this version of Kubernetes.
    pub fn judge<T>(
        gardener: GardenerVersion,
        version: &str,
        judge: impl Fn(Self) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let [of_gardener, of_all] = NEWEST;
        let is_after = |(major, minor): Minor| is_at_least(version, major, minor + 1);
        let known = judge(Self::of(gardener));
        if gardener < GardenerVersion::NEWEST || !is_after(of_gardener) {
            return Ok(known);
        }
        if is_after(of_all) {
            let (major, minor) = of_all;
            return Err(format!(
                "the newest known Kubernetes is {major}.{minor}; update garden-gate"
            ));
        }
        if known.is_some() == judge(Self::newest()).is_some() {
            return Ok(known);
        }
        let (major, minor) = of_gardener;
        Err(format!(
            "Gardener {gardener} knows Kubernetes up to {major}.{minor}, and a newer one decides otherwise"
        ))
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

static WITH_1_37: LazyLock<[Table; 3]> = LazyLock::new(|| {
    let tables = [
        ("feature-gate", &FEATURE_GATES),
        ("admission-plugin", &ADMISSION_PLUGINS),
        ("api", &APIS),
    ];
    tables.map(|(name, table)| {
        let mut table = Table::clone(table);
        let lines = OF_1_37.lines().filter_map(|it| it.split_once(' '));
        table.extend(lines.filter(|(of, _)| *of == name).filter_map(|(_, it)| line(it)));
        table
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

    /// Returns the minor version of Kubernetes that removes it, if a version is that one or a later one.
    pub fn removed_by(&self, version: &str) -> Option<String> {
        let (major, minor) = self.until?;
        is_at_least(version, major, minor).then(|| format!("{major}.{minor}"))
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
    Some((name, Offered { from, until, words: words.collect() }))
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
    fn every_line_of_kubernetes_1_37_changes_a_table() {
        let [of_gardener, all] =
            [Tables::of(GardenerVersion::NEWEST), Tables::newest()].map(|it| {
                let tables = [it.feature_gates, it.admission_plugins, it.apis];
                tables.map(|it| it.iter().collect::<Vec<_>>())
            });
        let changed = all.iter().zip(&of_gardener).map(|(all, known)| {
            let changed = all.iter().filter(|it| !known.contains(it));
            changed.count()
        });
        let lines: Vec<&str> = OF_1_37.lines().filter(|it| !it.starts_with('#')).collect();
        assert!(lines.is_sorted());
        assert!(lines.iter().all(|it| it.contains(" 1.37")), "{lines:?}");
        assert_eq!(changed.sum::<usize>(), lines.len());
    }

    /// Judges a gate by its existence.
    fn gate(minor: u16, version: &str, gate: &str) -> Result<bool, String> {
        let judged = Tables::judge(GardenerVersion::of_minor(minor), version, |known| {
            let has = known.feature_gates.get(gate).is_some_and(|it| it.is_in(version));
            (!has).then_some(())
        });
        judged.map(|it| it.is_none())
    }

    #[test]
    fn newer_kubernetes_is_only_judged_as_far_as_it_is_known() {
        let (new, gone, never, always) =
            ("KubeProxyIPVS", "SidecarContainers", "Unheard", "APIResponseCompression");
        // A known older Gardener has these tables.
        assert_eq!(
            [new, gone, never, always].map(|it| gate(149, "1.37.0", it)),
            [false, true, false, true].map(Ok)
        );
        let newest = [new, gone, never, always].map(|it| gate(150, "1.37.0", it).ok());
        assert_eq!(newest, [None, None, Some(false), Some(true)]);
        assert_eq!(
            [new, gone, never, always].map(|it| gate(151, "1.37.4", it)),
            [true, false, false, true].map(Ok)
        );
        for version in ["1.38.0", "1.38.0-alpha.1", "2.0.0", "1.18446744073709551615.0"] {
            for minor in [150, 151] {
                let why = gate(minor, version, always).unwrap_err();
                assert!(why.contains("newest known Kubernetes is 1.37"), "{why}");
            }
        }
        // Verdicts about known versions, and about texts that are no versions, do not change.
        for version in ["1.36.9", "1.35", "latest", ""] {
            assert_eq!(gate(150, version, always), Ok(true), "{version}");
            assert_eq!(gate(151, version, never), Ok(false), "{version}");
        }
        let why = gate(150, "1.37.0", new).unwrap_err();
        assert_eq!(
            why,
            "Gardener 1.150 knows Kubernetes up to 1.36, and a newer one decides otherwise"
        );
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
