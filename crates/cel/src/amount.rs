// SPDX-License-Identifier: Apache-2.0
use garden_gate_text::go::Quantity;

/// A quantity with the notation on which `isInteger` depends in Kubernetes.
#[derive(Clone, Debug)]
pub struct Amount {
    pub(super) quantity: Quantity,
    /// The power of ten of the number, if Kubernetes keeps it in 64 bits.
    scale: Option<i64>,
    /// The number of its digits at most, in bytes.
    length: usize,
}

const WRONG_FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";
/// The length of a number of 128 bits.
const NUMBER: usize = 40;
/// The finest scale.
const NANO: i64 = -9;

impl Amount {
    /// Parses a quantity.
    ///
    /// # Errors
    /// Returns the message of Kubernetes.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let Ok((quantity, scale)) = Quantity::parse_with_scale(text) else {
            return Err(if Quantity::has_syntax(text) { WRONG_SUFFIX } else { WRONG_FORMAT });
        };
        let scale = scale.filter(|it| at_scale(quantity.nanos(), *it).is_some());
        Ok(Self { quantity, scale, length: text.len() })
    }

    /// Returns the length of the string from which it was parsed, in bytes.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Returns the quantity of an integer.
    pub(super) fn of_int(number: i64) -> Option<Self> {
        Some(Self {
            quantity: Quantity::parse(&format!("{number}e0")).ok()?,
            scale: Some(0),
            length: NUMBER,
        })
    }

    /// Returns the number if it is an integer in its notation: `1.0` is none.
    pub(super) fn as_integer(&self) -> Option<i64> {
        self.scale.filter(|scale| *scale >= 0)?;
        at_scale(self.quantity.nanos(), 0)
    }

    /// Returns the sum, or the difference; `None` beyond 128 bits.
    pub(super) fn plus(&self, other: &Self, is_negative: bool) -> Option<Self> {
        let is_exact = |it: i128| it != i128::MAX && it != -i128::MAX;
        let (a, b) = (self.quantity.nanos(), other.quantity.nanos());
        if !is_exact(a) || !is_exact(b) {
            return None;
        }
        let b = if is_negative { -b } else { b };
        let sum = a.checked_add(b).filter(|it| is_exact(*it))?;
        let scale = match (self.scale, other.scale) {
            (Some(scale), Some(_)) if b == 0 => Some(scale),
            (Some(_), Some(scale)) if a == 0 => Some(scale),
            (Some(first), Some(second)) => Some(first.min(second))
                .filter(|it| [a, b, sum].into_iter().all(|nanos| at_scale(nanos, *it).is_some())),
            _ => None,
        };
        let of_format = if a == 0 { other } else { self };
        Some(Self { quantity: of_format.quantity.with_nanos(sum), scale, length: NUMBER })
    }
}

/// Returns billionths as a number of 64 bits with that power of ten.
fn at_scale(nanos: i128, scale: i64) -> Option<i64> {
    let power = u32::try_from(scale - NANO).ok()?;
    let unit = 10_i128.checked_pow(power)?;
    (nanos % unit == 0).then_some(nanos / unit)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Amount;

    /// Answers of `AsInt64` in `k8s.io/apimachinery` v0.36.1.
    #[rstest]
    #[case("50k", Some(50_000))]
    #[case("1e3", Some(1_000))]
    #[case("1Gi", Some(1 << 30))]
    #[case("0", Some(0))]
    #[case("1000m", None)]
    #[case("1.0", None)]
    #[case("1.5Gi", None)]
    #[case("m", None)]
    #[case("9223372036854775807", None)]
    #[case("1000000000000000000n", None)]
    fn integer_depends_on_the_notation(#[case] text: &str, #[case] expected: Option<i64>) {
        assert_eq!(Amount::parse(text).unwrap().as_integer(), expected);
    }
}
