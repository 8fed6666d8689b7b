use std::collections::BTreeSet;
use std::fmt::Debug;
use std::pin::Pin;

use crate::engine::{Answer, Answers, Question};
use crate::garden::AccessAnswer;
use crate::model::UserInfo;

/// The answers that will be there in a moment.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answers> + Send + 'a>>;

/// Something that can ask an API server what a snapshot of the garden does not know.
pub trait Answerer: Debug + Send + Sync {
    /// Answers what it can about a request of `user`; what it leaves out counts as unknown.
    fn answer<'a>(&'a self, user: &'a UserInfo, questions: &'a BTreeSet<Question>)
    -> Answering<'a>;
}

/// The answer "it cannot be known", and why.
pub(super) fn unknown(question: &Question, why: &str) -> Answer {
    let why = why.to_owned();
    match question {
        Question::Access(_) => Answer::Access(AccessAnswer::Unknown(why)),
        Question::ProjectOfNamespace(_) => Answer::Project(Err(why)),
        Question::ExposureClass(_) => Answer::ExposureClass(Err(why)),
    }
}
