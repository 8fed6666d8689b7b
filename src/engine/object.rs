use std::fmt;

use serde::Serialize;

use crate::model::{
    CORE_GROUP, CORE_VERSION, CloudProfile, NamespacedCloudProfile, Project, Shoot,
};

/// A Gardener kind that requests can be about.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Kind {
    /// A managed cluster.
    Shoot,
    /// A team's namespace and rights.
    Project,
    /// Versions, images and machine types on offer.
    CloudProfile,
    /// A project's overlay of a CloudProfile.
    NamespacedCloudProfile,
    /// A cluster that hosts control planes.
    Seed,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] = [
        Kind::Shoot,
        Kind::Project,
        Kind::CloudProfile,
        Kind::NamespacedCloudProfile,
        Kind::Seed,
    ];

    /// The kind behind a resource of `core.gardener.cloud/v1beta1`; `None` for anything else.
    #[must_use]
    pub fn of_resource(group: &str, version: &str, resource: &str) -> Option<Self> {
        if group != CORE_GROUP || version != CORE_VERSION {
            return None;
        }
        Self::ALL
            .into_iter()
            .find(|kind| kind.resource() == resource)
    }

    /// The plural, lower-case resource name.
    #[must_use]
    pub fn resource(self) -> &'static str {
        match self {
            Kind::Shoot => "shoots",
            Kind::Project => "projects",
            Kind::CloudProfile => "cloudprofiles",
            Kind::NamespacedCloudProfile => "namespacedcloudprofiles",
            Kind::Seed => "seeds",
        }
    }

    /// Whether objects of the kind are in a namespace.
    #[must_use]
    pub fn is_namespaced(self) -> bool {
        match self {
            Kind::Shoot | Kind::NamespacedCloudProfile => true,
            Kind::Project | Kind::CloudProfile | Kind::Seed => false,
        }
    }

    /// The kind as written in manifests.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Shoot => "Shoot",
            Kind::Project => "Project",
            Kind::CloudProfile => "CloudProfile",
            Kind::NamespacedCloudProfile => "NamespacedCloudProfile",
            Kind::Seed => "Seed",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The objects of a request, typed: `new` is absent on DELETE, `old` on CREATE.
#[derive(Debug)]
pub(super) enum Objects {
    Shoot {
        new: Option<Box<Shoot>>,
        old: Option<Box<Shoot>>,
    },
    Project {
        new: Option<Box<Project>>,
        old: Option<Box<Project>>,
    },
    CloudProfile {
        new: Option<Box<CloudProfile>>,
        old: Option<Box<CloudProfile>>,
    },
    NamespacedCloudProfile {
        new: Option<Box<NamespacedCloudProfile>>,
        old: Option<Box<NamespacedCloudProfile>>,
    },
}
