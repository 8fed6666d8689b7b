use serde::Serialize;

use super::{Change, Context, Findings, Kind, Operation};
use crate::config::{Config, Level, Levels};
use crate::model::{
    CloudProfile, Named, NamespacedCloudProfile, Project, Seed, Shoot, WebhookConfiguration,
    Workload,
};

/// A family of offences that share one purpose and one level; one file, one id.
#[derive(Debug)]
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
    /// The level in each profile.
    pub levels: Levels,
    /// The offences the rule can report; none if it only ever changes objects.
    pub findings: &'static [&'static FindingKind],
    /// The code.
    pub check: Check,
}

/// An offence that a rule can report.
#[derive(Debug)]
pub struct FindingKind {
    /// The stable id.
    pub id: &'static str,
    /// What it says, in one line.
    pub summary: &'static str,
}

/// When in the life of a request Gardener decides something; phases are in that order.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// While the object is changed: refused with 403.
    Mutating,
    /// By validation of the object alone: refused with 422.
    Static,
    /// By admission plugins, which look at other objects too: refused with 403.
    Admission,
}

impl Phase {
    /// The HTTP status code of a refusal.
    #[must_use]
    pub fn code(self) -> u16 {
        match self {
            Phase::Static => 422,
            Phase::Mutating | Phase::Admission => 403,
        }
    }
}

/// Requests that a rule looks at: one kind, some operations, some subresources (`""` is the object itself).
#[derive(Debug)]
pub struct Scope {
    /// The kind of the object.
    pub kind: Kind,
    /// The operations.
    pub operations: &'static [Operation],
    /// The subresources; `""` stands for the object itself.
    pub subresources: &'static [&'static str],
}

/// A rule's code. Rules are synchronous and see nothing but the [`Context`] and the objects of the request.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Changes a Shoot.
    MutateShoot(fn(&Context<'_>, &mut Shoot, Option<&Shoot>, &mut Findings)),
    /// Changes a Project.
    MutateProject(fn(&Context<'_>, &mut Project, Option<&Project>, &mut Findings)),
    /// Judges a CloudProfile as it was sent, before anything is dropped; also behind `/mutate`.
    ReceivedCloudProfile(fn(&Context<'_>, Change<'_, CloudProfile>, &mut Findings)),
    /// Judges a NamespacedCloudProfile as it was sent, before anything is dropped; also behind `/mutate`.
    ReceivedNamespacedCloudProfile(
        fn(&Context<'_>, Change<'_, NamespacedCloudProfile>, &mut Findings),
    ),
    /// Drops expired and unavailable versions from a new CloudProfile, as the API server does.
    DropFromCloudProfile,
    /// Drops expired and unavailable versions from a NamespacedCloudProfile, as the API server does.
    DropFromNamespacedCloudProfile,
    /// Judges a Shoot.
    Shoot(fn(&Context<'_>, Change<'_, Shoot>, &mut Findings)),
    /// Judges a Project.
    Project(fn(&Context<'_>, Change<'_, Project>, &mut Findings)),
    /// Judges a CloudProfile.
    CloudProfile(fn(&Context<'_>, Change<'_, CloudProfile>, &mut Findings)),
    /// Judges a NamespacedCloudProfile.
    NamespacedCloudProfile(fn(&Context<'_>, Change<'_, NamespacedCloudProfile>, &mut Findings)),
    /// Judges a Seed.
    Seed(fn(&Context<'_>, Change<'_, Seed>, &mut Findings)),
    /// Judges the metadata of a ShootState, SecretBinding or CredentialsBinding.
    Named(fn(&Context<'_>, Change<'_, Named>, &mut Findings)),
    /// Judges webhooks of a Shoot cluster.
    WebhookConfiguration(fn(&Context<'_>, Change<'_, WebhookConfiguration>, &mut Findings)),
    /// Judges pods of a Shoot cluster.
    Workload(fn(&Context<'_>, Change<'_, Workload>, &mut Findings)),
}

impl Check {
    /// Whether the rule runs behind `/mutate`: it changes objects, or judges them before they are changed.
    #[must_use]
    pub fn mutates(&self) -> bool {
        match self {
            Check::MutateShoot(_)
            | Check::MutateProject(_)
            | Check::ReceivedCloudProfile(_)
            | Check::ReceivedNamespacedCloudProfile(_)
            | Check::DropFromCloudProfile
            | Check::DropFromNamespacedCloudProfile => true,
            Check::Shoot(_)
            | Check::Project(_)
            | Check::CloudProfile(_)
            | Check::NamespacedCloudProfile(_)
            | Check::Seed(_)
            | Check::Named(_)
            | Check::WebhookConfiguration(_)
            | Check::Workload(_) => false,
        }
    }
}

impl Rule {
    /// Whether a configuration lets the rule report anything.
    #[must_use]
    pub fn is_on(&self, config: &Config) -> bool {
        let is_on = |finding| config.level(self.id, finding, self.levels) != Level::Off;
        if self.findings.is_empty() {
            return is_on(self.id);
        }
        self.findings.iter().any(|finding| is_on(finding.id))
    }

    /// Whether the rule looks at such requests.
    #[must_use]
    pub fn applies_to(&self, kind: Kind, operation: Operation, subresource: &str) -> bool {
        self.scopes.iter().any(|scope| {
            scope.kind == kind
                && scope.operations.contains(&operation)
                && scope.subresources.contains(&subresource)
        })
    }
}

/// Declares a rule; its doc comment is the page that `garden-gate rules <id>` prints and `docs/rules/` shows.
macro_rules! rule {
    (
        $(#[doc = $doc:literal])*
        pub(crate) static $name:ident {
            id: $id:literal,
            summary: $summary:literal,
            phase: $phase:ident,
            scopes: [$($kind:ident [$($operation:ident),+] [$($subresource:literal),+]);+ $(;)?],
            documented: $documented:ident,
            gardener: $gardener:ident,
            findings: [$($finding:ident),* $(,)?],
            check: $check:expr $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        pub(crate) static $name: $crate::engine::Rule = $crate::engine::Rule {
            id: $id,
            summary: $summary,
            documentation: concat!($($doc, "\n"),*),
            phase: $crate::engine::Phase::$phase,
            scopes: &[$($crate::engine::Scope {
                kind: $crate::engine::Kind::$kind,
                operations: &[$($crate::engine::Operation::$operation),+],
                subresources: &[$($subresource),+],
            }),+],
            levels: $crate::config::Levels {
                documented: $crate::config::Level::$documented,
                gardener: $crate::config::Level::$gardener,
            },
            findings: &[$(&$finding),*],
            check: $check,
        };
    };
}
pub(crate) use rule;
