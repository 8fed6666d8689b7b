use std::collections::BTreeMap;
use std::sync::Arc;

use super::Kind;
use crate::garden::{AccessAnswer, AccessQuestion, Collection};
use crate::model::{
    CloudProfile, ExposureClass, NamespacedCloudProfile, Project, RegionConfig, Seed,
    WorkloadIdentity,
};

/// Something that only the API server can tell.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Question {
    /// May the requester do this?
    Access(AccessQuestion),
    /// Is there a Project for this namespace that the watch has not shown yet?
    ProjectOfNamespace(String),
    /// Is there an ExposureClass of this name that the watch has not shown yet?
    ExposureClass(String),
    /// Is there a CloudProfile of this name that the watch has not shown yet?
    CloudProfile(String),
    /// Is there a NamespacedCloudProfile of this name that the watch has not shown yet?
    NamespacedCloudProfile {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// Is there a Seed of this name that the watch has not shown yet?
    Seed(String),
    /// Is there a WorkloadIdentity of this name? They are not watched.
    WorkloadIdentity {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// Which ConfigMaps of the garden namespace have the label [`RegionConfig::LABEL`]? They are not watched.
    RegionConfigs,
    /// For which domains are there Secrets in the garden namespace with the label
    /// [`DomainSecret::LABEL`](crate::model::DomainSecret::LABEL)? They are not watched.
    DefaultDomains,
    /// Whose deletion is confirmed among all objects of a kind in a namespace? The watch may be late.
    Collection {
        /// The kind.
        kind: Kind,
        /// The namespace; empty for Projects.
        namespace: String,
    },
}

impl Question {
    /// The answer that there is none, and why.
    #[must_use]
    pub fn unanswered(&self, why: &str) -> Answer {
        let why = why.to_owned();
        match self {
            Question::Access(_) => Answer::Access(AccessAnswer::Unknown(why)),
            Question::ProjectOfNamespace(_) => Answer::Project(Err(why)),
            Question::ExposureClass(_) => Answer::ExposureClass(Err(why)),
            Question::CloudProfile(_) => Answer::CloudProfile(Err(why)),
            Question::NamespacedCloudProfile { .. } => Answer::NamespacedCloudProfile(Err(why)),
            Question::Seed(_) => Answer::Seed(Err(why)),
            Question::WorkloadIdentity { .. } => Answer::WorkloadIdentity(Err(why)),
            Question::RegionConfigs => Answer::RegionConfigs(Err(why)),
            Question::DefaultDomains => Answer::DefaultDomains(Err(why)),
            Question::Collection { .. } => Answer::Collection(Err(why)),
        }
    }
}

/// What the API server said.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Question::Access`].
    Access(AccessAnswer),
    /// To [`Question::ProjectOfNamespace`]; `Err` says why it could not be asked.
    Project(Result<Option<Arc<Project>>, String>),
    /// To [`Question::ExposureClass`]; `Err` says why it could not be asked.
    ExposureClass(Result<Option<Arc<ExposureClass>>, String>),
    /// To [`Question::CloudProfile`], defaulted; `Err` says why it could not be asked.
    CloudProfile(Result<Option<Arc<CloudProfile>>, String>),
    /// To [`Question::NamespacedCloudProfile`]; `Err` says why it could not be asked.
    NamespacedCloudProfile(Result<Option<Arc<NamespacedCloudProfile>>, String>),
    /// To [`Question::Seed`], defaulted; `Err` says why it could not be asked.
    Seed(Result<Option<Arc<Seed>>, String>),
    /// To [`Question::WorkloadIdentity`]; `Err` says why it could not be asked.
    WorkloadIdentity(Result<Option<Arc<WorkloadIdentity>>, String>),
    /// To [`Question::RegionConfigs`], by name; `Err` says why it could not be asked.
    RegionConfigs(Result<Vec<Arc<RegionConfig>>, String>),
    /// To [`Question::DefaultDomains`]; `Err` says why it could not be asked.
    DefaultDomains(Result<Vec<String>, String>),
    /// To [`Question::Collection`]; `Err` says why it could not be asked.
    Collection(Result<Collection, String>),
}

/// The answers collected so far for one request.
pub type Answers = BTreeMap<Question, Answer>;
