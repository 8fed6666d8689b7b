// SPDX-License-Identifier: Apache-2.0
//! Limits for the size of messages, whatever the size of the request.

pub(crate) use garden_gate_text::go::and_more;
pub use garden_gate_text::go::clip;
pub(super) use garden_gate_text::number;

/// Returns the leading `items` of `all` that fit into `limit` bytes.
///
/// Between two items are `separator` bytes. If some do not fit, the last item is "and N more", which also fits. The
/// iterator is consumed only as far as necessary.
pub(super) fn fit<T: AsRef<str> + From<String>>(
    items: impl Iterator<Item = T>,
    all: usize,
    limit: usize,
    separator: usize,
) -> Vec<T> {
    let length = |item: &T| item.as_ref().len() + separator;
    let (mut fitting, mut end) = (Vec::new(), 0);
    for item in items {
        if end + item.as_ref().len() > limit {
            let reserve = and_more(all).len();
            end = 0;
            let leaves_room = |item: &&T| {
                end += length(item);
                end + reserve <= limit
            };
            let kept = fitting.iter().take_while(leaves_room).count();
            fitting.truncate(kept);
            fitting.push(and_more(all - fitting.len()).into());
            return fitting;
        }
        end += length(&item);
        fitting.push(item);
    }
    fitting
}

/// Formats a count, such as `0 warnings`, `1 warning` or `2 warnings`.
pub fn number_of(count: usize, one: &str, many: &str) -> String {
    counted(count, one, many).unwrap_or_else(|| format!("0 {many}"))
}

/// Formats a count, such as `1 warning` or `2 warnings`; returns `None` for zero.
pub(super) fn counted(count: usize, one: &str, many: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::fit;

    #[test]
    fn everything_that_fits_is_kept() {
        let items = || vec!["aaaa".to_owned(), "bbbb".to_owned()];
        assert_eq!(fit(items().into_iter(), 2, 10, 2), items());
        assert_eq!(fit(iter::empty::<String>(), 0, 10, 2), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let items = |count| iter::repeat_n("x".repeat(10), count);
        for (count, limit, kept) in [(3, 34, 3), (3, 33, 1), (5, 57, 3), (100, 100, 7), (5, 3, 0)] {
            let fitting = fit(items(count), count, limit, 2);
            let more = format!("and {} more", count - kept);
            assert_eq!(fitting.iter().filter(|it| it.starts_with('x')).count(), kept);
            assert_eq!(fitting.contains(&more), kept < count, "{count} in {limit}");
        }
    }

    #[test]
    fn the_last_item_fits_too() {
        let fitting = fit(iter::repeat_n("y".repeat(200), 1000), 1000, 4096, 0);
        assert!(fitting.iter().map(String::len).sum::<usize>() <= 4096);
    }
}
