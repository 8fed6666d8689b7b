// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

/// Maximum number of users that a message names.
const NAMED: usize = 3;

/// The users of an object: the first few in order, and the total number.
#[derive(Default)]
pub(crate) struct Users {
    first: BTreeSet<String>,
    count: usize,
}

impl Users {
    /// Adds a set of users that is disjoint from the earlier ones.
    ///
    /// `users` are sorted and `count` is their number.
    pub(crate) fn add<T: ToString>(&mut self, users: impl IntoIterator<Item = T>, count: usize) {
        let first = users.into_iter().take(NAMED);
        self.first.extend(first.map(|user| user.to_string()));
        while self.first.len() > NAMED {
            self.first.pop_last();
        }
        self.count += count;
    }

    /// Returns the number of users.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Formats the users: ``Shoot `a/b` ``, or ``Shoots `a/b`, `a/c`, `a/d` and 5 more``.
    pub(crate) fn describe(&self, kind: &str) -> String {
        let plural = if self.count == 1 { "" } else { "s" };
        let names = self.first.iter().map(|name| format!("`{name}`"));
        format!("{kind}{plural} {}", name_some(names, self.count))
    }
}

/// Joins the named users and the number of the others, out of `count`.
pub(crate) fn name_some(named: impl Iterator<Item = String>, count: usize) -> String {
    let named: Vec<String> = named.collect();
    let more = count.saturating_sub(named.len());
    match (named.split_last(), more) {
        (None, _) => "nothing".to_owned(),
        (Some((only, [])), 0) => only.clone(),
        (Some((last, others)), 0) => format!("{} and {last}", others.join(", ")),
        (Some(_), more) => [&named.join(", "), " and ", &more.to_string(), " more"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Users;

    #[rstest]
    #[case(&["a"], 1, "Shoot `a`")]
    #[case(&["b", "a"], 2, "Shoots `a` and `b`")]
    #[case(&["a", "b", "c", "d", "e"], 5, "Shoots `a`, `b`, `c` and 2 more")]
    fn users_are_named(#[case] names: &[&str], #[case] count: usize, #[case] text: &str) {
        let mut users = Users::default();
        users.add(names, count);
        assert_eq!(users.describe("Shoot"), text);
        assert_eq!(users.count(), count);
    }
}
