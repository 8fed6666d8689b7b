/// The ids that a configuration may contain.
#[derive(Clone, Debug, Default)]
pub struct KnownIds {
    /// The ids of rules.
    pub rules: Vec<&'static str>,
    /// The ids of findings; a finding may have the id of its rule.
    pub findings: Vec<&'static str>,
}

impl KnownIds {
    /// Returns the ids of rules and findings, sorted and without duplicates.
    #[must_use]
    pub fn all(&self) -> Vec<&'static str> {
        let mut ids = [self.rules.as_slice(), &self.findings].concat();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}
