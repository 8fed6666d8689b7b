// SPDX-License-Identifier: Apache-2.0
use super::documents::Site;
use super::script::{STYLE, script};

/// A file of a site.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SiteFile {
    /// The path in the folder of the site, such as `data/overview.js`.
    pub path: String,
    /// The content type.
    pub content_type: &'static str,
    /// The content.
    pub content: String,
}

impl Site<'_> {
    /// Passes all files to `each`; the page comes last, and the others are in the folder `run`.
    ///
    /// # Errors
    /// Fails if `each` fails, or `serde_json`, which does not happen for strings.
    pub fn files<E: From<serde_json::Error>>(
        &self,
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
        self.documents().each(|name, json| {
            let call = format!("gardenGate(\"{name}\",{json});\n");
            each(in_run(&format!("{name}.js"), SCRIPT, call))
        })?;
        each(SiteFile {
            path: "index.html".to_owned(),
            content_type: "text/html; charset=utf-8",
            content: self.index(run),
        })
    }
}
