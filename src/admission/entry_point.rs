/// The entry point of a request.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum EntryPoint {
    /// `/mutate`: changes the object; denies only if that is impossible.
    Mutate,
    /// `/validate`: validates the object after all mutations.
    Validate,
    /// `garden-gate review`: both.
    Review,
    /// `garden-gate audit`: evaluates a stored object as if it were written again.
    /// Also evaluates rules that only apply to stored objects.
    Audit,
}
