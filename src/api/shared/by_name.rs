use std::collections::HashMap;

/// The elements of a list by their names; of duplicates the first one is used.
#[derive(Debug)]
pub struct ByName<'a, T> {
    list: &'a [T],
    index: HashMap<&'a str, &'a T>,
}

impl<'a, T> ByName<'a, T> {
    /// Creates an index of `list`; `name` returns the name of an element.
    pub fn of(list: &'a [T], name: fn(&T) -> &str) -> Self {
        let index = list.iter().rev().map(|it| (name(it), it)).collect();
        Self { list, index }
    }

    /// Returns the whole list.
    pub fn all(&self) -> &'a [T] {
        self.list
    }

    /// Returns the first element with a name.
    pub fn get(&self, name: &str) -> Option<&'a T> {
        self.index.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn by_name_first_of_several_counts() {
        let list = [("a", 1), ("a", 2), ("b", 3)];
        let by_name = ByName::of(&list, |(name, _)| name);
        assert_eq!(by_name.get("a"), Some(&("a", 1)));
        assert_eq!(by_name.get("c"), None);
    }
}
