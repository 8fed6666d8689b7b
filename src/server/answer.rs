// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::net::IpAddr;
use std::pin::Pin;

use futures_util::future::join_all;

use crate::garden::live::{Asker, LiveGarden};
use garden_gate_core::admission::Question;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::UserInfo;

/// A future that returns the garden with the answers added.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Snapshot> + Send + 'a>>;

/// The origin of a request.
#[derive(Clone, Copy, Debug)]
pub struct Requester<'a> {
    /// The client that sent the review, usually an API server.
    pub peer: Option<IpAddr>,
    /// The user of the request.
    pub user: &'a UserInfo,
}

/// A source of live lookups for objects that the snapshot does not know.
pub trait Answerer: Debug + Send + Sync {
    /// Adds answers about a request of `requester` to `garden`; unanswered questions are marked as unknown.
    fn answer<'a>(
        &'a self,
        garden: Snapshot,
        requester: Requester<'a>,
        questions: &'a BTreeSet<Question>,
    ) -> Answering<'a>;
}

impl Answerer for LiveGarden {
    fn answer<'a>(
        &'a self,
        mut garden: Snapshot,
        requester: Requester<'a>,
        questions: &'a BTreeSet<Question>,
    ) -> Answering<'a> {
        Box::pin(async move {
            let Requester { peer, user } = requester;
            let asker = (&self.asker(peer, user), user);
            let answers = questions.iter().map(|it| ask(self, asker, it.clone()));
            let answers = join_all(answers).await;
            for (question, answer) in questions.iter().zip(answers) {
                match answer {
                    Ok(add) => add(&mut garden),
                    Err(why) => garden.answer_unknown(question.clone(), why),
                }
            }
            garden
        })
    }
}

/// A function that adds an answer to a snapshot.
type Tell = Box<dyn FnOnce(&mut Snapshot) + Send>;

async fn ask(
    live: &LiveGarden,
    (asker, user): (&Asker, &UserInfo),
    question: Question,
) -> Result<Tell, String> {
    Ok(match question {
        Question::Access(access) => {
            let answer = live.access(asker, user, &access).await;
            Box::new(|garden| garden.answer_access(access, answer))
        }
        Question::Object(ref key) => {
            let found = live.object(asker, key).await?;
            Box::new(|garden| garden.answer_object(question, found))
        }
        Question::ProjectOfNamespace(ref namespace) => {
            let found = live.project_of_namespace(asker, namespace).await?;
            Box::new(|garden| garden.answer_object(question, found))
        }
        Question::Labelled(kind) => {
            let objects = live.labelled(asker, kind).await?;
            Box::new(move |garden| garden.answer_labelled(kind, objects))
        }
        Question::Collection { kind, namespace } => {
            let collection = live.collection(asker, kind, &namespace).await?;
            Box::new(move |garden| garden.answer_collection(kind, namespace, collection))
        }
    })
}
