use serde::de::DeserializeOwned;

use crate::defaults;
use crate::garden::{GardenObject, ObjectKey, Rbac, Snapshot};
use crate::model::{DomainSecret, Named, RegionConfig, Role, RoleBinding, Shoot};
use crate::source::{Document, SourceError};

/// A kind that a garden is made of.
pub(super) struct GardenKind {
    pub kind: &'static str,
    pub group: &'static str,
    pub version: &'static str,
    pub namespaced: bool,
    /// A label and its value, if only objects with it are of interest; there are many others of such a kind.
    pub label: Option<(&'static str, &'static str)>,
    /// Adds an object of the kind.
    pub add: fn(&Document, ObjectKey, &mut Snapshot, &mut Rbac) -> Result<(), SourceError>,
}

impl GardenKind {
    /// Whether an object of the kind is of interest.
    pub(super) fn wants(&self, document: &Document) -> bool {
        self.label.is_none_or(|(label, value)| {
            let label = label.replace('/', "~1");
            let found = document.text(&format!("/metadata/labels/{label}"));
            found.as_deref() == Some(value)
        })
    }
}

const CORE: &str = crate::model::CORE_GROUP;
const CORE_VERSION: &str = crate::model::CORE_VERSION;
const RBAC: &str = "rbac.authorization.k8s.io";

/// Every kind that is read; others are skipped and counted.
pub(super) static KINDS: [GardenKind; 15] = [
    cluster("Project", CORE, CORE_VERSION, |document, _, snapshot, _| {
        let mut project = document.decode()?;
        defaults::project(&mut project);
        snapshot.apply(GardenObject::Project(project));
        Ok(())
    }),
    cluster(
        "ExposureClass",
        CORE,
        CORE_VERSION,
        |document, _, snapshot, _| {
            snapshot.apply(GardenObject::ExposureClass(document.decode()?));
            Ok(())
        },
    ),
    cluster(
        "CloudProfile",
        CORE,
        CORE_VERSION,
        |document, _, snapshot, _| {
            let mut profile = document.decode()?;
            defaults::cloud_profile(&mut profile);
            snapshot.apply(GardenObject::CloudProfile(profile));
            Ok(())
        },
    ),
    namespaced(
        "NamespacedCloudProfile",
        CORE,
        CORE_VERSION,
        |document, _, snapshot, _| {
            snapshot.apply(GardenObject::NamespacedCloudProfile(document.decode()?));
            Ok(())
        },
    ),
    cluster("Seed", CORE, CORE_VERSION, |document, _, snapshot, _| {
        let mut seed = document.decode()?;
        defaults::seed(&mut seed);
        snapshot.apply(GardenObject::Seed(Box::new(seed)));
        Ok(())
    }),
    labelled(
        "ConfigMap",
        RegionConfig::LABEL,
        |document, _, snapshot, _| {
            snapshot.apply(GardenObject::ConfigMap(document.decode()?));
            Ok(())
        },
    ),
    labelled("Secret", DomainSecret::LABEL, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::Secret(document.decode()?));
        Ok(())
    }),
    namespaced(
        "WorkloadIdentity",
        "security.gardener.cloud",
        "v1alpha1",
        |document, _, snapshot, _| {
            snapshot.apply(GardenObject::WorkloadIdentity(document.decode()?));
            Ok(())
        },
    ),
    namespaced("Shoot", CORE, CORE_VERSION, |document, _, snapshot, _| {
        document.decode::<Shoot>()?;
        snapshot.apply(GardenObject::Shoot(document.decode()?));
        Ok(())
    }),
    namespaced(
        "ShootState",
        CORE,
        CORE_VERSION,
        |document, _, snapshot, _| {
            snapshot.apply(GardenObject::ShootState(document.decode()?));
            Ok(())
        },
    ),
    cluster("Namespace", "", "v1", count::<Named>),
    cluster("ClusterRole", RBAC, "v1", |document, _, _, rbac| {
        rbac.add_cluster_role(document.decode::<Role>()?);
        Ok(())
    }),
    cluster("ClusterRoleBinding", RBAC, "v1", |document, _, _, rbac| {
        rbac.add_cluster_role_binding(document.decode::<RoleBinding>()?);
        Ok(())
    }),
    namespaced("Role", RBAC, "v1", |document, _, _, rbac| {
        rbac.add_role(document.decode()?);
        Ok(())
    }),
    namespaced("RoleBinding", RBAC, "v1", |document, _, _, rbac| {
        rbac.add_role_binding(document.decode()?);
        Ok(())
    }),
];

type Add = fn(&Document, ObjectKey, &mut Snapshot, &mut Rbac) -> Result<(), SourceError>;

const fn cluster(
    kind: &'static str,
    group: &'static str,
    version: &'static str,
    add: Add,
) -> GardenKind {
    GardenKind {
        kind,
        group,
        version,
        namespaced: false,
        label: None,
        add,
    }
}

const fn namespaced(
    kind: &'static str,
    group: &'static str,
    version: &'static str,
    add: Add,
) -> GardenKind {
    GardenKind {
        kind,
        group,
        version,
        namespaced: true,
        label: None,
        add,
    }
}

/// A namespaced kind of Kubernetes itself, of which only objects with a label are of interest.
const fn labelled(kind: &'static str, label: (&'static str, &'static str), add: Add) -> GardenKind {
    GardenKind {
        label: Some(label),
        ..namespaced(kind, "", "v1", add)
    }
}

/// Checks the shape of an object that no rule asks for yet.
fn count<T: DeserializeOwned>(
    document: &Document,
    key: ObjectKey,
    snapshot: &mut Snapshot,
    _: &mut Rbac,
) -> Result<(), SourceError> {
    document.decode::<T>()?;
    snapshot.apply(GardenObject::Counted(key));
    Ok(())
}
