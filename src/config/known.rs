/// The ids that a configuration may name.
#[derive(Clone, Debug, Default)]
pub struct KnownIds {
    /// Of rules.
    pub rules: Vec<&'static str>,
    /// Of findings; a finding may have the id of its rule.
    pub findings: Vec<&'static str>,
}

impl KnownIds {
    /// The ids of rules and findings, sorted, each once.
    #[must_use]
    pub fn all(&self) -> Vec<&'static str> {
        let mut ids = [self.rules.as_slice(), &self.findings].concat();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}
