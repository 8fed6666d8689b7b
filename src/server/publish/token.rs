// SPDX-License-Identifier: Apache-2.0
use axum::http::{HeaderMap, header};

use super::denial::Denial;

/// Maximum length of a token, which limits the headers of HTTP/2 anyway.
const LONGEST: usize = 8 << 10;

/// Returns the bearer token of a request.
///
/// Malformed tokens are refused here, so that they cost the API server nothing.
pub(super) fn token(headers: &HeaderMap) -> Result<&str, Denial> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(Denial::NoToken);
    };
    let (scheme, token) =
        value.to_str().map_err(|_| Denial::InvalidToken)?.split_once(' ').ok_or(Denial::NoToken)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Denial::NoToken);
    }
    let token = token.trim_matches(' ');
    if token.len() <= LONGEST && is_token(token) { Ok(token) } else { Err(Denial::InvalidToken) }
}

/// Reports whether a string has the syntax of bearer tokens in RFC 6750.
fn is_token(token: &str) -> bool {
    let characters = token.trim_end_matches('=');
    let is_valid = |it: u8| it.is_ascii_alphanumeric() || b"-._~+/".contains(&it);
    !characters.is_empty() && characters.bytes().all(is_valid)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};
    use rstest::rstest;

    use super::{Denial, LONGEST, token};

    fn headers(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append(header::AUTHORIZATION, value);
        }
        headers
    }

    #[rstest]
    #[case::none(&[], Denial::NoToken)]
    #[case::two(&["Bearer a", "Bearer b"], Denial::NoToken)]
    #[case::basic(&["Basic YTpi"], Denial::NoToken)]
    #[case::scheme_only(&["Bearer"], Denial::NoToken)]
    #[case::empty(&["Bearer "], Denial::InvalidToken)]
    #[case::padding_only(&["Bearer =="], Denial::InvalidToken)]
    #[case::space(&["Bearer a b"], Denial::InvalidToken)]
    #[case::comma(&["Bearer a,b"], Denial::InvalidToken)]
    #[case::not_ascii(&["Bearer ä"], Denial::InvalidToken)]
    fn token_of_other_headers_is_refused(#[case] values: &[&str], #[case] expected: Denial) {
        assert_eq!(token(&headers(values)), Err(expected));
    }

    #[test]
    fn token_is_read_up_to_the_limit() {
        assert_eq!(token(&headers(&["bearer  a.b-c_d~e+f/g=="])), Ok("a.b-c_d~e+f/g=="));
        let longest = format!("Bearer {}", "x".repeat(LONGEST));
        assert!(token(&headers(&[&longest])).is_ok());
        let longer = format!("{longest}x");
        assert_eq!(token(&headers(&[&longer])), Err(Denial::InvalidToken));
    }
}
