//! What a rule may ask about the landscape.
//!
//! | kind | why it is kept |
//! |---|---|
//! | Project | toleration defaults and whitelist of a namespace |
//! | ExposureClass | scheduling constraints that Shoots inherit |
//! | ClusterRole, ClusterRoleBinding, Role, RoleBinding | custom-verb questions, offline |
//! | CloudProfile | what Shoots are offered; the parent of a NamespacedCloudProfile |
//! | NamespacedCloudProfile | what Shoots are offered; versions and images in use through it |
//! | Shoot | versions and images in use, by profile; how many there are on a seed; where they take their credentials from |
//! | Project, Shoot, ShootState | whose deletion is confirmed in a namespace |
//! | Seed | what a Shoot finds there |
//! | ConfigMap with distances between regions | how far a control plane would move |
//! | Secret of a default domain, its metadata only | domains that Shoots may use |
//! | WorkloadIdentity | where the credentials of backups count |
//! | Namespace | read and counted; no rule asks for it yet |
//!
//! Which rules look a kind up, each of them declares in its `reads`.
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
pub use regions::distances;
pub use shoots::{ProfileUsers, Shoots};
pub use snapshot::{Knowledge, Snapshot};
