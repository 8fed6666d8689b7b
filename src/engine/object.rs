use crate::model::{
    CloudProfile, Named, NamespacedCloudProfile, Project, Seed, Shoot, WebhookConfiguration,
    Workload,
};

/// The objects of a request: `new` is absent on DELETE, `old` on CREATE.
#[derive(Debug)]
pub(super) struct Pair<T> {
    pub new: Option<Box<T>>,
    pub old: Option<Box<T>>,
}

/// The objects of a request, typed.
#[derive(Debug)]
pub(super) enum Objects {
    Shoot(Pair<Shoot>),
    Project(Pair<Project>),
    CloudProfile(Pair<CloudProfile>),
    NamespacedCloudProfile(Pair<NamespacedCloudProfile>),
    Seed(Pair<Seed>),
    Named(Pair<Named>),
    WebhookConfiguration(Pair<WebhookConfiguration>),
    Workload(Pair<Workload>),
}
