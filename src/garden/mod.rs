//! What a rule may ask about the landscape.
//!
//! | kind | why it is kept | rules that read it |
//! |---|---|---|
//! | Project | toleration defaults and whitelist of a namespace | `shoot/tolerations-default`, `shoot/toleration-not-whitelisted` |
//! | ExposureClass | scheduling constraints that Shoots inherit | `shoot/exposureclass-scheduling` |
//! | ClusterRole, ClusterRoleBinding, Role, RoleBinding | custom-verb questions, offline | `project/*-verb`, `namespacedcloudprofile/*-verb`, `shoot/self-hosted-verb` |
//! | CloudProfile, NamespacedCloudProfile, Seed, Shoot, Namespace | read and counted; no rule asks for them yet | |
//!
//! A [`Snapshot`] is immutable and cheap to clone; a request takes one and keeps it to its end. [`directory`] makes one
//! out of manifests.

mod access;
pub mod directory;
pub mod live;
mod lookup;
mod rbac;
mod snapshot;

pub use access::{AccessAnswer, AccessQuestion};
pub use lookup::Lookup;
pub use rbac::Rbac;
pub use snapshot::{GardenObject, Knowledge, ObjectKey, Snapshot};
