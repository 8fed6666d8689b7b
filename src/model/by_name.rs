use std::collections::HashMap;

/// The elements of a list by their names; of several with the same name the first counts.
#[derive(Debug)]
pub struct ByName<'a, T> {
    list: &'a [T],
    index: HashMap<&'a str, &'a T>,
}

impl<'a, T> ByName<'a, T> {
    /// An index of `list`, whose elements have the name that `name` reads.
    #[must_use]
    pub fn of(list: &'a [T], name: fn(&T) -> &str) -> Self {
        let index = list.iter().rev().map(|it| (name(it), it)).collect();
        Self { list, index }
    }

    /// The whole list.
    #[must_use]
    pub fn all(&self) -> &'a [T] {
        self.list
    }

    /// The first element of a name.
    #[must_use]
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
