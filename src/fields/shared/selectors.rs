//! Selection by labels.

use crate::fields::object;

object! {
    /// Selects objects by their labels; all conditions have to hold.
    LabelSelector {
        /// Labels that objects have to have, with these values.
        matchLabels: {String};
        /// Conditions on labels.
        matchExpressions: [LabelSelectorRequirement];
    }
}

object! {
    /// A condition on one label.
    LabelSelectorRequirement {
        /// The label.
        key: String required;
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
        operator: String required;
        /// Values that count for `In` and `NotIn`.
        values: [String];
    }
}

object! {
    /// Selects Seeds by their labels and infrastructure; all conditions have to hold.
    SeedSelector {
        /// Labels that Seeds have to have, with these values.
        matchLabels: {String};
        /// Conditions on labels of Seeds.
        matchExpressions: [LabelSelectorRequirement];
        /// Infrastructures that Seeds may be on; `*` for any.
        providerTypes: [String];
    }
}
