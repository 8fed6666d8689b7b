/// What the value of a field may be, beyond its shape.
#[derive(Clone, Copy, Debug)]
pub enum Constraint {
    /// One of these texts.
    Enum(&'static [&'static str]),
}
