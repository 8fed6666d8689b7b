//! What controllers report about several kinds.

use jiff::Timestamp;

use crate::api::object;
use crate::api::time::time;

object! {
    /// How one aspect of an object is.
    Condition {
        /// Which aspect.
        "type": String required -> kind: String;
        /// `True`, `False`, `Unknown` or `Progressing`.
        "status": String required -> status: String;
        /// When the status changed.
        "lastTransitionTime": Time required -> #[serde(deserialize_with = "time")] last_transition_time: Option<Timestamp>;
        /// Time of the last check.
        "lastUpdateTime": Time required;
        /// Why, in one word.
        "reason": String required;
        /// Why, in words.
        "message": String required -> message: String;
        /// Kinds of errors that the reason goes back to.
        "codes": [String];
    }
}

object! {
    /// The Gardener that reconciled an object.
    Gardener {
        /// ID of the instance.
        "id": String required;
        /// Name of the instance.
        "name": String required;
        /// Its version.
        "version": String required -> version: String;
    }
}

object! {
    /// The last operation.
    #[derive(PartialEq)]
    LastOperation {
        /// Description of the operation.
        "description": String required;
        /// When that was said.
        "lastUpdateTime": Time required;
        /// How far it is, in percent.
        "progress": Integer32 filled -> progress: i32;
        /// How it went.
        "state": String required -> state: String;
        /// What kind of operation it is.
        "type": String required -> kind: String;
    }
}
