// SPDX-License-Identifier: Apache-2.0
//! Deprecated APIs in the metrics of an API server.

use garden_gate_text::go::is_at_least;

/// The metric of deprecated APIs that clients have requested since the start of the API server.
const METRIC: &str = "apiserver_requested_deprecated_apis{";

/// A deprecated API that a client has requested.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct RequestedApi {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) resource: String,
    /// The minor version of Kubernetes that serves it no longer, such as `1.25`; empty if it is not decided.
    pub(crate) removed_release: String,
}

impl RequestedApi {
    /// Parses a line in the text format of Prometheus; `None` for other metrics, and for APIs that were not requested.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let (labels, value) = line.strip_prefix(METRIC)?.rsplit_once('}')?;
        let value: f64 = value.split_whitespace().next()?.parse().ok()?;
        if value < 1.0 {
            return None;
        }
        let mut api = Self::default();
        // The values are names of the API, without commas and escapes.
        for label in labels.split(',') {
            let (name, value) = label.split_once('=')?;
            let value = value.trim().trim_matches('"');
            let field = match name.trim() {
                "group" => &mut api.group,
                "version" => &mut api.version,
                "resource" => &mut api.resource,
                "removed_release" => &mut api.removed_release,
                _ => continue,
            };
            value.clone_into(field);
        }
        (!api.version.is_empty()).then_some(api)
    }

    /// Reports whether a version of Kubernetes serves it no longer; `None` if the release of its removal is not a version.
    pub(crate) fn is_removed_in(&self, kubernetes: &str) -> Option<bool> {
        if self.removed_release.is_empty() {
            return Some(false);
        }
        let (major, minor) = self.removed_release.split_once('.')?;
        Some(is_at_least(kubernetes, major.parse().ok()?, minor.parse().ok()?))
    }

    /// Returns the `apiVersion` of manifests.
    pub(crate) fn api_version(&self) -> String {
        match self.group.as_str() {
            "" => self.version.clone(),
            group => format!("{group}/{}", self.version),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::RequestedApi;

    #[rstest]
    #[case::requested(
        r#"apiserver_requested_deprecated_apis{group="policy",removed_release="1.25",resource="poddisruptionbudgets",subresource="",version="v1beta1"} 1"#,
        Some(("policy/v1beta1", "1.25"))
    )]
    #[case::core(
        r#"apiserver_requested_deprecated_apis{group="",removed_release="",resource="componentstatuses",subresource="",version="v1"} 1"#,
        Some(("v1", ""))
    )]
    #[case::not_requested(r#"apiserver_requested_deprecated_apis{group="a",version="v1"} 0"#, None)]
    #[case::help("# HELP apiserver_requested_deprecated_apis Gauge", None)]
    #[case::other_metric(r#"apiserver_request_total{version="v1"} 1"#, None)]
    #[case::cut("apiserver_requested_deprecated_apis{group=", None)]
    #[case::no_labels("apiserver_requested_deprecated_apis{} 1", None)]
    #[case::no_value(r#"apiserver_requested_deprecated_apis{version="v1"} "#, None)]
    fn line_of_metrics(#[case] line: &str, #[case] expected: Option<(&str, &str)>) {
        let api = RequestedApi::of_line(line);
        let api = api.map(|it| (it.api_version(), it.removed_release));
        assert_eq!(api, expected.map(|(api, by)| (api.to_owned(), by.to_owned())));
    }
}
