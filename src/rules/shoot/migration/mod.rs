//! The way of a control plane from one seed to another.

rules! {
    RULES:
    migration_prerequisites,
    spec_change_during_migration,
    delete_during_migration,
    live_migration,
}
