use std::collections::BTreeMap;
use std::sync::Arc;

use crate::garden::{AccessAnswer, AccessQuestion};
use crate::model::{CloudProfile, ExposureClass, NamespacedCloudProfile, Project};

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
}

/// The answers collected so far for one request.
pub type Answers = BTreeMap<Question, Answer>;
