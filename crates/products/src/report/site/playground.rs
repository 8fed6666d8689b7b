// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::sync::Arc;

use garden_gate_core::rules;

/// The content security policy of the playground, which compiles WebAssembly and styles its editors with scripts.
pub const PLAYGROUND_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

/// The playground next to a site: a page that judges manifests in the browser.
///
/// It is in the folder `playground` next to the page of the site.
#[derive(Clone, Debug)]
pub struct Playground {
    /// The ids of rules with an example, sorted.
    examples: Arc<[&'static str]>,
}

impl Playground {
    /// The path of its page, relative to the page of the site. Browsers open no folder of a disk.
    pub(super) const PAGE: &'static str = "playground/index.html";

    /// Returns a playground with these files, of which the examples of known rules count.
    pub fn of<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let files: BTreeSet<&str> = files.collect();
        let mut examples: Vec<&'static str> = rules::ALL.iter().map(|it| it.id).collect();
        examples.retain(|id| files.contains(&*format!("examples/{}.json", id.replace('/', "_"))));
        examples.sort_unstable();
        Self { examples: examples.into() }
    }

    /// Returns the ids of rules with an example, separated by spaces.
    pub(super) fn examples(&self) -> String {
        self.examples.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::{PLAYGROUND_POLICY, Playground};

    #[test]
    fn policy_of_the_page_is_that_of_servers() {
        let page = include_str!("../../../../../packages/playground/index.html");
        assert!(page.contains(&format!("content=\"{PLAYGROUND_POLICY}\"")), "{page}");
    }

    #[test]
    fn examples_are_those_of_known_rules() {
        let files = [
            "index.html",
            "examples/shoot_no-such-rule.json",
            "examples/shoot_hibernated-change.json",
            "examples/shoot_\"><script>.json",
            "examples/start.json",
            "shoot_region.json",
        ];
        assert_eq!(Playground::of(files.into_iter()).examples(), "shoot/hibernated-change");
        assert_eq!(Playground::of([].into_iter()).examples(), "");
    }
}
