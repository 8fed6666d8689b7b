use crate::api::extensions::ExtensionVersion;
use crate::gardener::extensions::{Documents, Edit, Refusal};

/// The configurations in the objects of a request, after the mutating webhooks of extensions.
#[derive(Debug, Default)]
pub struct Configurations<'a> {
    /// Those of the new object; none on DELETE.
    pub new: Documents<'a>,
    /// Those of the stored object; none on CREATE.
    pub old: Documents<'a>,
    /// The changes of mutating webhooks, with the names of their extensions.
    pub edits: Vec<(&'static str, Edit)>,
    /// The refusal of a mutating webhook, with the name of its extension; later webhooks are not called.
    pub refusal: Option<(&'static str, Refusal)>,
}

/// An extension as the landscape runs it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ExtensionUse {
    /// The version, or the oldest or newest known one.
    pub version: ExtensionVersion,
    /// Whether a newer version than the known ones runs, which may have further fields.
    pub is_newer_than_known: bool,
    /// Whether an older version than the known ones runs, which is not judged.
    pub is_older_than_known: bool,
    /// The reason why its admission component is not known to judge requests; `None` if it is.
    pub not_registered: Option<String>,
}
