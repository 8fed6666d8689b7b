// SPDX-License-Identifier: Apache-2.0
//! The script and the style of the site.

use std::sync::LazyLock;

/// The style of the site.
pub const STYLE: &str = concat!(
    include_str!("../../../../../web/base.css"),
    include_str!("../../../../../web/site.css")
);

macro_rules! files {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../../web/", $folder, "/", $name)))),+]
    };
}

/// The view library: classic scripts that define globals.
const LIBRARY: &[(&str, &str)] = files!("vendor": "preact.umd.js", "hooks.umd.js", "htm.umd.js");

/// The modules of the site, as in `web/src/order.txt`.
const MODULES: &[(&str, &str)] = files!("src":
    "view.js",
    "text.js",
    "data.js",
    "route.js",
    "parts.js",
    "list.js",
    "times.js",
    "labels.js",
    "search.js",
    "timeline.js",
    "overview.js",
    "clusters.js",
    "projects.js",
    "actions.js",
    "shoot.js",
    "versions.js",
    "findings.js",
    "markdown.js",
    "rules.js",
    "app.js",
);

static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let mut script = String::new();
    for (_, library) in LIBRARY {
        script.push_str(library);
        script.push_str("\n;");
    }
    script.push_str("(() => {\n\"use strict\";\n");
    for (_, module) in MODULES {
        script.extend(
            module
                .lines()
                .filter(|it| !it.starts_with("import "))
                .flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]),
        );
    }
    script.push_str("})();\n");
    script
});

/// Returns the script of the site, a classic one, since browsers load no modules for pages of files.
///
/// It is the library, then all modules in one scope, without imports and exports.
pub fn script() -> &'static str {
    &SCRIPT
}

#[cfg(test)]
mod tests {
    use super::MODULES;

    #[test]
    fn modules_are_in_the_order_of_the_tests_of_pages() {
        let order = include_str!("../../../../../web/src/order.txt");
        let names: Vec<&str> = MODULES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, order.lines().collect::<Vec<_>>());
    }
}
