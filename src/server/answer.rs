use std::collections::BTreeSet;
use std::fmt::Debug;
use std::pin::Pin;

use futures_util::future::join_all;

use crate::engine::Question;
use crate::garden::Snapshot;
use crate::garden::live::LiveGarden;
use crate::model::UserInfo;

/// The garden with the answers that will be there in a moment.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Snapshot> + Send + 'a>>;

/// Something that can ask an API server what a snapshot of the garden does not know.
pub trait Answerer: Debug + Send + Sync {
    /// Tells `garden` what it can about a request of `user`; what it leaves out counts as unknown.
    fn answer<'a>(
        &'a self,
        garden: Snapshot,
        user: &'a UserInfo,
        questions: &'a BTreeSet<Question>,
    ) -> Answering<'a>;
}

impl Answerer for LiveGarden {
    fn answer<'a>(
        &'a self,
        mut garden: Snapshot,
        user: &'a UserInfo,
        questions: &'a BTreeSet<Question>,
    ) -> Answering<'a> {
        Box::pin(async move {
            let answers = questions.iter().map(|it| ask(self, user, it.clone()));
            let answers = join_all(answers).await;
            for (question, answer) in questions.iter().zip(answers) {
                match answer {
                    Ok(tell) => tell(&mut garden),
                    Err(why) => garden.tell_unknown(question.clone(), why),
                }
            }
            garden
        })
    }
}

/// An answer, to be told to a garden.
type Tell = Box<dyn FnOnce(&mut Snapshot) + Send>;

async fn ask(live: &LiveGarden, user: &UserInfo, question: Question) -> Result<Tell, String> {
    Ok(match question {
        Question::Access(access) => {
            let answer = live.access(user, &access).await;
            Box::new(|garden| garden.tell_access(access, answer))
        }
        Question::Object(ref key) => {
            let found = live.object(key).await?;
            Box::new(|garden| garden.tell_object(question, found))
        }
        Question::ProjectOfNamespace(ref namespace) => {
            let found = live.project_of_namespace(namespace).await?;
            Box::new(|garden| garden.tell_object(question, found))
        }
        Question::Labelled(kind) => {
            let objects = live.labelled(kind).await?;
            Box::new(move |garden| garden.tell_labelled(kind, objects))
        }
        Question::Collection { kind, namespace } => {
            let collection = live.collection(kind, &namespace).await?;
            Box::new(move |garden| garden.tell_collection(kind, namespace, collection))
        }
    })
}
