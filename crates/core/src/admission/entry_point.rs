// SPDX-License-Identifier: Apache-2.0
use crate::config::ServerAdmission;

/// The entry point of a request.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum EntryPoint {
    /// `/mutate`: changes the object; denies only if that is impossible.
    Mutate,
    /// `/validate`: validates the object after all mutations.
    Validate,
    /// `garden-gate review`: both.
    Review,
    /// `garden-gate audit`: evaluates a stored object as if it were written again.
    /// Also evaluates rules that only apply to stored objects.
    Audit,
}

/// The entry points at which a rule runs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EntryPoints {
    /// All.
    All,
    /// `Review`: every API server makes the same decision, whatever its flags are.
    Review,
    /// `Review`: an admission plugin of gardener-apiserver makes the same decision, and can be disabled.
    ///
    /// With [`ServerAdmission::Complete`] also `Mutate` and `Validate`.
    Plugin,
    /// `Audit`: the rule concerns states that no write causes.
    Audit,
    /// `Review` and `Audit`: another component of the landscape makes the same decision.
    Offline,
    /// None: only `plan --workload` evaluates the rule, with all objects of a Shoot cluster.
    Plan,
}

impl EntryPoints {
    /// Reports whether this is one of them.
    pub fn contains(self, entry_point: EntryPoint, admission: ServerAdmission) -> bool {
        match self {
            EntryPoints::All => true,
            EntryPoints::Review => entry_point == EntryPoint::Review,
            EntryPoints::Plugin => match entry_point {
                EntryPoint::Review => true,
                EntryPoint::Mutate | EntryPoint::Validate => admission == ServerAdmission::Complete,
                EntryPoint::Audit => false,
            },
            EntryPoints::Audit => entry_point == EntryPoint::Audit,
            EntryPoints::Offline => {
                matches!(entry_point, EntryPoint::Review | EntryPoint::Audit)
            }
            EntryPoints::Plan => false,
        }
    }
}
