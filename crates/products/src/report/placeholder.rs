// SPDX-License-Identifier: Apache-2.0
use std::fmt::{self, Display, Formatter};

/// A form of placeholders.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Placeholder {
    /// `{{ .Values.name }}`
    Template,
    /// `${NAME}`
    Variable,
}

impl Placeholder {
    /// Returns why a file with such placeholders is not judged, and what to review instead.
    ///
    /// `chart` is the folder of the Helm chart that the file belongs to.
    pub fn why(self, chart: Option<&str>) -> String {
        match (self, chart) {
            (Placeholder::Template, Some(chart)) => format!(
                "is a Helm template, not judged; review the output of `helm template {chart}`"
            ),
            (Placeholder::Template, None) => {
                "is a template (`{{ }}`), not judged; render it and review the result".to_owned()
            }
            (Placeholder::Variable, _) => "has placeholders (`${NAME}`), not judged; substitute them, as with `envsubst`, and review the result".to_owned(),
        }
    }
}

impl Display for Placeholder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Placeholder::Template => "{{ }}",
            Placeholder::Variable => "${NAME}",
        })
    }
}
