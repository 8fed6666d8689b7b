use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Up to so many elements, looking through a list is quicker than an index of it, and allocates nothing.
const FEW: usize = 16;

/// The elements of a list by their names; of several with the same name the first counts.
#[derive(Debug)]
pub struct ByName<'a, T> {
    list: &'a [T],
    name: fn(&T) -> &str,
    index: Option<HashMap<&'a str, &'a T>>,
}

impl<'a, T> ByName<'a, T> {
    /// An index of `list`, whose elements have the name that `name` reads.
    #[must_use]
    pub fn of(list: &'a [T], name: fn(&T) -> &str) -> Self {
        let index = (list.len() > FEW).then(|| {
            let mut index = HashMap::with_capacity(list.len());
            for element in list {
                index.entry(name(element)).or_insert(element);
            }
            index
        });
        Self { list, name, index }
    }

    /// The whole list.
    #[must_use]
    pub fn all(&self) -> &'a [T] {
        self.list
    }

    /// The first element of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a T> {
        match &self.index {
            Some(index) => index.get(name).copied(),
            None => self.list.iter().find(|it| (self.name)(it) == name),
        }
    }
}

/// What is in a list.
#[derive(Debug)]
pub struct Among<'a, T> {
    list: &'a [T],
    set: Option<HashSet<&'a T>>,
}

impl<'a, T: Eq + Hash> Among<'a, T> {
    /// The elements of `list`.
    #[must_use]
    pub fn of(list: &'a [T]) -> Self {
        let set = (list.len() > FEW).then(|| list.iter().collect());
        Self { list, set }
    }

    /// Whether the list has an element that equals this one.
    #[must_use]
    pub fn contains(&self, element: &T) -> bool {
        match &self.set {
            Some(set) => set.contains(element),
            None => self.list.contains(element),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static READ: Cell<usize> = const { Cell::new(0) };
    }

    /// How many names are read until each of so many elements was found once.
    fn names_read(count: usize) -> usize {
        let list: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        READ.set(0);
        let by_name = ByName::of(&list, |name| {
            READ.set(READ.get() + 1);
            name
        });
        assert!(list.iter().all(|name| by_name.get(name) == Some(name)));
        READ.get()
    }

    #[test]
    fn finding_every_element_of_a_list_costs_its_length_and_not_the_square_of_it() {
        for count in [1, FEW, FEW + 1, 1_000, 10_000] {
            assert!(names_read(count) <= FEW * count, "{count}");
        }
    }

    #[test]
    fn the_first_of_several_with_a_name_counts_in_short_and_long_lists() {
        for others in [0, 100] {
            let twice = [("a", 1), ("a", 2)].into_iter();
            let list: Vec<(&str, usize)> = twice.chain([("b", 3)].repeat(others)).collect();
            let by_name = ByName::of(&list, |(name, _)| name);
            assert_eq!(by_name.get("a"), Some(&("a", 1)));
            assert_eq!(by_name.get("c"), None);
        }
    }

    #[test]
    fn what_is_in_a_list_is_found_in_short_and_long_lists() {
        for count in [1, 100] {
            let list: Vec<usize> = (0..count).collect();
            let among = Among::of(&list);
            assert!(list.iter().all(|element| among.contains(element)));
            assert!(!among.contains(&count));
        }
    }
}
