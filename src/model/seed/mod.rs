//! Seeds, and the objects that control scheduling: selectors, ExposureClasses and region distances.

mod exposure_class;
mod object;
mod region_config;
mod selector;
mod selector_check;

pub use exposure_class::{ExposureClass, ExposureClassScheduling};
pub use object::{
    ObjectReference, Seed, SeedBackup, SeedDns, SeedDomain, SeedGardener, SeedLastOperation,
    SeedNetworks, SeedProvider, SeedScheduling, SeedSettings, SeedSpec, SeedStatus,
    SeedZoneSelection, ShootNetworkDefaults, is_below,
};
pub use region_config::{
    DefaultDomain, DomainSecret, RegionConfig, TargetSystem, WorkloadIdentity, WorkloadIdentitySpec,
};
pub use selector::{LabelSelectorRequirement, SeedSelector};
pub use selector_check::SelectorProblem;
