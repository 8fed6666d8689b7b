use std::collections::BTreeSet;
use std::fmt::Debug;
use std::pin::Pin;

use futures_util::future::join_all;

use crate::engine::{Answer, Answers, Question};
use crate::garden::live::LiveGarden;
use crate::model::UserInfo;

/// The answers that will be there in a moment.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answers> + Send + 'a>>;

/// Something that can ask an API server what a snapshot of the garden does not know.
pub trait Answerer: Debug + Send + Sync {
    /// Answers what it can about a request of `user`; what it leaves out counts as unknown.
    fn answer<'a>(&'a self, user: &'a UserInfo, questions: &'a BTreeSet<Question>)
    -> Answering<'a>;
}

impl Answerer for LiveGarden {
    fn answer<'a>(
        &'a self,
        user: &'a UserInfo,
        questions: &'a BTreeSet<Question>,
    ) -> Answering<'a> {
        Box::pin(async move {
            let answers = questions.iter().map(|question| async move {
                let answer = ask(self, user, question).await;
                (question.clone(), answer)
            });
            join_all(answers).await.into_iter().collect()
        })
    }
}

async fn ask(garden: &LiveGarden, user: &UserInfo, question: &Question) -> Answer {
    match question {
        Question::Access(access) => Answer::Access(garden.access(user, access).await),
        Question::ProjectOfNamespace(namespace) => {
            Answer::Project(garden.project_of_namespace(namespace).await)
        }
        Question::ExposureClass(name) => Answer::ExposureClass(garden.exposure_class(name).await),
        Question::CloudProfile(name) => Answer::CloudProfile(garden.cloud_profile(name).await),
        Question::NamespacedCloudProfile { namespace, name } => {
            let profile = garden.namespaced_cloud_profile(namespace, name).await;
            Answer::NamespacedCloudProfile(profile)
        }
        Question::Seed(name) => Answer::Seed(garden.seed(name).await),
        Question::WorkloadIdentity { namespace, name } => {
            Answer::WorkloadIdentity(garden.workload_identity(namespace, name).await)
        }
        Question::RegionConfigs => Answer::RegionConfigs(garden.region_configs().await),
        Question::DefaultDomains => Answer::DefaultDomains(garden.default_domains().await),
        Question::Collection { kind, namespace } => {
            let collection = garden.collection(kind.as_str(), kind.resource(), namespace);
            Answer::Collection(collection.await)
        }
    }
}
