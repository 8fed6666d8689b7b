// SPDX-License-Identifier: Apache-2.0
use axum::extract::Query;
use axum::http::{HeaderMap, Uri, header};
use serde::Deserialize;

use super::denial::Denial;

/// The query of a page; other parameters are ignored.
#[derive(Deserialize)]
struct Parameters {
    project: Option<String>,
}

/// Returns the requested Project; `None` for all.
pub(super) fn project(uri: &Uri) -> Result<Option<String>, Denial> {
    let parameters = Query::<Parameters>::try_from_uri(uri);
    let Query(Parameters { project }) = parameters.map_err(|_| Denial::Query)?;
    Ok(project)
}

/// Reports whether a client wants JSON rather than HTML.
pub(super) fn prefers_json(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut types = values
        .flat_map(|value| value.split(','))
        .filter_map(|it| it.split(';').next().map(str::trim));
    let known = ["application/json", "text/html"];
    let first = types.find(|it| known.iter().any(|known| it.eq_ignore_ascii_case(known)));
    first.is_some_and(|it| it.eq_ignore_ascii_case(known[0]))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, Uri, header};
    use rstest::rstest;

    use super::{Denial, prefers_json, project};

    #[rstest]
    #[case("*/*", false)]
    #[case("text/html,application/xhtml+xml,application/json;q=0.9", false)]
    #[case("application/json", true)]
    #[case("Application/JSON; charset=utf-8, text/html", true)]
    #[case("application/jsonx", false)]
    #[case("", false)]
    fn the_first_known_type_is_preferred(#[case] accept: &'static str, #[case] expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
        assert_eq!(prefers_json(&headers), expected);
    }

    #[rstest]
    #[case("/forecast", Ok(None))]
    #[case("/forecast?other=1", Ok(None))]
    #[case("/forecast?project=dev&other=1", Ok(Some("dev")))]
    #[case("/forecast?project=", Ok(Some("")))]
    #[case("/forecast?project=a&project=b", Err(Denial::Query))]
    fn project_is_read_from_the_query(
        #[case] uri: &'static str,
        #[case] expected: Result<Option<&str>, Denial>,
    ) {
        assert_eq!(project(&Uri::from_static(uri)), expected.map(|it| it.map(str::to_owned)));
    }
}
