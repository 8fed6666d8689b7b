use std::collections::BTreeSet;
use std::fmt::Debug;
use std::pin::Pin;

use crate::engine::{Answers, Question};
use crate::model::UserInfo;

/// The answers that will be there in a moment.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answers> + Send + 'a>>;

/// Something that can ask an API server what a snapshot of the garden does not know.
pub trait Answerer: Debug + Send + Sync {
    /// Answers what it can about a request of `user`; what it leaves out counts as unknown.
    fn answer<'a>(&'a self, user: &'a UserInfo, questions: &'a BTreeSet<Question>)
    -> Answering<'a>;
}
