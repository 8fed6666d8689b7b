use std::any::Any;
use std::collections::BTreeSet;

use super::finding::RuleHeader;
use super::{
    Change, Context, EntryPoint, Finding, FindingKind, Findings, Kind, Operation, Phase, Reading,
    Reads, Silence,
};
use crate::config::{Config, Level, Levels};

/// A family of offences that share one purpose and one level; one file, one id.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The id, for example `shoot/toleration-not-whitelisted`; the same in configuration, metrics and documentation.
    pub id: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// The rule's page in Markdown.
    pub documentation: &'static str,
    /// When in the life of a request Gardener decides this.
    pub phase: Phase,
    /// What the rule looks at.
    pub scopes: &'static [Scope],
    /// What the rule asks for besides the request: readiness and the rights that are needed follow from it.
    pub reads: &'static [Reads],
    /// Which requests the rule has a say in.
    pub only_if: OnlyIf,
    /// CEL expressions, one of which is true of each UPDATE that the rule acts on behind `/mutate` although neither spec nor annotations
    /// change. `None` if that is not declared: then API servers ask about every UPDATE of these kinds.
    pub acts_on_unchanged: Option<&'static [&'static str]>,
    /// The level in each profile.
    pub levels: Levels,
    /// The offences the rule can report; none if it only ever changes objects.
    pub findings: &'static [&'static FindingKind],
    /// The one door at which the rule runs: `review`, if an API server has decided the same before it asks a server; `audit`, if it is about
    /// what no write brings about. `None` for all.
    pub door: Option<EntryPoint>,
    /// What the rule does to objects, if it refuses nothing.
    pub effect: Option<&'static str>,
    /// The code.
    pub check: Check,
    /// The file that declares the rule, from the root of the repository.
    pub file: &'static str,
}

/// Requests that a rule looks at: one kind, some operations, some subresources.
#[derive(Debug)]
pub struct Scope {
    /// The kind of the object.
    pub kind: Kind,
    /// The operations.
    pub operations: &'static [Operation],
    /// The parts of the object that are written.
    pub subresources: &'static [Subresource],
}

/// A part of an object that has an address of its own.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Subresource {
    /// The object itself.
    Itself,
    /// Where a Shoot's control plane lives.
    Binding,
    /// What controllers report.
    Status,
}

impl Subresource {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Itself, Self::Binding, Self::Status];

    /// What a request names so; `None` for one that no rule looks at.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "" => Some(Self::Itself),
            "binding" => Some(Self::Binding),
            "status" => Some(Self::Status),
            _ => None,
        }
    }

    /// As requests and `rules` of webhooks name it; empty for the object itself.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Subresource::Itself => "",
            Subresource::Binding => "binding",
            Subresource::Status => "status",
        }
    }
}

/// A rule's code. Rules are synchronous and see nothing but the [`Context`] and the objects of the request, which `rule!` gives
/// them as what they are.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Judges the object as it was written, before it is decoded: the request's text.
    Written(fn(&Context<'_>, &mut Findings)),
    /// Judges a new object as it was sent, before anything of it is changed; also behind `/mutate`.
    Received(JudgeCode),
    /// Changes the new object, given the stored one.
    Mutate(MutateCode),
    /// Fills in fields from the garden that a manifest may lack; in `review` and `audit` also fields of the stored object.
    Fill(MutateCode),
    /// Judges the new object as it is between two rules that change it, given the stored one; changes nothing.
    Between(MutateCode),
    /// Judges the object as it will be, and its removal.
    Judge(JudgeCode),
    /// None of its own: who looks ahead finds it, and tells with [`Rule::find`].
    Told,
    /// Judges how the object silences warnings, once all others have spoken; not run for one that silences none.
    Silences(SilencesCode),
}

/// Code that judges objects of any type.
pub type JudgeCode = fn(&Context<'_>, Change<'_, dyn Any>, &mut Findings);
/// Code that judges silences, in the order of the ids of findings.
pub type SilencesCode = fn(&Context<'_>, &[Silence<'_>], &mut Findings);
/// Code that changes objects of any type.
pub type MutateCode = fn(&Context<'_>, &mut dyn Any, Option<&dyn Any>, &mut Findings);

impl Check {
    /// Whether the rule runs behind `/mutate`: it changes objects, or judges them before they are changed, or meanwhile.
    #[must_use]
    pub const fn mutates(&self) -> bool {
        match self {
            Check::Received(_) | Check::Mutate(_) | Check::Fill(_) | Check::Between(_) => true,
            Check::Written(_) | Check::Judge(_) | Check::Told | Check::Silences(_) => false,
        }
    }
}

/// Which of the requests in its scopes a rule that judges has a say in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OnlyIf {
    /// All.
    Always,
    /// Not updates that change nothing, which Gardener lets through whatever they hold: of a Shoot, neither spec nor metadata; of a
    /// NamespacedCloudProfile, neither, or not the spec while it is being deleted.
    ///
    /// Found out, as that is dear, only once the rule has found something or has a question.
    Changed,
}

impl Rule {
    /// Whether the rule runs at a door.
    #[must_use]
    pub fn runs_at(&self, door: EntryPoint) -> bool {
        let is_open = self.door.is_none_or(|only| only == door);
        is_open && (door != EntryPoint::Mutate || self.check.mutates())
    }

    /// Whether a configuration lets the rule report anything.
    #[must_use]
    pub fn is_on(&self, config: &Config) -> bool {
        if !config.sets_levels() {
            return config.of_profile(self.levels) != Level::Off;
        }
        let is_on = |finding| config.level(self.id, finding, self.levels) != Level::Off;
        if self.findings.is_empty() {
            return is_on(self.id);
        }
        self.findings.iter().any(|finding| is_on(finding.id))
    }

    /// The highest level of what the rule can report.
    #[must_use]
    pub fn level(&self, config: &Config) -> Level {
        self.header().level(config)
    }

    pub(super) fn header(&self) -> RuleHeader {
        RuleHeader {
            id: self.id,
            phase: self.phase,
            levels: self.levels,
            findings: self.findings,
        }
    }

    /// What `check` finds in the name of the rule, with its levels: for a rule that has no code of its own.
    pub fn find(&'static self, config: &Config, check: impl FnOnce(&mut Findings)) -> Vec<Finding> {
        let mut findings = Findings::new(self.header());
        check(&mut findings);
        findings.into_parts(config).found
    }

    /// Whether the rule can report a finding of this id.
    #[must_use]
    pub fn reports(&self, finding: &str) -> bool {
        self.findings.iter().any(|kind| kind.id == finding)
    }

    /// The kinds in its scopes.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.scopes.iter().map(|scope| scope.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Whether the rule looks at such requests.
    #[must_use]
    pub fn applies_to(&self, kind: Kind, operation: Operation, subresource: Subresource) -> bool {
        self.scopes.iter().any(|scope| {
            scope.kind == kind
                && scope.operations.contains(&operation)
                && scope.subresources.contains(&subresource)
        })
    }
}

impl Rule {
    /// Whether the rule may ask for something, as things are configured.
    #[must_use]
    pub fn reads(&self, what: Reading, config: &Config) -> bool {
        Reads::declare(self.reads, what, config)
    }
}

/// Whether any of `rules` that are on and run in a server asks for something: then it has to be there before they can judge.
#[must_use]
pub fn is_read(what: Reading, rules: &[&'static Rule], config: &Config) -> bool {
    let mut reading = rules.iter().filter(|rule| rule.reads(what, config));
    reading.any(|rule| rule.runs_at(EntryPoint::Validate) && rule.is_on(config))
}

/// The kinds of which one needs the objects to judge such requests at a door, about whatever subresource: what rules that are on look up.
#[must_use]
pub fn kinds_read(
    rules: &[&'static Rule],
    (door, config): (EntryPoint, &Config),
    requests: &BTreeSet<(Kind, Operation)>,
) -> BTreeSet<Kind> {
    let judges = |rule: &Rule| {
        let mut requests = requests.iter();
        requests.any(|(kind, operation)| {
            let scopes = rule.scopes.iter().filter(|scope| scope.kind == *kind);
            let mut operations = scopes.flat_map(|scope| scope.operations);
            operations.any(|it| it == operation)
        })
    };
    let rules = rules.iter().filter(|rule| judges(rule));
    let rules = rules.filter(|rule| rule.runs_at(door) && rule.is_on(config));
    let rules: Vec<_> = rules.collect();
    let kinds = Kind::ALL.iter().copied();
    let is_read = |kind: &Kind| {
        let mut rules = rules.iter();
        rules.any(|rule| rule.reads(Reading::Objects(*kind), config))
    };
    kinds.filter(is_read).collect()
}

/// Declares a rule as `RULE`, with the offences that it reports; its doc comment is the page that
/// `garden-gate rules <id>` prints and `docs/rules/` shows.
///
/// - `level` is said once, or for each profile where they differ.
/// - `door: Review` is for what an API server has decided before it asks a server, `door: Audit` for what no write brings about.
/// - A scope without subresources is about the object itself.
/// - `reads` lists the kinds that the check looks up in the garden, `Verbs` if it asks what the requester may do, and `Names` if it
///   asks whether objects are there that the request names. What it asks for only with a feature gate has `if gate`. Without `reads`, it asks for nothing.
/// - `only_if: Changed` leaves out updates that change nothing.
/// - `acts_on_unchanged` lists CEL expressions, one of which is true of each UPDATE that a rule behind `/mutate` acts on although neither spec
///   nor annotations change; an empty list if there is none. `object.spec` is a map, and the expressions cannot fail.
/// - `check` is `Judge(check)`, or `Mutate(mutate)` for a rule that changes objects, `Fill(mutate)` for one that fills in from the garden
///   fields that a manifest may leave out, or `Received(check)` for one that judges them before,
///   `Between(check)` for one that does so among them; `Silences(check)` is for the one that judges silences. `Told` has no code.
/// - `findings` declares offences, `NAME = "id": "what it says"`, or lists by `NAME` those that rules share. A rule that
///   refuses nothing says its `effect` instead, and answers to its own id.
macro_rules! rule {
    (
        $(#[doc = $doc:literal])*
        id: $id:literal,
        summary: $summary:literal,
        phase: $phase:ident,
        level: $level:tt,
        $(door: $door:ident,)?
        scopes: [$($kind:ident [$($operation:ident),+] $([$($subresource:ident),+])?);+ $(;)?],
        $(reads: [$($read:ident $(if $gate:ident)?),+ $(,)?],)?
        $(only_if: $only_if:ident,)?
        $(acts_on_unchanged: [$($cel:expr),* $(,)?],)?
        $(findings: { $($visibility:vis $finding:ident $(= $finding_id:literal: $says:literal)?),* $(,)? },)?
        $(effect: $effect:literal,)?
        check: $check:ident $(($code:expr))? $(,)?
    ) => {
        $($($(
            $visibility static $finding: $crate::engine::FindingKind =
                $crate::engine::FindingKind { id: $finding_id, summary: $says };
        )?)*)?

        $(#[doc = $doc])*
        pub(crate) static RULE: $crate::engine::Rule = $crate::engine::Rule {
            id: $id,
            summary: $summary,
            documentation: concat!($($doc, "\n"),*),
            phase: $crate::engine::Phase::$phase,
            scopes: &[$($crate::engine::Scope {
                kind: $crate::engine::Kind::$kind,
                operations: &[$($crate::engine::Operation::$operation),+],
                subresources: $crate::engine::rule!(@subresources $($($subresource)+)?),
            }),+],
            reads: &[$($($crate::engine::rule!(@reads $read $($gate)?)),+)?],
            only_if: $crate::engine::rule!(@only_if $($only_if)?),
            acts_on_unchanged: $crate::engine::rule!(@acts_on_unchanged $([$($cel),*])?),
            levels: $crate::engine::rule!(@levels $level),
            findings: &[
                $($(&$finding),*)?
                $(&$crate::engine::FindingKind { id: $id, summary: $effect })?
            ],
            door: $crate::engine::rule!(@door $($door)?),
            effect: $crate::engine::rule!(@effect $($effect)?),
            check: $crate::engine::rule!(@check $check $($code)?),
            file: file!(),
        };
    };
    (@effect) => { None };
    (@effect $effect:literal) => { Some($effect) };
    (@door) => { None };
    (@door $door:ident) => { Some($crate::engine::EntryPoint::$door) };
    (@subresources) => { &[$crate::engine::Subresource::Itself] };
    (@subresources $($subresource:ident)+) => { &[$($crate::engine::Subresource::$subresource),+] };
    (@reads $read:ident) => {
        $crate::engine::Reads { what: $crate::engine::rule!(@reading $read), gate: None }
    };
    (@reads $read:ident $gate:ident) => {
        $crate::engine::Reads {
            what: $crate::engine::rule!(@reading $read),
            gate: Some(|gates| gates.$gate),
        }
    };
    (@reading Verbs) => { $crate::engine::Reading::Verbs };
    (@reading Names) => { $crate::engine::Reading::Names };
    (@reading $kind:ident) => { $crate::engine::Reading::Objects($crate::engine::Kind::$kind) };
    (@acts_on_unchanged) => { None };
    (@acts_on_unchanged [$($cel:expr),*]) => { Some(&[$($cel),*]) };
    (@only_if) => { $crate::engine::OnlyIf::Always };
    (@only_if $only_if:ident) => { $crate::engine::OnlyIf::$only_if };
    (@check Told) => { $crate::engine::Check::Told };
    (@check Written $code:expr) => { $crate::engine::Check::Written($code) };
    (@check Silences $code:expr) => { $crate::engine::Check::Silences($code) };
    (@check Mutate $code:expr) => { $crate::engine::rule!(@mutate Mutate $code) };
    (@check Fill $code:expr) => { $crate::engine::rule!(@mutate Fill $code) };
    (@mutate $check:ident $code:expr) => {
        $crate::engine::Check::$check(|context, new, old, findings| {
            if let Some(new) = new.downcast_mut() {
                $code(context, new, old.and_then(|old| old.downcast_ref()), findings);
            }
        })
    };
    (@check Between $code:expr) => {
        $crate::engine::Check::Between(|context, new, old, findings| {
            if let Some(new) = new.downcast_ref() {
                $code(context, new, old.and_then(|old| old.downcast_ref()), findings);
            }
        })
    };
    (@check $check:ident $code:expr) => {
        $crate::engine::Check::$check(|context, change, findings| {
            $code(context, change.typed(), findings);
        })
    };
    (@levels { documented: $documented:ident, gardener: $gardener:ident }) => {
        $crate::config::Levels {
            documented: $crate::config::Level::$documented,
            gardener: $crate::config::Level::$gardener,
        }
    };
    (@levels $level:ident) => {
        $crate::engine::rule!(@levels { documented: $level, gardener: $level })
    };
}
pub(crate) use rule;

/// Declares offences that several rules report, as `rule!` declares those of one.
macro_rules! finding_kinds {
    ($($(#[doc = $doc:literal])* $visibility:vis $finding:ident = $id:literal: $says:literal),* $(,)?) => {
        $(
            $(#[doc = $doc])*
            $visibility static $finding: $crate::engine::FindingKind =
                $crate::engine::FindingKind { id: $id, summary: $says };
        )*
    };
}
pub(crate) use finding_kinds;
