use serde::de::DeserializeOwned;

use crate::defaults;
use crate::garden::{GardenObject, ObjectKey, Rbac, Snapshot};
use crate::model::{Kind, Known, Named, Role, RoleBinding, Shoot};
use crate::source::{Document, SourceError};

/// A kind that a garden is made of.
pub(super) struct GardenKind {
    pub kind: Kind,
    /// Adds an object of the kind.
    pub add: fn(&Document, ObjectKey, &mut Snapshot, &mut Rbac) -> Result<(), SourceError>,
}

impl GardenKind {
    /// Whether an object of the kind is of interest.
    pub(super) fn wants(&self, document: &Document) -> bool {
        let Known::Labelled(label, value) = self.kind.known() else {
            return true;
        };
        let label = label.replace('/', "~1");
        let found = document.text(&format!("/metadata/labels/{label}"));
        found.as_deref() == Some(value)
    }
}

/// Every kind that is read; others are skipped and counted.
pub(super) static KINDS: [GardenKind; 15] = [
    known(Kind::Project, |document, _, snapshot, _| {
        let mut project = document.decode()?;
        defaults::project(&mut project);
        snapshot.apply(GardenObject::Project(project));
        Ok(())
    }),
    known(Kind::ExposureClass, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::ExposureClass(document.decode()?));
        Ok(())
    }),
    known(Kind::CloudProfile, |document, _, snapshot, _| {
        let mut profile = document.decode()?;
        defaults::cloud_profile(&mut profile);
        snapshot.apply(GardenObject::CloudProfile(profile));
        Ok(())
    }),
    known(Kind::NamespacedCloudProfile, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::NamespacedCloudProfile(document.decode()?));
        Ok(())
    }),
    known(Kind::Seed, |document, _, snapshot, _| {
        let mut seed = document.decode()?;
        defaults::seed(&mut seed);
        snapshot.apply(GardenObject::Seed(Box::new(seed)));
        Ok(())
    }),
    known(Kind::ConfigMap, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::ConfigMap(document.decode()?));
        Ok(())
    }),
    known(Kind::Secret, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::Secret(document.decode()?));
        Ok(())
    }),
    known(Kind::WorkloadIdentity, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::WorkloadIdentity(document.decode()?));
        Ok(())
    }),
    known(Kind::Shoot, |document, _, snapshot, _| {
        document.decode::<Shoot>()?;
        snapshot.apply(GardenObject::Shoot(document.decode()?));
        Ok(())
    }),
    known(Kind::ShootState, |document, _, snapshot, _| {
        snapshot.apply(GardenObject::ShootState(document.decode()?));
        Ok(())
    }),
    known(Kind::Namespace, count::<Named>),
    known(Kind::ClusterRole, |document, _, _, rbac| {
        rbac.add_cluster_role(document.decode::<Role>()?);
        Ok(())
    }),
    known(Kind::ClusterRoleBinding, |document, _, _, rbac| {
        rbac.add_cluster_role_binding(document.decode::<RoleBinding>()?);
        Ok(())
    }),
    known(Kind::Role, |document, _, _, rbac| {
        rbac.add_role(document.decode()?);
        Ok(())
    }),
    known(Kind::RoleBinding, |document, _, _, rbac| {
        rbac.add_role_binding(document.decode()?);
        Ok(())
    }),
];

type Add = fn(&Document, ObjectKey, &mut Snapshot, &mut Rbac) -> Result<(), SourceError>;

const fn known(kind: Kind, add: Add) -> GardenKind {
    GardenKind { kind, add }
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
