//! What controllers report about several kinds.

use crate::fields::object;

object! {
    Condition {
        codes: [String];
        lastTransitionTime: Time required;
        lastUpdateTime: Time required;
        message: String required;
        reason: String required;
        status: String required;
        type: String required;
    }
}

object! {
    Gardener {
        id: String required;
        name: String required;
        version: String required;
    }
}

object! {
    LastOperation {
        description: String required;
        lastUpdateTime: Time required;
        progress: Integer32 filled;
        state: String required;
        type: String required;
    }
}
