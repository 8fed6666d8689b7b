/// The result of looking up an object by name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Lookup<T> {
    /// The object as of the snapshot.
    Found(T),
    /// The object certainly does not exist.
    Absent,
    /// The object is missing from the watch, which may lag behind; the API server must be asked.
    ///
    /// Rules never see this variant: the context turns it into a question.
    Unconfirmed,
    /// The result is unknown.
    ///
    /// The string is the reason and how to fix it. Must never be treated as absent.
    Unknown(String),
}

impl<T> Lookup<T> {
    /// Returns the object, or `None` if it does not exist.
    ///
    /// # Errors
    /// Fails with the reason if the result is unknown.
    pub fn answer(self) -> Result<Option<T>, String> {
        match self {
            Lookup::Found(found) => Ok(Some(found)),
            Lookup::Absent | Lookup::Unconfirmed => Ok(None),
            Lookup::Unknown(why) => Err(why),
        }
    }
}
