// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use super::{
    Applicability, Check, EntryPoint, EntryPoints, Finding, Findings, Kind, Operation, Reading,
    Reads, RuleHeader, Stage, Subresource,
};
use crate::config::{Config, Level};
use garden_gate_model::api::Versions;

/// A group of related violations with a common level; each rule has one file and one id.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The part that its findings need; the rule dereferences to it.
    pub header: RuleHeader,
    /// One line for lists.
    pub summary: &'static str,
    /// The rule's page in Markdown.
    pub documentation: &'static str,
    /// The lookups of the rule, from which readiness and the required permissions are derived.
    pub reads: &'static [Reads],
    /// The condition under which the rule applies.
    pub only_if: OnlyIf,
    /// CEL expressions for UPDATEs that a mutating rule acts on with unchanged spec and annotations.
    ///
    /// One of them is true for each such UPDATE. If `None`, API servers call the webhook for every UPDATE of these
    /// kinds.
    pub acts_on_unchanged: Option<&'static [&'static str]>,
    /// The entry points at which the rule runs.
    pub entry_points: EntryPoints,
    /// The best fix that any finding of the rule has.
    pub fixes: Option<Applicability>,
    /// The change that the rule makes to objects, if it denies nothing.
    pub effect: Option<&'static str>,
    /// The stage at which it runs.
    pub stage: Stage,
    /// The code.
    pub check: Check,
    /// The versions of Gardener that have the rule.
    pub versions: Versions,
    /// The file that declares the rule, from the root of the repository.
    pub file: &'static str,
}

/// The condition under which a validating rule applies to the requests in its scopes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OnlyIf {
    /// Applies to all requests.
    Always,
    /// Skips updates without changes, which Gardener always accepts.
    ///
    /// Changes of spec and metadata count; for a NamespacedCloudProfile in deletion, only those of the spec.
    /// The comparison is expensive, and is performed only if the rule has findings or questions.
    Changed,
}

impl Deref for Rule {
    type Target = RuleHeader;

    fn deref(&self) -> &RuleHeader {
        &self.header
    }
}

impl Rule {
    /// Reports whether the rule runs at an entry point with this configuration.
    pub fn runs_at(&self, entry_point: EntryPoint, config: &Config) -> bool {
        self.entry_points.contains(entry_point, config.admission)
            && (entry_point != EntryPoint::Mutate || self.mutates())
    }

    /// Reports whether the rule runs at `/mutate`: during mutation or before.
    pub const fn mutates(&self) -> bool {
        matches!(self.stage, Stage::Received | Stage::Mutate | Stage::Fill | Stage::Between)
    }

    /// Reports whether the configuration enables any finding of the rule.
    pub fn is_on(&self, config: &Config) -> bool {
        if !self.versions.contains(config.gardener_version) {
            return false;
        }
        if !config.sets_levels() {
            return config.of_profile(self.levels) != Level::Off;
        }
        let is_on = |finding| config.level(self.id, finding, self.levels) != Level::Off;
        if self.findings.is_empty() {
            return is_on(self.id);
        }
        self.findings.iter().any(|finding| is_on(finding.id))
    }

    /// Returns the findings of `check` with the rule's id and levels, for a rule without an implementation.
    pub fn find(&'static self, config: &Config, check: impl FnOnce(&mut Findings)) -> Vec<Finding> {
        let mut findings = Findings::new(self.header);
        check(&mut findings);
        findings.into_parts(config).found
    }

    /// Reports whether the rule may perform a lookup with this configuration.
    pub fn reads(&self, what: Reading, config: &Config) -> bool {
        Reads::declare(self.reads, what, config)
    }

    /// Reports whether the rule needs the result of a lookup on a server.
    fn needs(&self, what: Reading, config: &Config) -> bool {
        let mut same = self.reads.iter().filter(|it| it.what == what);
        same.any(|it| !it.is_offline) && self.reads(what, config)
    }
}

/// A kind of request to a server.
type Served = (EntryPoint, Kind, Operation, Subresource);

/// Rules, and perhaps those for each kind of request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules<'a> {
    /// All rules, including those that do not apply.
    pub all: &'a [&'static Rule],
    lists: Option<&'a RuleLists>,
}

/// The rules that apply to each kind of request to a server, with one configuration.
#[derive(Debug)]
pub struct RuleLists(BTreeMap<Served, Vec<&'static Rule>>);

impl RuleLists {
    /// Selects from `rules`.
    pub fn of(rules: &[&'static Rule], config: &Config) -> Self {
        let mut lists: BTreeMap<Served, Vec<&'static Rule>> = BTreeMap::new();
        for entry_point in [EntryPoint::Mutate, EntryPoint::Validate] {
            let served = |rule: &&&Rule| rule.runs_at(entry_point, config) && rule.is_on(config);
            for rule in rules.iter().filter(served) {
                let mut requests = BTreeSet::new();
                for scope in rule.scopes {
                    for operation in scope.operations {
                        let request = |it: &Subresource| (entry_point, scope.kind, *operation, *it);
                        requests.extend(scope.subresources.iter().map(request));
                    }
                }
                for request in requests {
                    lists.entry(request).or_default().push(rule);
                }
            }
        }
        Self(lists)
    }
}

impl<'a> Rules<'a> {
    /// Returns rules for a server, whose configuration is that of the lists.
    pub fn of_server(all: &'a [&'static Rule], lists: &'a RuleLists) -> Self {
        Self { all, lists: Some(lists) }
    }

    /// Returns the rules for a kind of request.
    pub(super) fn applicable(self, served: Served, config: &Config) -> Cow<'a, [&'static Rule]> {
        let (entry_point, kind, operation, subresource) = served;
        let is_served = matches!(entry_point, EntryPoint::Mutate | EntryPoint::Validate);
        if let Some(lists) = self.lists.filter(|_| is_served) {
            return Cow::Borrowed(lists.0.get(&served).map_or(&[], Vec::as_slice));
        }
        let applies = |rule: &&Rule| {
            rule.applies_to(kind, operation, subresource)
                && rule.runs_at(entry_point, config)
                && rule.is_on(config)
        };
        self.all.iter().copied().filter(applies).collect()
    }
}

impl<'a, T: AsRef<[&'static Rule]> + ?Sized> From<&'a T> for Rules<'a> {
    fn from(rules: &'a T) -> Self {
        Self { all: rules.as_ref(), lists: None }
    }
}

/// Reports whether any enabled server rule performs a lookup, so that readiness requires its data.
pub fn is_read(what: Reading, rules: &[&'static Rule], config: &Config) -> bool {
    let mut reading = rules.iter().filter(|rule| rule.needs(what, config));
    reading.any(|rule| rule.runs_at(EntryPoint::Validate, config) && rule.is_on(config))
}

/// Returns the kinds of objects that enabled rules look up for such requests, for any subresource.
pub fn kinds_read(
    rules: &[&'static Rule],
    entry_point: EntryPoint,
    config: &Config,
    requests: &BTreeSet<(Kind, Operation)>,
) -> BTreeSet<Kind> {
    let judges = |rule: &Rule| {
        requests.iter().any(|(kind, operation)| {
            let scopes = rule.scopes.iter().filter(|scope| scope.kind == *kind);
            let mut operations = scopes.flat_map(|scope| scope.operations);
            operations.any(|it| it == operation)
        })
    };
    let rules: Vec<_> = rules
        .iter()
        .filter(|rule| judges(rule))
        .filter(|rule| rule.runs_at(entry_point, config) && rule.is_on(config))
        .collect();
    let kinds = Kind::ALL.iter().copied();
    let is_read =
        |kind: &Kind| rules.iter().any(|rule| rule.reads(Reading::Objects(*kind), config));
    kinds.filter(is_read).collect()
}

/// Declares a rule as `RULE`, with its findings.
///
/// The keys are in this order:
///
/// - `page` is the Markdown that `garden-gate rules <id>` prints and `docs/rules/` shows, in a file next to the rule.
/// - `id`, `summary` and `phase`: see [`Rule`] and [`RuleHeader`].
/// - `level` is one level, or one for each profile if they differ. Without an own one, `hardened` has that of `documented`.
/// - `since` and `until` (optional) are the first and the last minor version of Gardener 1 that has the rule.
/// - `entry_point` (optional): see [`EntryPoints`].
/// - `scopes`: a scope without subresources applies to the object itself.
/// - `reads` (optional) lists the kinds that the check looks up in the garden. It has `Verbs` for permissions of the
///   requesting user, and `Names` for the existence of referenced objects. Lookups that depend on a feature gate have
///   `if gate`.
/// - `reads_offline` (optional) lists those that only `review` and `audit` look up; servers judge without them.
/// - `only_if` (optional): `Changed` skips updates without changes.
/// - `acts_on_unchanged` (optional) lists CEL expressions for UPDATEs that a mutating rule acts on although neither spec nor
///   annotations change. One of them is true for each such UPDATE; the list is empty if there are none. `object.spec`
///   is a map, and the expressions cannot fail.
/// - `findings` (optional) declares findings, `NAME = "id": "message"`, followed by `since 148` or `until 141` if only some
///   versions of Gardener report them, or lists shared ones by `NAME`.
/// - `effect` (optional) replaces `findings` for a rule that denies nothing, which is configured by its own id.
/// - `fixes` (optional) is the best fix that any finding has: `Safe` or `Suggestion`.
/// - `check` is `Judge(check)` for validation, `Mutate(mutate)` for mutation, and `Fill(mutate)` for fields that a
///   manifest may omit. `Received(check)` validates before mutation, and `Between(check)` between mutating rules.
///   `Silences(check)` evaluates silences. `External` has no implementation.
macro_rules! rule {
    (
        page: $page:expr,
        id: $id:literal,
        summary: $summary:literal,
        phase: $phase:ident,
        level: $level:tt,
        $(since: $since:literal,)?
        $(until: $until:literal,)?
        $(entry_point: $entry_point:ident,)?
        scopes: [$($kind:ident [$($operation:ident),+] $([$($subresource:ident),+])?);+ $(;)?],
        $(reads: [$($read:ident $(if $gate:ident)?),+ $(,)?],)?
        $(reads_offline: [$($offline:ident),+ $(,)?],)?
        $(only_if: $only_if:ident,)?
        $(acts_on_unchanged: [$($cel:expr),* $(,)?],)?
        $(findings: { $($visibility:vis $finding:ident $(= $finding_id:literal: $says:literal
            $(since $finding_since:literal)? $(until $finding_until:literal)?)?),* $(,)? },)?
        $(effect: $effect:literal,)?
        $(fixes: $fixes:ident,)?
        check: $check:ident $(($code:expr))? $(,)?
    ) => {
        $($($(
            #[doc = $says]
            $visibility static $finding: $crate::admission::FindingKind =
                $crate::admission::FindingKind {
                    id: $finding_id,
                    summary: $says,
                    versions: $crate::admission::Versions::ALL
                        $(.and_since($finding_since))? $(.and_until($finding_until))?,
                };
        )?)*)?

        pub(crate) static RULE: $crate::admission::Rule = $crate::admission::Rule {
            header: $crate::admission::RuleHeader {
                id: $id,
                phase: $crate::admission::Phase::$phase,
                levels: $crate::admission::rule!(@levels $level),
                findings: &[
                    $($(&$finding),*)?
                    $(&$crate::admission::FindingKind {
                        id: $id,
                        summary: $effect,
                        versions: $crate::admission::Versions::ALL,
                    })?
                ],
                scopes: &[$($crate::admission::Scope {
                    kind: $crate::admission::Kind::$kind,
                    operations: &[$($crate::admission::Operation::$operation),+],
                    subresources: $crate::admission::rule!(@subresources $($($subresource)+)?),
                }),+],
            },
            summary: $summary,
            documentation: $page,
            reads: &[
                $($($crate::admission::rule!(@reads $read $($gate)?),)+)?
                $($($crate::admission::rule!(@offline $offline),)+)?
            ],
            only_if: $crate::admission::rule!(@only_if $($only_if)?),
            acts_on_unchanged: $crate::admission::rule!(@acts_on_unchanged $([$($cel),*])?),
            entry_points: $crate::admission::rule!(@entry_points $($entry_point)?),
            fixes: $crate::admission::rule!(@fixes $($fixes)?),
            effect: $crate::admission::rule!(@effect $($effect)?),
            stage: $crate::admission::Stage::$check,
            check: $crate::admission::check!([$($kind)+] $check $($code)?),
            versions: $crate::admission::Versions::ALL $(.and_since($since))? $(.and_until($until))?,
            file: file!(),
        };
    };
    (@fixes) => { None };
    (@fixes $fixes:ident) => { Some($crate::admission::Applicability::$fixes) };
    (@effect) => { None };
    (@effect $effect:literal) => { Some($effect) };
    (@entry_points) => { $crate::admission::EntryPoints::All };
    (@entry_points $entry_points:ident) => { $crate::admission::EntryPoints::$entry_points };
    (@subresources) => { &[$crate::admission::Subresource::Itself] };
    (@subresources $($subresource:ident)+) => { &[$($crate::admission::Subresource::$subresource),+] };
    (@reads $read:ident) => {
        $crate::admission::Reads {
            what: $crate::admission::rule!(@reading $read),
            gate: None,
            is_offline: false,
        }
    };
    (@reads $read:ident $gate:ident) => {
        $crate::admission::Reads {
            what: $crate::admission::rule!(@reading $read),
            gate: Some(|gates| gates.$gate),
            is_offline: false,
        }
    };
    (@offline $read:ident) => {
        $crate::admission::Reads {
            what: $crate::admission::rule!(@reading $read),
            gate: None,
            is_offline: true,
        }
    };
    (@reading Verbs) => { $crate::admission::Reading::Verbs };
    (@reading Names) => { $crate::admission::Reading::Names };
    (@reading $kind:ident) => { $crate::admission::Reading::Objects($crate::admission::Kind::$kind) };
    (@acts_on_unchanged) => { None };
    (@acts_on_unchanged [$($cel:expr),*]) => { Some(&[$($cel),*]) };
    (@only_if) => { $crate::admission::OnlyIf::Always };
    (@only_if $only_if:ident) => { $crate::admission::OnlyIf::$only_if };
    (@levels { documented: $documented:ident, gardener: $gardener:ident, hardened: $hardened:ident }) => {
        $crate::config::Levels {
            documented: $crate::config::Level::$documented,
            gardener: $crate::config::Level::$gardener,
            hardened: $crate::config::Level::$hardened,
        }
    };
    (@levels { documented: $documented:ident, gardener: $gardener:ident }) => {
        $crate::admission::rule!(@levels {
            documented: $documented, gardener: $gardener, hardened: $documented
        })
    };
    (@levels $level:ident) => {
        $crate::admission::rule!(@levels { documented: $level, gardener: $level })
    };
}
pub(crate) use rule;

/// Declares findings that several rules report, in the syntax of `rule!`.
macro_rules! finding_kinds {
    ($($(#[doc = $doc:literal])* $visibility:vis $finding:ident = $id:literal: $says:literal
        $(since $since:literal)? $(until $until:literal)?),* $(,)?) => {
        $(
            $(#[doc = $doc])*
            $visibility static $finding: $crate::admission::FindingKind =
                $crate::admission::FindingKind {
                    id: $id,
                    summary: $says,
                    versions: $crate::admission::Versions::ALL
                        $(.and_since($since))? $(.and_until($until))?,
                };
        )*
    };
}
pub(crate) use finding_kinds;
