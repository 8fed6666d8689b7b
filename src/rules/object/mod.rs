//! Rules about how any object is written: what an API server says before it looks at what the object means.

rules! {
    RULES:
    unknown_kind,
    unknown_field,
    repeated_field,
    wrong_type,
    metadata_malformed,
    finalizer_added,
    resource_quota_exceeded,
    silence,
}

mod hint;
mod listed;
