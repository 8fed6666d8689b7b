//! What a rule may ask about the landscape.
//!
//! | kind | why it is kept | rules that read it |
//! |---|---|---|
//! | Project | toleration defaults and whitelist of a namespace | `shoot/tolerations-default`, `shoot/toleration-not-whitelisted` |
//! | ExposureClass | scheduling constraints that Shoots inherit | `shoot/exposureclass-*` |
//! | ClusterRole, ClusterRoleBinding, Role, RoleBinding | custom-verb questions, offline | `project/*-verb`, `namespacedcloudprofile/*-verb`, `shoot/self-hosted-verb` |
//! | CloudProfile | the parent of a NamespacedCloudProfile | `namespacedcloudprofile/*` |
//! | NamespacedCloudProfile | versions and images in use through it | `cloudprofile/*-in-use` |
//! | Shoot | versions and images in use, by profile | `cloudprofile/*-in-use`, `namespacedcloudprofile/*-in-use` |
//! | Shoot | how many there are on a seed | `shoot/seed-capacity`, `seed/*-in-use` |
//! | Shoot | which bindings they take their credentials from | `binding/finalizer-removal` |
//! | Project, Shoot, ShootState | whose deletion is confirmed in a namespace | `*/deletion-not-confirmed` |
//! | Seed | what a Shoot finds there | `shoot/seed-*`, `shoot/migration-prerequisites`, `shoot/no-seed-accepts` |
//! | ConfigMap with distances between regions | how far a control plane would move | `shoot/live-migration` |
//! | Secret of a default domain, its metadata only | domains that Shoots may use | `seed/default-domains-in-use` |
//! | WorkloadIdentity | where the credentials of backups count | `seed/backup-workload-identity-type` |
//! | Namespace | read and counted; no rule asks for it yet | |
//!
//! A [`Snapshot`] is cheap to clone; a request takes one and keeps it to its end. [`directory`] makes one out of manifests,
//! [`live`] out of what an API server shows. What it cannot tell is a [`Question`]; the answers are told to the request's own
//! clone of it, so that rules only ever see a garden.

mod access;
mod collection;
pub mod directory;
mod index;
pub mod live;
mod lookup;
mod question;
mod rbac;
mod read;
mod regions;
mod shoots;
mod snapshot;
mod strings;
mod told;

pub use crate::model::{GardenObject, ObjectKey};
pub use access::{AccessAnswer, AccessQuestion};
pub use collection::Collection;
pub use lookup::Lookup;
pub use question::Question;
pub use read::read;
pub use regions::distances;
pub use shoots::{ProfileUsers, Shoots};
pub use snapshot::{Knowledge, Snapshot};
