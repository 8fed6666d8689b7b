// SPDX-License-Identifier: Apache-2.0
use super::evaluate::{CONSTRUCTION, LIST, LOOKUP, MAP};
use super::functions::Price;
use super::node::{Base, Call, Fold, FoldKind, Key, Node, Path};

/// The assumed number of elements of a list or map.
const ELEMENTS: u64 = 128;
/// The assumed number of characters of a string.
const CHARACTERS: u64 = 256;
/// The assumed number of objects that a lookup returns, which is the limit of its result.
const OBJECTS: u64 = 10_000;

/// The highest cost of an expression, and the size of its result if it is known.
#[derive(Clone, Copy, Debug, Default)]
struct Bound {
    cost: u64,
    size: Option<u64>,
}

/// Returns an estimate of the highest cost of an expression.
pub(super) fn cost_bound(node: &Node) -> u64 {
    bound(node).cost
}

fn sum<'n>(nodes: impl IntoIterator<Item = &'n Node>) -> u64 {
    let costs = nodes.into_iter().map(|it| bound(it).cost);
    costs.fold(0, u64::saturating_add)
}

fn bound(node: &Node) -> Bound {
    let of = |cost| Bound { cost, size: None };
    match node {
        Node::Constant(value) => Bound { cost: 0, size: Some(value.size()) },
        Node::Path(path) => of(path_cost(path)),
        Node::Conditional(parts) => of(sum(parts.iter())),
        Node::And(parts) | Node::Or(parts) => of(sum(parts.iter())),
        Node::OptionalOr(parts) | Node::OptionalOrValue(parts) => of(sum(parts.iter())),
        Node::Call(call) => of(call_cost(call)),
        Node::Pattern(it) => of(call_cost(&it.call)),
        Node::Membership(it) => of(bound(&it.value).cost),
        Node::List(elements) => Bound {
            cost: sum(elements.iter().map(|it| &it.value)).saturating_add(LIST),
            size: u64::try_from(elements.len()).ok(),
        },
        Node::Map(entries) => Bound {
            cost: sum(entries.iter().flat_map(|it| [&it.key, &it.value])).saturating_add(MAP),
            size: u64::try_from(entries.len()).ok(),
        },
        Node::Construction(it) => {
            of(sum(it.fields.iter().map(|it| &it.value)).saturating_add(CONSTRUCTION))
        }
        Node::Fold(fold) => fold_cost(fold),
        Node::OptionalMap(it) => {
            let target = bound(&it.target).cost.saturating_mul(2);
            of(target.saturating_add(bound(&it.body).cost).saturating_add(3))
        }
        Node::SortBy(it) => {
            let square = ELEMENTS * ELEMENTS * 3;
            of(sum([&it.target, &it.keys]).saturating_add(square))
        }
        Node::Lookup(call) => {
            Bound { cost: sum(&call.arguments).saturating_add(LOOKUP), size: Some(OBJECTS) }
        }
        Node::Declared => of(1),
    }
}

fn path_cost(path: &Path) -> u64 {
    let base = match &path.base {
        Base::Root(_) | Base::Local(_) => 1,
        Base::Variable(_) | Base::Lookup(_) => 2,
        Base::Conditional(parts) => sum(parts.iter()),
        Base::Node(node) => bound(node).cost.saturating_add(1),
    };
    path.steps.iter().fold(base, |cost, step| match &step.key {
        Key::Constant(_) => cost.saturating_add(1),
        Key::Computed(node) => cost.saturating_add(1).saturating_add(bound(node).cost),
    })
}

fn fold_cost(fold: &Fold) -> Bound {
    let range = bound(&fold.range);
    let count = range.size.unwrap_or(ELEMENTS);
    let overhead = match fold.kind {
        FoldKind::All => 3,
        FoldKind::Exists => 4,
        FoldKind::ExistsOne => 2,
        FoldKind::List | FoldKind::Filter => 2 + LIST,
        FoldKind::Map => 3,
        FoldKind::Entries => 2,
    };
    let each = sum(fold.filter.iter().chain([&fold.body])).saturating_add(overhead);
    let cost = range.cost.saturating_add(count.saturating_mul(each));
    let is_list = matches!(fold.kind, FoldKind::List | FoldKind::Filter);
    Bound { cost: cost.saturating_add(2), size: is_list.then_some(count) }
}

fn call_cost(call: &Call) -> u64 {
    let arguments: Vec<Bound> = call.arguments.iter().map(bound).collect();
    let size = |index: usize, assumed: u64| {
        let argument = arguments.get(index).and_then(|it| it.size);
        argument.unwrap_or(assumed)
    };
    let text = |index| size(index, CHARACTERS);
    let list = |index| size(index, ELEMENTS);
    let price = match call.function.price {
        Price::One => 1,
        Price::Traversal | Price::Bytes => text(0).div_ceil(10),
        Price::Construction | Price::Join => text(0).div_ceil(5),
        Price::Regex | Price::Format => {
            (text(0) + 1).div_ceil(10).saturating_mul(text(1).div_ceil(4))
        }
        Price::Contains => text(0).div_ceil(10).saturating_mul(text(1).div_ceil(10)),
        Price::Equality | Price::Inequality | Price::Order => text(0).min(text(1)).div_ceil(10),
        Price::Sum => text(0).saturating_add(text(1)).div_ceil(10),
        Price::Membership => list(1),
        Price::Elements => list(0).saturating_mul(CHARACTERS / 10),
        Price::Result | Price::Flatten => list(0).saturating_mul(2).saturating_add(11),
        Price::Square | Price::Sort => {
            let size = list(0);
            size.saturating_mul(size).saturating_mul(3).saturating_add(11)
        }
        Price::Product => list(0).saturating_mul(list(1)).saturating_add(1),
        Price::DoubleProduct => list(0).saturating_mul(list(1)).saturating_mul(2).saturating_add(1),
        Price::ContainsIp | Price::ContainsCidr => 16,
    };
    let costs = arguments.iter().map(|it| it.cost);
    costs.fold(price, u64::saturating_add)
}
