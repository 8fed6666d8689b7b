//! Rules about Quotas.

rules! {
    RULES:
    form,
    scope_immutable,
}
