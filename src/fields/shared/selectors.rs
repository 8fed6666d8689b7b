//! Selection by labels.

use crate::fields::object;

object! {
    LabelSelector {
        matchExpressions: [LabelSelectorRequirement];
        matchLabels: {String};
    }
}

object! {
    LabelSelectorRequirement {
        key: String required;
        operator: String required;
        values: [String];
    }
}

object! {
    SeedSelector {
        matchExpressions: [LabelSelectorRequirement];
        matchLabels: {String};
        providerTypes: [String];
    }
}
