//! Quota: what the Shoots of a binding may use together.

use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::ObjectReference;

object! {
    Quota {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        spec: QuotaSpec;
    }
}

object! {
    QuotaSpec {
        clusterLifetimeDays: Integer32;
        metrics: {Quantity} required;
        scope: ObjectReference required;
    }
}
