use crate::defaults;
use crate::garden::GardenObject;
use crate::model::Kind;

/// A kind that is watched.
#[derive(Debug)]
pub(super) struct WatchedKind {
    pub kind: Kind,
    /// Makes of an object's JSON what is kept of it.
    pub read: fn(&str) -> Result<GardenObject, serde_json::Error>,
}

impl WatchedKind {
    /// The resource with its group, as RBAC and messages name it.
    pub(super) fn resource(&self) -> String {
        self.kind.full_resource()
    }
}

pub(super) static PROJECTS: WatchedKind = WatchedKind {
    kind: Kind::Project,
    read: |json| {
        let mut project = serde_json::from_str(json)?;
        defaults::project(&mut project);
        Ok(GardenObject::Project(project))
    },
};

/// Every kind that is watched, in the order in which they are reported.
pub(super) static KINDS: [&WatchedKind; 6] = [
    &PROJECTS,
    &WatchedKind {
        kind: Kind::ExposureClass,
        read: |json| Ok(GardenObject::ExposureClass(serde_json::from_str(json)?)),
    },
    &WatchedKind {
        kind: Kind::CloudProfile,
        read: |json| {
            let mut profile = serde_json::from_str(json)?;
            defaults::cloud_profile(&mut profile);
            Ok(GardenObject::CloudProfile(profile))
        },
    },
    &WatchedKind {
        kind: Kind::NamespacedCloudProfile,
        read: |json| {
            Ok(GardenObject::NamespacedCloudProfile(serde_json::from_str(
                json,
            )?))
        },
    },
    &WatchedKind {
        kind: Kind::Seed,
        read: |json| {
            let mut seed = serde_json::from_str(json)?;
            defaults::seed(&mut seed);
            Ok(GardenObject::Seed(Box::new(seed)))
        },
    },
    &WatchedKind {
        kind: Kind::Shoot,
        read: |json| Ok(GardenObject::Shoot(serde_json::from_str(json)?)),
    },
];
