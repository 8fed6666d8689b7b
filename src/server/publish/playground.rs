// SPDX-License-Identifier: Apache-2.0
//! The playground next to the published site. It contains nothing of a garden; therefore it needs no token.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::secured::secured_by;
use super::tags::{not_modified, tag_of, with_tag};
use crate::playground::{PAGE, PlaygroundFile, PlaygroundFiles};
use garden_gate_products::report::PLAYGROUND_POLICY;

/// The path of the playground.
pub(super) const PLACE: &str = "/playground/";
/// Smallest file that is compressed, in bytes.
const COMPRESSED_FROM: usize = 1 << 10;

/// A playground in memory, each file also compressed.
#[derive(Debug)]
pub(crate) struct PublishedPlayground {
    files: BTreeMap<String, File>,
}

#[derive(Debug)]
struct File {
    content_type: &'static str,
    tag: String,
    plain: Bytes,
    /// `None` if compression does not make it smaller.
    gzip: Option<Bytes>,
}

impl PublishedPlayground {
    /// Compresses the files, which takes about half a second.
    pub(crate) fn new(read: PlaygroundFiles) -> Self {
        let files = read.files.into_iter().map(|(path, file)| (path, File::new(file)));
        Self { files: files.collect() }
    }

    /// Returns the memory of all files in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let sizes = self.files.values().map(|it| {
            let gzip = it.gzip.as_ref().map_or(0, Bytes::len);
            (it.plain.len() + gzip) as u64
        });
        sizes.sum()
    }

    fn answer(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let file = self.files.get(if path.is_empty() { PAGE } else { path })?;
        Some(secured_by(file.answer(headers), PLAYGROUND_POLICY))
    }
}

impl File {
    fn new(file: PlaygroundFile) -> Self {
        let PlaygroundFile { content_type, content, checksum } = file;
        let gzip = (content.len() >= COMPRESSED_FROM)
            .then(|| compressed(&content))
            .flatten()
            .filter(|it| it.len() < content.len())
            .map(Bytes::from);
        let tag = tag_of(&checksum);
        Self { content_type, tag, plain: content.into(), gzip }
    }

    fn answer(&self, headers: &HeaderMap) -> Response {
        let whole = || self.whole(accepts_gzip(headers));
        let mut response = not_modified(headers, &self.tag).unwrap_or_else(whole);
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        with_tag(response, &self.tag)
    }

    fn whole(&self, accepts_gzip: bool) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| accepts_gzip);
        let content = gzip.unwrap_or(&self.plain).clone();
        let mut response = ([(header::CONTENT_TYPE, self.content_type)], content).into_response();
        if gzip.is_some() {
            let encoding = HeaderValue::from_static("gzip");
            response.headers_mut().insert(header::CONTENT_ENCODING, encoding);
        }
        response
    }
}

/// Compresses a content; `None` if that fails, which does not happen in memory.
fn compressed(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).ok()?;
    encoder.finish().ok()
}

/// Reports whether a client reads gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|it| it.to_str().ok());
    let mut codings = lists.flat_map(|it| it.split(',')).map(|it| {
        let (name, weight) = it.split_once(';').unwrap_or((it, ""));
        let quality = weight.trim().trim_start_matches(['q', 'Q']).trim_start_matches('=');
        (name.trim(), quality.parse() != Ok(0.0))
    });
    codings.any(|(name, is_accepted)| is_accepted && name.eq_ignore_ascii_case("gzip"))
}

/// Adds the files of a playground to the port. Other paths below it are not found.
pub(super) fn routes(
    router: Router,
    playground: Arc<PublishedPlayground>,
    absent: fn() -> Response,
) -> Router {
    let own = Arc::clone(&playground);
    let file = move |path: Result<Path<String>, PathRejection>, headers: HeaderMap| async move {
        let path = path.map_or_else(|_| "\u{fffd}".to_owned(), |Path(path)| path);
        own.answer(&path, &headers).unwrap_or_else(absent)
    };
    let page = move |headers: HeaderMap| async move {
        playground.answer("", &headers).unwrap_or_else(absent)
    };
    // Relative, since a proxy may serve the port below a path.
    let folder = || async {
        let to = [(header::LOCATION, "playground/")];
        secured_by((StatusCode::PERMANENT_REDIRECT, to).into_response(), PLAYGROUND_POLICY)
    };
    router
        .route("/playground", get(folder))
        .route(PLACE, get(page))
        .route("/playground/{*path}", get(file))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};
    use rstest::rstest;

    use super::accepts_gzip;

    #[rstest]
    #[case(&["gzip"], true)]
    #[case(&["br, GZIP;q=0.5"], true)]
    #[case(&["br", "deflate, gzip"], true)]
    #[case(&["gzip;q=0"], false)]
    #[case(&["gzip; q=0.000"], false)]
    #[case(&["gzipped, x-gzip, br"], false)]
    #[case(&[""], false)]
    #[case(&[], false)]
    fn gzip_is_sent_to_clients_that_read_it(#[case] values: &[&str], #[case] expected: bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap());
        }
        assert_eq!(accepts_gzip(&headers), expected);
    }
}
