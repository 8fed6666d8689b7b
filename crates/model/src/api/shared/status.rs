// SPDX-License-Identifier: Apache-2.0
//! Status types of several kinds.

use jiff::Timestamp;

use crate::api::object;
use crate::api::time::time;

object! {
    /// Condition: observed state of one aspect of an object.
    Condition {
        /// Type of the condition.
        "type": String required -> kind: String;
        /// Status of the condition: `True`, `False`, `Unknown` or `Progressing`.
        "status": String required -> status: String;
        /// Time of the last status transition.
        "lastTransitionTime": Time required -> #[serde(deserialize_with = "time")] last_transition_time: Option<Timestamp>;
        /// Time of the last check.
        "lastUpdateTime": Time required;
        /// Reason for the status, in one word.
        "reason": String required;
        /// Human-readable message about the status.
        "message": String required -> message: String;
        /// Error codes of the cause.
        "codes": [String];
    }
}

object! {
    /// Gardener instance that last reconciled an object.
    Gardener {
        /// ID of the instance.
        "id": String required;
        /// Name of the instance.
        "name": String required;
        /// Version of the instance.
        "version": String required -> version: String;
    }
}

object! {
    /// Last operation on an object.
    #[derive(PartialEq)]
    LastOperation {
        /// Description of the operation.
        "description": String required;
        /// Time of the last update of this status.
        "lastUpdateTime": Time required;
        /// Progress of the operation, in percent.
        "progress": Integer32 filled -> progress: i32;
        /// State of the operation.
        "state": String required -> state: String;
        /// Type of the operation.
        "type": String required -> kind: String;
    }
}
