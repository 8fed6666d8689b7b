// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

/// The elements of a list by their names; of duplicates the first one is used.
#[derive(Debug)]
pub struct ByName<'a, T> {
    list: &'a [T],
    name: fn(&T) -> &str,
    /// Empty for few elements, which are searched.
    index: HashMap<&'a str, &'a T>,
}

/// Maximum number of elements that are searched faster than an index is made.
const FEW: usize = 16;

impl<'a, T> ByName<'a, T> {
    /// Creates an index of `list`; `name` returns the name of an element.
    pub fn of(list: &'a [T], name: fn(&T) -> &str) -> Self {
        let indexed = if list.len() > FEW { list } else { &[] };
        let index = indexed.iter().rev().map(|it| (name(it), it)).collect();
        Self { list, name, index }
    }

    /// Returns the whole list.
    pub fn all(&self) -> &'a [T] {
        self.list
    }

    /// Returns the first element with a name.
    pub fn get(&self, name: &str) -> Option<&'a T> {
        if self.list.len() > FEW {
            self.index.get(name).copied()
        } else {
            self.list.iter().find(|it| (self.name)(it) == name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn by_name_first_of_several_counts() {
        for others in [0, 100] {
            let others = (0..others).map(|number| (number.to_string(), 0));
            let named = [("a", 1), ("a", 2), ("b", 3)].map(|(name, it)| (name.to_owned(), it));
            let list: Vec<(String, i32)> = named.into_iter().chain(others).collect();
            let by_name = ByName::of(&list, |(name, _)| name);
            assert_eq!(by_name.get("a").unwrap().1, 1);
            assert_eq!(by_name.get("b").unwrap().1, 3);
            assert_eq!(by_name.get("c"), None);
        }
    }
}
