use axum::body::Bytes;

/// A page with a fixed content.
#[derive(Clone, Debug)]
pub struct DemoPage {
    /// The path, beginning with `/`.
    pub path: &'static str,
    /// The content type.
    pub content_type: &'static str,
    /// The content.
    pub body: Bytes,
}
