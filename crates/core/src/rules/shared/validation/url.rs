// SPDX-License-Identifier: Apache-2.0
use garden_gate_text::go::Url;

/// Returns the reasons why a URL is not one with `https`, without user, query and fragment.
pub(crate) fn https_errors(url: &Url) -> impl Iterator<Item = &'static str> {
    let errors = [
        (url.scheme != "https", "its scheme is not `https`"),
        (url.has_user, "it has a user"),
        (!url.query.is_empty(), "it has a query"),
        (!url.fragment.is_empty(), "it has a fragment"),
    ];
    let wrong = errors.into_iter().filter(|(is_wrong, _)| *is_wrong);
    wrong.map(|(_, why)| why)
}

/// Returns the reasons why a URL is not the address of a server: those of [`https_errors`], or no host.
pub(crate) fn address_errors(url: &Url) -> impl Iterator<Item = &'static str> {
    let host = url.host.is_empty().then_some("it has no host");
    https_errors(url).chain(host)
}

/// Returns the reason why a string cannot be the URL of an issuer in a Shoot.
///
/// Mirrors ValidateOIDCIssuerURL in `pkg/api/core/validation/shoot.go` of Gardener.
pub(crate) fn issuer_error(text: &str) -> Option<&'static str> {
    match Url::parse(text) {
        Ok(url) => address_errors(&url).next(),
        Err(why) => Some(why),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::https("https://a.io", true)]
    #[case::path("https://a.io:443/x y", true)]
    #[case::scheme_in_upper_case("HTTPS://a.io", true)]
    #[case::empty_query_and_fragment("https://a.io?#", true)]
    #[case::http("http://a.io", false)]
    #[case::no_scheme("a.io", false)]
    #[case::no_host("https:///x", false)]
    #[case::user("https://me@a.io", false)]
    #[case::query("https://a.io/?x", false)]
    #[case::fragment("https://a.io#x", false)]
    #[case::space_in_host("https://a b.io", false)]
    #[case::port("https://a.io:https", false)]
    #[case::escape("https://a.io/%zz", false)]
    fn issuers_of_shoots(#[case] text: &str, #[case] is_right: bool) {
        assert_eq!(issuer_error(text).is_none(), is_right);
    }
}
