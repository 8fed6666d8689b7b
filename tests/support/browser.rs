// SPDX-License-Identifier: Apache-2.0
//! A browser without a window, for tests of pages.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use scraper::{Html, Selector};
use serde_json::Value;
use tempfile::TempDir;

/// The colours that a page should have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Scheme {
    Dark,
    Light,
}

/// Returns the value of the function `script` in a page, which runs when everything is loaded.
///
/// The browser is the program in `CHROMIUM`, or `chromium`.
pub(crate) fn evaluate(page: &str, script: &str, scheme: Scheme) -> Value {
    let page = format!(
        "<script>addEventListener('error', (it) => {{ document.title = it.message; }});</script>{page}<script>
        addEventListener('load', () => {{
            const found = (() => {{ {script} }})();
            const result = document.createElement('pre'); result.id = 'found';
            result.textContent = JSON.stringify(found); document.body.replaceChildren(result);
        }});</script>"
    );
    let dom = dom_of(&page, scheme);
    let text = |selector: &str| {
        let selector = Selector::parse(selector).unwrap();
        let element = dom.select(&selector).next();
        element.map(|it| it.text().collect::<String>())
    };
    let found = text("#found").unwrap_or_else(|| unreachable!("{:?}", text("title")));
    serde_json::from_str(&found).unwrap()
}

/// Returns the document of a page after all of its scripts have run.
pub(crate) fn dom_of(page: &str, scheme: Scheme) -> Html {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, page).unwrap();
    let colours = match scheme {
        Scheme::Dark => 0,
        Scheme::Light => 1,
    };
    let profile = folder.path().join("profile");
    let browser = env::var_os("CHROMIUM").unwrap_or(OsString::from("chromium"));
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
        .args(["--disable-dev-shm-usage", "--hide-scrollbars"])
        // Otherwise, pages of files may not measure other files in frames.
        .arg("--allow-file-access-from-files")
        .arg(format!("--blink-settings=preferredColorScheme={colours}"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--dump-dom", &format!("file://{}", file.display())])
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(!output.stdout.is_empty(), "{log}");
    Html::parse_document(&String::from_utf8(output.stdout).unwrap())
}

/// Asserts that no page is wider than a window of 400 pixels; `is_themed` accepts the classes of their root elements.
pub(crate) fn assert_narrow(pages: &[&Path], scheme: Scheme, is_themed: impl Fn(&str) -> bool) {
    // Each frame takes memory.
    for pages in pages.chunks(60) {
        let frame = |page: &&Path| {
            let page = page.display();
            format!("<iframe src='file://{page}' style='width:400px;height:800px'></iframe>")
        };
        let frames: String = pages.iter().map(frame).collect();
        let script = "return [...document.querySelectorAll('iframe')].map((it) => {
            const root = it.contentDocument.documentElement;
            return { page: it.src, inner: root.clientWidth, width: root.scrollWidth, theme: root.className };
        });";
        let answer = evaluate(&format!("<body>{frames}"), script, scheme);
        let found = answer.as_array().unwrap();
        assert_eq!(found.len(), pages.len());
        for page in found {
            assert_eq!([&page["inner"], &page["width"]], [400, 400], "{page}");
            assert!(is_themed(page["theme"].as_str().unwrap()), "{page}");
        }
    }
}
