// SPDX-License-Identifier: Apache-2.0
use super::libraries;
use super::signature::Signature;
use crate::meter::{COST_LIMIT, Meter};
use crate::value::{Evaluated, Value};

/// An implementation: all overloads of a function, chosen by the types of the arguments.
pub(crate) type Implementation = fn(&mut Meter, &[Value]) -> Evaluated;

/// A function that is called on an object, or one that is not.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: &'static str,
    /// Whether the first argument is before the name, as in `text.size()`.
    pub(crate) is_member: bool,
    pub(crate) overloads: Vec<Signature>,
    pub(crate) price: Price,
    pub(crate) call: Implementation,
}

/// The cost of a call at run time, by the sizes of its arguments or result.
///
/// Mirrors `runtimecost.go` of cel-go and `cost.go` of `k8s.io/apiserver/pkg/cel/library`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Price {
    /// A cost of 1.
    One,
    /// A tenth of the first argument.
    Traversal,
    /// A fifth of the first argument.
    Construction,
    /// A fifth of the result.
    Join,
    /// Text times regular expression.
    Regex,
    /// Like [`Price::Regex`] for the function with a receiver.
    Contains,
    /// A tenth of the smaller argument; 1 for values of libraries.
    Equality,
    /// A tenth of the smaller argument.
    Inequality,
    /// A tenth of the smaller argument if both are declared as strings or bytes; otherwise 1.
    Order,
    /// A tenth of both if they are declared as strings or bytes; otherwise 1.
    Sum,
    /// The size of the list if it is declared as one; otherwise 1.
    Membership,
    /// A tenth of the first argument if it is declared as bytes or the result is; otherwise 1.
    Bytes,
    /// The elements of the list, with their contents.
    Elements,
    /// The size of the result.
    Result,
    /// The size of the first argument times the depth.
    Flatten,
    /// The square of the size.
    Square,
    /// Like [`Price::Square`], if there is one overload; otherwise 1.
    Sort,
    /// The product of both sizes.
    Product,
    /// The product of both sizes twice.
    DoubleProduct,
    /// The address and the network.
    ContainsIp,
    /// Both networks.
    ContainsCidr,
    /// Text times the regular expression of the format.
    Format,
}

fn tenth(size: u64) -> u64 {
    size.div_ceil(10)
}

impl Price {
    /// Adds the cost, which counts before the call unless it depends on the result.
    pub(crate) fn charge(
        self,
        meter: &mut Meter,
        arguments: &[Value],
        is_single: bool,
    ) -> Evaluated<()> {
        let cost = match (self, arguments.first()) {
            (Self::Elements, Some(list)) => traversal(meter, list)?,
            _ => self.of(arguments, is_single),
        };
        meter.charge(cost)
    }

    /// Returns the cost of arguments whose elements do not count; it takes no time.
    fn of(self, arguments: &[Value], is_single: bool) -> u64 {
        let size = |index: usize| arguments.get(index).map_or(1, Value::size);
        let (first, second) = (size(0), size(1));
        let is_text = |it: &Value| matches!(it, Value::String(_) | Value::Bytes(_));
        let both_text = is_single && arguments.iter().all(is_text);
        match self {
            Self::One => 1,
            Self::Join | Self::Result | Self::Elements => 0,
            Self::Traversal => tenth(first),
            Self::Construction => first.saturating_mul(2).div_ceil(10),
            Self::Regex => tenth(first.saturating_add(1)).saturating_mul(second.div_ceil(4)),
            Self::Contains => tenth(first).saturating_mul(tenth(second)),
            Self::Equality if matches!(arguments.first(), Some(Value::Library(_))) => 1,
            Self::Equality | Self::Inequality => tenth(first.min(second)),
            Self::Order if both_text => tenth(first.min(second)),
            Self::Sum if both_text => tenth(first.saturating_add(second)),
            Self::Membership if is_single && matches!(arguments.get(1), Some(Value::List(_))) => {
                second
            }
            Self::Bytes if is_single => tenth(first),
            Self::Order | Self::Sum | Self::Membership | Self::Bytes => 1,
            Self::Flatten => {
                let depth = match arguments.get(1) {
                    Some(Value::Int(depth)) => u64::try_from(*depth).unwrap_or(0),
                    _ => 1,
                };
                allocation(first.saturating_mul(depth))
            }
            Self::Sort if !is_single => 1,
            Self::Square | Self::Sort => allocation(square(arguments.last())),
            Self::Product => first.saturating_mul(second).saturating_add(1),
            Self::DoubleProduct => first.saturating_mul(second).saturating_mul(2).saturating_add(1),
            Self::ContainsIp | Self::ContainsCidr => {
                let mut cost = tenth(first.saturating_mul(2));
                if self == Self::ContainsCidr {
                    cost = cost.saturating_add(tenth(first)).saturating_add(1);
                }
                match arguments.get(1) {
                    Some(Value::String(_)) => cost.saturating_add(tenth(second)),
                    _ => cost,
                }
            }
            Self::Format => {
                let length = arguments.first().and_then(libraries::format_length).unwrap_or(1);
                tenth(second.saturating_add(1)).saturating_mul(length.div_ceil(4))
            }
        }
    }

    /// Returns the cost that depends on the result; an error has the size 1.
    pub(crate) fn of_result(self, result: Option<&Value>) -> u64 {
        let size = result.map_or(1, Value::size);
        match self {
            Self::Join => size.saturating_mul(2).div_ceil(10),
            Self::Result => allocation(size),
            _ => 0,
        }
    }
}

/// Returns the cost of a call that returns a new list.
fn allocation(size: u64) -> u64 {
    size.saturating_add(11)
}

/// Returns the cost of comparing the elements of a list with each other.
fn square(list: Option<&Value>) -> u64 {
    let Some(Value::List(list)) = list else {
        return 0;
    };
    let size = u64::try_from(list.items.len()).unwrap_or(u64::MAX);
    let squared = size.saturating_mul(size);
    match list.items.first() {
        Some(Value::String(_) | Value::Bytes(_)) => squared.saturating_mul(21) / 10,
        _ => squared.saturating_mul(2),
    }
}

/// Maximum number of values that count for a traversal, so that it ends.
const MOST_TRAVERSED: u64 = COST_LIMIT + 1;

/// Returns the cost of a traversal of all values in a value.
fn traversal(meter: &mut Meter, value: &Value) -> Evaluated<u64> {
    let text = |length: usize| u64::try_from(length).unwrap_or(u64::MAX) / 10;
    let (mut open, mut cost) = (vec![value], 0_u64);
    while let Some(value) = open.pop().filter(|_| cost <= MOST_TRAVERSED) {
        // Short strings have no cost.
        meter.visit(1)?;
        let own = match value {
            Value::String(it) => text(it.len()),
            Value::Bytes(it) => text(it.len()),
            Value::List(list) => {
                meter.visit(list.items.len())?;
                open.extend(&list.items);
                0
            }
            Value::Map(map) => {
                meter.visit(map.len())?;
                open.extend(map.iter().flat_map(|(key, value)| [key, value]));
                0
            }
            _ => 1,
        };
        cost = cost.saturating_add(own);
    }
    Ok(cost)
}
