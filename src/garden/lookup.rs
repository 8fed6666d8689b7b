/// The answer to "is there an object of this name?".
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Lookup<T> {
    /// Yes, and here it is, as of the snapshot.
    Found(T),
    /// No; certain.
    Absent,
    /// The watch has not shown it, which may only mean not yet; the API server should be asked.
    ///
    /// Rules never see this: the context turns it into a question.
    Unconfirmed,
    /// It cannot be known; the text says why, and how to make it known. Never to be treated as absent.
    Unknown(String),
}

impl<T> Lookup<T> {
    /// The object, or that there is none.
    ///
    /// # Errors
    /// When that cannot be known, with the reason.
    pub fn answer(self) -> Result<Option<T>, String> {
        match self {
            Lookup::Found(found) => Ok(Some(found)),
            Lookup::Absent | Lookup::Unconfirmed => Ok(None),
            Lookup::Unknown(why) => Err(why),
        }
    }
}
