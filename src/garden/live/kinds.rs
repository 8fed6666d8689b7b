use crate::defaults;
use crate::garden::GardenObject;
use crate::model::Kind;

/// A kind that is watched.
#[derive(Debug)]
pub(super) struct WatchedKind {
    pub kind: Kind,
    /// Makes of an object's JSON what is kept of it.
    pub read: fn(&str) -> Result<GardenObject, serde_json::Error>,
    /// The rules that cannot judge while the kind is not served; a trailing `/*` stands for all of a family.
    pub needed_by: &'static [&'static str],
}

impl WatchedKind {
    /// The resource with its group, as RBAC and messages name it.
    pub(super) fn resource(&self) -> String {
        self.kind.full_resource()
    }

    /// Whether any of the rules that can judge only with this kind is among `enabled`.
    pub(super) fn is_needed(&self, enabled: &[&str]) -> bool {
        self.needed_by.iter().any(|needing| {
            enabled.iter().any(|id| match needing.strip_suffix('*') {
                Some(family) => id.starts_with(family),
                None => id == needing,
            })
        })
    }
}

pub(super) static PROJECTS: WatchedKind = WatchedKind {
    kind: Kind::Project,
    read: |json| {
        let mut project = serde_json::from_str(json)?;
        defaults::project(&mut project);
        Ok(GardenObject::Project(project))
    },
    needed_by: &[
        "shoot/tolerations-default",
        "shoot/toleration-not-whitelisted",
        "shoot/deletion-not-confirmed",
        "shoot/no-seed-accepts",
    ],
};

/// Every kind that is watched, in the order in which they are reported.
pub(super) static KINDS: [&WatchedKind; 6] = [
    &PROJECTS,
    &WatchedKind {
        kind: Kind::ExposureClass,
        read: |json| Ok(GardenObject::ExposureClass(serde_json::from_str(json)?)),
        needed_by: &["shoot/exposureclass-*"],
    },
    &WatchedKind {
        kind: Kind::CloudProfile,
        read: |json| {
            let mut profile = serde_json::from_str(json)?;
            defaults::cloud_profile(&mut profile);
            Ok(GardenObject::CloudProfile(profile))
        },
        needed_by: &["shoot/*", "namespacedcloudprofile/*"],
    },
    &WatchedKind {
        kind: Kind::NamespacedCloudProfile,
        read: |json| {
            Ok(GardenObject::NamespacedCloudProfile(serde_json::from_str(
                json,
            )?))
        },
        needed_by: &["cloudprofile/*"],
    },
    &WatchedKind {
        kind: Kind::Seed,
        read: |json| {
            let mut seed = serde_json::from_str(json)?;
            defaults::seed(&mut seed);
            Ok(GardenObject::Seed(Box::new(seed)))
        },
        needed_by: &[
            "shoot/seed-*",
            "shoot/cp-seed-selector",
            "shoot/migration-prerequisites",
            "shoot/deleting-seed-frozen",
            "shoot/networks-vs-seed",
            "shoot/access-restrictions",
            "shoot/control-plane-zones-vs-seed",
            "shoot/live-migration",
            "shoot/no-seed-accepts",
        ],
    },
    &WatchedKind {
        kind: Kind::Shoot,
        read: |json| Ok(GardenObject::Shoot(serde_json::from_str(json)?)),
        needed_by: &[
            "cloudprofile/*",
            "namespacedcloudprofile/*",
            "seed/*",
            "binding/*",
            "shoot/seed-capacity",
            "shoot/no-seed-accepts",
        ],
    },
];
