// SPDX-License-Identifier: Apache-2.0
//! Rewrites source files so that the environment variable `MUTANT` chooses one of their mutants at run time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Pat, Signature};

use crate::{Mutant, Position};

/// A part of a rewritten expression.
#[derive(Clone)]
enum Piece {
    Text(String),
    /// A range of the source file, which may contain other mutants.
    Source(Range<usize>),
}

/// The replacement of a range of the source file; an insertion if the range is empty.
struct Edit {
    range: Range<usize>,
    pieces: Vec<Piece>,
}

/// Collects the edits of a file.
struct Rewriter<'a> {
    text: &'a str,
    /// The mutants by genre and span, in bytes.
    mutants: BTreeMap<(&'a str, usize, usize), Vec<&'a Mutant>>,
    edits: Vec<Edit>,
    rewritten: BTreeSet<usize>,
}

/// Returns the rewritten text of a file, and the ids of the mutants that it contains.
///
/// The code of mutants is between two comments, `/*m:1,2{*/` and `/*m}*/`.
pub(crate) fn rewrite(text: &str, mutants: &[&Mutant]) -> (String, BTreeSet<usize>) {
    let mut by_span = BTreeMap::<_, Vec<_>>::new();
    for mutant in mutants {
        let [start, end] = [&mutant.span.start, &mutant.span.end].map(|it| offset(text, it));
        let key = (mutant.genre.as_str(), start, end);
        by_span.entry(key).or_default().push(*mutant);
    }
    let mut rewriter =
        Rewriter { text, mutants: by_span, edits: Vec::new(), rewritten: BTreeSet::new() };
    rewriter.visit_file(&syn::parse_file(text).unwrap());
    let position = |it: &Edit| (it.range.start, !it.range.is_empty(), Reverse(it.range.end));
    rewriter.edits.sort_by_key(position);
    (rewriter.render(0..text.len()), rewriter.rewritten)
}

/// Returns the ids of the innermost mutants whose code contains an offset of a rewritten text.
pub(crate) fn mutants_at(rewritten: &str, offset: usize) -> Vec<usize> {
    let mut open = Vec::new();
    let marks = rewritten.match_indices("/*m");
    for (at, _) in marks.take_while(|(at, _)| *at <= offset) {
        match rewritten[at..].strip_prefix("/*m:") {
            Some(rest) => open.push(rest.split('{').next().unwrap()),
            None => _ = open.pop(),
        }
    }
    let ids = open.last().into_iter().flat_map(|it| it.split(','));
    ids.map(|id| id.parse().unwrap()).collect()
}

/// Converts a position, in lines and characters from 1, into an offset in bytes.
fn offset(text: &str, position: &Position) -> usize {
    let lines = text.split_inclusive('\n').take(position.line - 1);
    let start: usize = lines.map(str::len).sum();
    let mut characters = text[start..].char_indices();
    let character = characters.nth(position.column - 1);
    character.map_or(text.len(), |(at, _)| start + at)
}

fn open(mutants: &[&Mutant]) -> String {
    let ids: Vec<_> = mutants.iter().map(|it| it.id.to_string()).collect();
    format!("/*m:{}{{*/", ids.join(","))
}

const CLOSE: &str = "/*m}*/";

fn is_on(mutant: &Mutant) -> String {
    format!("crate::mutants::is_on({})", mutant.id)
}

/// Returns an expression that is `mutated` if the mutant is on, and otherwise the expression that follows.
fn choice(mutant: &Mutant, mutated: Vec<Piece>) -> Vec<Piece> {
    let mut pieces = mutated;
    let before = format!("{}if {} {{ ", open(&[mutant]), is_on(mutant));
    pieces.insert(0, Piece::Text(before));
    pieces.push(Piece::Text(format!(" }}{CLOSE} else ")));
    pieces
}

/// Reports whether an operand of `&&` is a pattern.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(it) => has_let(&it.left) || has_let(&it.right),
        _ => false,
    }
}

impl<'a> Rewriter<'a> {
    /// Returns a range of the source file with its edits, without insertions at its ends, which belong to the enclosing code.
    fn render(&self, range: Range<usize>) -> String {
        let (mut rendered, mut at) = (String::new(), range.start);
        let is_whole = range.len() == self.text.len();
        for Edit { range: it, pieces } in &self.edits {
            let is_inside = if it.is_empty() {
                is_whole || (range.start < it.start && it.end < range.end)
            } else {
                range.start <= it.start && it.end <= range.end
            };
            if !is_inside || it.start < at {
                continue;
            }
            rendered += &self.text[at..it.start];
            for piece in pieces {
                match piece {
                    Piece::Text(text) => rendered += text,
                    Piece::Source(range) => rendered += &self.render(range.clone()),
                }
            }
            at = it.end;
        }
        rendered + &self.text[at..range.end]
    }

    /// Returns the mutants of a genre with a span, for the rewritten text.
    fn take(&mut self, genre: &'static str, span: &Range<usize>) -> Vec<&'a Mutant> {
        let mutants = self.mutants.remove(&(genre, span.start, span.end)).unwrap_or_default();
        self.rewritten.extend(mutants.iter().map(|it| it.id));
        mutants
    }

    fn insert(&mut self, at: usize, text: String) {
        self.replace(at..at, vec![Piece::Text(text)]);
    }

    fn replace(&mut self, range: Range<usize>, pieces: Vec<Piece>) {
        self.edits.push(Edit { range, pieces });
    }

    /// Inserts early returns of replacements; a function that returns `impl Trait` can have only one type.
    fn rewrite_body(&mut self, signature: &Signature, block: &Block) {
        let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) else {
            return;
        };
        if self.text[signature.output.span().byte_range()].contains("impl ") {
            return;
        }
        let start = first.span().byte_range().start;
        for mutant in self.take("FnValue", &(start..last.span().byte_range().end)) {
            let (open, is_on) = (open(&[mutant]), is_on(mutant));
            let returned = &mutant.replacement;
            let text = format!("{open}if {is_on} {{ return {returned}; }}{CLOSE} ");
            self.insert(start, text);
        }
    }

    fn rewrite_binary(&mut self, binary: &syn::ExprBinary) {
        let operator = binary.op.span().byte_range();
        let mutants = self.take("BinaryOperator", &operator);
        let Some(first) = mutants.first() else { return };
        let operator = &self.text[operator];
        let [left, right] = [&binary.left, &binary.right].map(|it| it.span().byte_range());
        let whole = left.start..right.end;
        let [left, right] = [left, right].map(Piece::Source);
        let text = |text: &str| Piece::Text(text.to_owned());
        let choose = |left: Piece, right: Piece| {
            let with = |operator: &str| {
                let operator = Piece::Text(format!(" {operator} "));
                vec![left.clone(), operator, right.clone()]
            };
            let choices = mutants.iter().flat_map(|it| choice(it, with(&it.replacement)));
            let mut pieces: Vec<_> = choices.collect();
            pieces.push(text("{ "));
            pieces.extend(with(operator));
            pieces.push(text(" }"));
            pieces
        };
        let flip = format!("crate::mutants::flip({}, ", first.id);
        // Each operand is evaluated as often as without mutants.
        let pieces = match binary.op {
            BinOp::Eq(_) | BinOp::Ne(_) => {
                let operator = Piece::Text(format!(" {operator} "));
                vec![Piece::Text(flip), left, operator, right, text(")")]
            }
            // De Morgan: `a || b` is `!(!a && !b)`.
            BinOp::And(_) | BinOp::Or(_) => {
                let operator = Piece::Text(format!(") {operator} {flip}"));
                let before = Piece::Text(format!("{flip}{flip}"));
                vec![before, left, operator, right, text("))")]
            }
            BinOp::Lt(_) | BinOp::Gt(_) | BinOp::Le(_) | BinOp::Ge(_) => {
                let mut pieces = vec![text("(match (&("), left, text("), &("), right];
                pieces.push(text(")) { (left, right) => "));
                pieces.extend(choose(text("*left"), text("*right")));
                pieces.push(text(" })"));
                pieces
            }
            _ if operator.ends_with('=') => {
                let mut pieces = vec![text("(match ("), right, text(") { right => ")];
                pieces.extend(choose(left, text("right")));
                pieces.push(text(" })"));
                pieces
            }
            _ => {
                let mut pieces = vec![text("(match ("), left, text(", "), right];
                pieces.push(text(") { (left, right) => "));
                pieces.extend(choose(text("left"), text("right")));
                pieces.push(text(" })"));
                pieces
            }
        };
        let marks = [vec![Piece::Text(open(&mutants))], vec![text(CLOSE)]];
        let [before, after] = marks;
        self.replace(whole, [before, pieces, after].concat());
    }

    fn rewrite_guard(&mut self, guard: &Expr) {
        let span = guard.span().byte_range();
        let (mut before, mut after) = (String::new(), String::new());
        // Their order is `true`, `false`.
        for mutant in self.take("MatchArmGuard", &span).into_iter().rev() {
            let (open, is_on) = (open(&[mutant]), is_on(mutant));
            if mutant.replacement == "false" {
                before += &format!("{open}!{is_on}{CLOSE} && ");
            } else if has_let(guard) {
                self.rewritten.remove(&mutant.id);
            } else {
                before += &format!("({open}{is_on}{CLOSE} || (");
                after = "))".to_owned();
            }
        }
        // `||` binds less tightly than `&&`.
        if !before.is_empty() && after.is_empty() && !has_let(guard) {
            before += "(";
            after += ")";
        }
        self.insert(span.start, before);
        self.insert(span.end, after);
    }
}

impl<'ast> Visit<'ast> for Rewriter<'_> {
    // Constants are evaluated at compile time.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    fn visit_item_fn(&mut self, it: &'ast syn::ItemFn) {
        if it.sig.constness.is_none() {
            self.rewrite_body(&it.sig, &it.block);
            visit::visit_item_fn(self, it);
        }
    }

    fn visit_impl_item_fn(&mut self, it: &'ast syn::ImplItemFn) {
        if it.sig.constness.is_none() {
            self.rewrite_body(&it.sig, &it.block);
            visit::visit_impl_item_fn(self, it);
        }
    }

    fn visit_trait_item_fn(&mut self, it: &'ast syn::TraitItemFn) {
        if let Some(block) = &it.default {
            self.rewrite_body(&it.sig, block);
        }
        visit::visit_trait_item_fn(self, it);
    }

    fn visit_expr_binary(&mut self, it: &'ast syn::ExprBinary) {
        if !has_let(&it.left) && !has_let(&it.right) {
            self.rewrite_binary(it);
        }
        visit::visit_expr_binary(self, it);
    }

    fn visit_expr_unary(&mut self, it: &'ast syn::ExprUnary) {
        let [operator, operand] = [it.op.span().byte_range(), it.expr.span().byte_range()];
        if let [mutant] = self.take("UnaryOperator", &operator)[..] {
            let before = Piece::Text(format!("{}(match (", open(&[mutant])));
            let (is_on, sign) = (is_on(mutant), &self.text[operator.clone()]);
            let after = format!(") {{ it => if {is_on} {{ it }} else {{ {sign}it }} }}){CLOSE}");
            let pieces = vec![before, Piece::Source(operand.clone()), Piece::Text(after)];
            self.replace(operator.start..operand.end, pieces);
        }
        visit::visit_expr_unary(self, it);
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        let is_wild = |it: &syn::Arm| matches!(it.pat, Pat::Wild(_)) && it.guard.is_none();
        let is_complete = it.arms.iter().any(is_wild);
        for arm in &it.arms {
            if let Some((_, guard)) = &arm.guard {
                self.rewrite_guard(guard);
            }
            if is_complete && let [mutant] = self.take("MatchArm", &arm.span().byte_range())[..] {
                let (open, is_on) = (open(&[mutant]), is_on(mutant));
                let end = arm.pat.span().byte_range().end;
                self.insert(end, format!(" {open}if !{is_on}{CLOSE}"));
            }
        }
        visit::visit_expr_match(self, it);
    }
}
