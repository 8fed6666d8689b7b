use super::index::site_index;
use super::landscape::Landscape;
use super::script::{STYLE, script};

/// A file of a site.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SiteFile {
    /// The path in the folder of the site, such as `20261210T000000Z/overview.js`.
    pub path: String,
    /// The content type.
    pub content_type: &'static str,
    /// The content.
    pub content: String,
}

/// Passes all files of a site to `each`; the page comes last.
///
/// All but the page are in the folder `run`.
///
/// # Errors
/// Fails if `each` fails, or `serde_json`, which does not happen for strings.
pub fn site_files<E: From<serde_json::Error>>(
    landscape: &Landscape,
    run: &str,
    mut each: impl FnMut(SiteFile) -> Result<(), E>,
) -> Result<(), E> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let in_run = |name: &str, content_type, content| SiteFile {
        path: format!("{run}/{name}"),
        content_type,
        content,
    };
    each(in_run("site.css", "text/css; charset=utf-8", STYLE.to_owned()))?;
    each(in_run("site.js", SCRIPT, script().to_owned()))?;
    landscape.documents(|document| {
        let call = format!("gardenGate(\"{}\",{});\n", document.name, document.json);
        each(in_run(&format!("{}.js", document.name), SCRIPT, call))
    })?;
    let content = site_index(landscape, run);
    each(SiteFile {
        path: "index.html".to_owned(),
        content_type: "text/html; charset=utf-8",
        content,
    })
}
