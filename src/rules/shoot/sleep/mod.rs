//! Hibernation, and what a Shoot can do while it sleeps.

pub(in crate::rules::shoot) mod encryption;

rules! {
    RULES:
    wake_up_tasks,
    hibernation,
    hibernated_change,
    encryption_change,
    hibernation_constraint,
}
