//! Judging manifests and changes: where they come from (files, Git, a live cluster), sets of objects that change together, and fixes.

pub(crate) mod ask;
pub(crate) mod change;
pub(crate) mod change_set;
pub(crate) mod cluster;
pub(crate) mod credentials;
pub(crate) mod duplicates;
pub(crate) mod file_documents;
pub(crate) mod fixes;
pub(crate) mod git;
pub(crate) mod ignored;
pub(crate) mod input;
pub(crate) mod kind_suggestions;
pub(crate) mod kustomize;
pub(crate) mod live;
pub(crate) mod manifests;
pub(crate) mod notes;
pub(crate) mod parameters;
pub(crate) mod paths;
pub(crate) mod progress;
pub(crate) mod read_objects;
pub(crate) mod repository;
pub(crate) mod silences;
pub(crate) mod subject;
pub(crate) mod template;
pub(crate) mod versions;
