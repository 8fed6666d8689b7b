//! Rules about ShootStates.

rules! {
    RULES:
    deletion_not_confirmed,
}
