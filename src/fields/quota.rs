//! Quota: what the Shoots of a binding may use together.

use crate::fields::Constraint::{AtLeast, Immutable};
use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::ObjectReference;

object! {
    /// Limits for the Shoots of a binding.
    Quota {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// How much it is.
        spec: QuotaSpec;
    }
}

object! {
    /// Limits for the Shoots of a binding.
    QuotaSpec {
        /// Whose Shoots count: of a Project, a Secret or a WorkloadIdentity; immutable.
        scope: ObjectReference required => [Immutable];
        /// How much, by name.
        metrics: {Quantity} required;
        /// After how many days Shoots are deleted.
        clusterLifetimeDays: Integer32 => [AtLeast(1.0)];
    }
}
