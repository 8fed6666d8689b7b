/// Which of our doors a request came through.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum EntryPoint {
    /// `/mutate`: change the object; refuse only what makes changing it impossible.
    Mutate,
    /// `/validate`: judge the object as it would be after all changes.
    Validate,
    /// `garden-gate review`: both.
    Review,
    /// `garden-gate audit`: an object as it is, by what is judged here of any write of it, and by what nobody writes at all.
    Audit,
}
