//! What controllers report about several kinds.

use crate::fields::object;

object! {
    /// How one aspect of an object is.
    Condition {
        /// Which aspect.
        type: String required;
        /// `True`, `False`, `Unknown` or `Progressing`.
        status: String required;
        /// When the status changed.
        lastTransitionTime: Time required;
        /// Time of the last check.
        lastUpdateTime: Time required;
        /// Why, in one word.
        reason: String required;
        /// Why, in words.
        message: String required;
        /// Kinds of errors that the reason goes back to.
        codes: [String];
    }
}

object! {
    /// The Gardener that reconciled an object.
    Gardener {
        /// ID of the instance.
        id: String required;
        /// Name of the instance.
        name: String required;
        /// Its version.
        version: String required;
    }
}

object! {
    /// The last operation.
    LastOperation {
        /// Description of the operation.
        description: String required;
        /// When that was said.
        lastUpdateTime: Time required;
        /// How far it is, in percent.
        progress: Integer32 filled;
        /// How it went.
        state: String required;
        /// What kind of operation it is.
        type: String required;
    }
}
