// SPDX-License-Identifier: Apache-2.0
//! Names of documents.

use sha2::{Digest as _, Sha256};

use garden_gate_text::hexadecimal;

/// Maximum number of Shoots in a file.
const SHOOTS_AT_ONCE: usize = 25;

/// How documents are named.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Naming {
    /// By number, and several Shoots in a document: the names of files of one run.
    Numbers,
    /// By the names of objects, so that the name of a document stays the same from run to run, and between replicas.
    Names,
}

impl Naming {
    /// Returns the name of the document about a namespace, which has this number.
    pub fn project(self, number: usize, namespace: &str) -> String {
        match self {
            Self::Numbers => format!("project/{number}"),
            Self::Names => format!("projects/{}", part(namespace)),
        }
    }

    /// Returns the name of the document with a Shoot, which has this position.
    pub(super) fn shoot(self, position: usize, (namespace, name): (&str, &str)) -> String {
        match self {
            Self::Numbers => format!("shoots/{}", position / SHOOTS_AT_ONCE),
            Self::Names => format!("shoots/{}/{}", part(namespace), part(name)),
        }
    }

    /// Returns the name of the document about a rule, which has this position.
    pub(super) fn rule(self, position: usize, id: &str) -> String {
        match self {
            Self::Numbers => format!("rule/{position}"),
            Self::Names => format!("rules/{id}"),
        }
    }

    /// Returns the number of Shoots in a document.
    pub(super) fn shoots_at_once(self) -> usize {
        match self {
            Self::Numbers => SHOOTS_AT_ONCE,
            Self::Names => 1,
        }
    }
}

/// Returns a name as part of a path; a digest for names that the API server would refuse.
fn part(name: &str) -> String {
    let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || b"-.".contains(&it);
    let is_usual = name.bytes().all(is_plain) && name.bytes().any(|it| it != b'.');
    if is_usual { name.to_owned() } else { format!("~{}", hexadecimal(&Sha256::digest(name)[..8])) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Naming, part};

    #[rstest]
    #[case("garden-dev", "garden-dev")]
    #[case("a.b", "a.b")]
    #[case("", "~e3b0c44298fc1c14")]
    #[case("..", "~")]
    #[case("a/b", "~")]
    #[case("A", "~")]
    #[case("~e3b0c44298fc1c14", "~")]
    #[case("a%2fb", "~")]
    fn unusual_names_are_digests(#[case] name: &str, #[case] expected: &str) {
        let part = part(name);
        assert!(part.starts_with(expected), "{part}");
        assert_eq!(part == name, !expected.starts_with('~'));
    }

    #[test]
    fn names_of_documents_are_numbers_or_names() {
        let shoot = ("garden-dev", "web");
        assert_eq!(Naming::Numbers.shoot(25, shoot), "shoots/1");
        assert_eq!(Naming::Names.shoot(25, shoot), "shoots/garden-dev/web");
        assert_eq!(Naming::Names.project(3, "garden-dev"), "projects/garden-dev");
        assert_eq!(Naming::Names.rule(3, "shoot/x"), "rules/shoot/x");
    }
}
