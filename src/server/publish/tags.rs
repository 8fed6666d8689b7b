use axum::http::{HeaderMap, header};
use ring::digest::{SHA256, digest};

use garden_gate_text::hexadecimal;

/// Reports whether a client has the content with a tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |it: &str| it.trim().trim_start_matches("W/").to_owned();
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    let mut tags = lists.flat_map(|it| it.split(','));
    tags.any(|it| it.trim() == "*" || opaque(it) == opaque(tag))
}

/// Returns the tag of a content; a weak one, since compressed responses have the same.
pub(super) fn tag(content: &str) -> String {
    let digest = digest(&SHA256, content.as_bytes());
    format!("W/\"{}\"", hexadecimal(&digest.as_ref()[..12]))
}
