use super::value::Value;

/// The number of bytes of a string that take as much memory as a value.
const VALUE: usize = 32;

impl Value {
    /// Returns the number of values in it; long strings count more than once.
    #[must_use]
    pub fn weight(&self) -> u64 {
        let text = |length: usize| u64::try_from(1 + length / VALUE).unwrap_or(u64::MAX);
        match self {
            Self::String(it) => text(it.len()),
            Self::Bytes(it) => text(it.len()),
            Self::List(list) => 1 + list.items.iter().map(Self::weight).sum::<u64>(),
            Self::Map(map) => {
                let weights = map.iter().map(|(key, value)| key.weight() + value.weight());
                1 + weights.sum::<u64>()
            }
            Self::Optional(Some(value)) => 1 + value.weight(),
            _ => 1,
        }
    }
}
