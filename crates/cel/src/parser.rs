// SPDX-License-Identifier: Apache-2.0
use cel::common::ast::{EntryExpr, Expr, IdedExpr, LiteralValue, SourceInfo, operators};
use cel::parser::Parser;
use cel::{Env, ParseErrors};

use garden_gate_text::go::clip;

/// Maximum size of a parsed expression, in bytes: the depth of the syntax tree grows with it.
const LONGEST: usize = 4096;
/// Maximum nesting of brackets in a parsed expression; each level takes several KiB of the parser's stack.
const DEEPEST: usize = 32;
/// Maximum nesting of expressions without brackets, such as conditions in conditions.
const MOST_NESTED: u16 = 64;
/// Maximum size of an expression of a policy, in bytes.
const LONGEST_OF_POLICY: usize = 16 * 1024;
/// Maximum number of operators, dots and brackets in an expression of a policy: each can make the syntax tree deeper.
const MOST_OPERATORS: usize = 2048;
/// Maximum length of a parser's message, in bytes.
const LONGEST_MESSAGE: usize = 200;

/// The syntax tree of a CEL expression. Types are not checked.
#[derive(Debug)]
pub struct CelExpression(IdedExpr);

/// The reason why there is no syntax tree.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CelError {
    /// A syntax error.
    Syntax {
        /// The line in the expression, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// The expression is too long or too deeply nested for the parser.
    TooComplex,
}

impl CelExpression {
    /// Parses an expression with the syntax of Kubernetes, which has optional values.
    ///
    /// # Errors
    /// Fails on a syntax error, and for expressions that are longer or deeper than the parser's stack permits.
    pub fn parse(text: &str) -> Result<Self, CelError> {
        if text.len() > LONGEST || depth(text) > DEEPEST {
            return Err(CelError::TooComplex);
        }
        let parser = Parser::new().enable_optional_syntax(true).max_recursion_depth(MOST_NESTED);
        parser.parse(text).map(Self).map_err(error)
    }

    /// Reports whether the expression selects a field of a variable, such as `claims.email`.
    pub fn selects(&self, variable: &str, field: &str) -> bool {
        let is_variable = |it: &IdedExpr| matches!(&it.expr, Expr::Ident(name) if name == variable);
        let is_field = |it: &IdedExpr| matches!(&it.expr, Expr::Literal(LiteralValue::String(name)) if name.inner() == field);
        // The tree may be as deep as the text is long.
        let mut open = vec![&self.0];
        while let Some(next) = open.pop() {
            match &next.expr {
                Expr::Select(select) => {
                    if select.field == field && is_variable(&select.operand) {
                        return true;
                    }
                    open.push(&select.operand);
                }
                Expr::Call(call) => {
                    if let [operand, name] = &call.args[..]
                        && call.func_name == operators::OPT_SELECT
                        && is_variable(operand)
                        && is_field(name)
                    {
                        return true;
                    }
                    open.extend(call.target.as_deref());
                    open.extend(&call.args);
                }
                Expr::List(list) => open.extend(&list.elements),
                Expr::Map(map) => map.entries.iter().for_each(|it| push(&it.expr, &mut open)),
                Expr::Struct(it) => it.entries.iter().for_each(|it| push(&it.expr, &mut open)),
                Expr::Comprehension(it) => open.extend([
                    &it.iter_range,
                    &it.accu_init,
                    &it.loop_cond,
                    &it.loop_step,
                    &it.result,
                ]),
                Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => {}
            }
        }
        false
    }
}

/// Parses an expression of a policy: macros are left as the calls that they are written as.
///
/// # Errors
/// Fails as [`CelExpression::parse`].
pub(crate) fn parse_calls(text: &str) -> Result<(IdedExpr, SourceInfo), CelError> {
    let is_operator = |byte: &u8| byte.is_ascii_punctuation() && !b"_'\",".contains(byte);
    let operators = text.bytes().filter(|byte| is_operator(byte)).count();
    if text.len() > LONGEST_OF_POLICY || operators > MOST_OPERATORS || depth(text) > DEEPEST {
        return Err(CelError::TooComplex);
    }
    let parser = Env::default().parser().max_recursion_depth(MOST_NESTED);
    parser.parse_with_source_info(text).map_err(error)
}

/// Returns the first error of the parser.
fn error(ParseErrors { errors, .. }: ParseErrors) -> CelError {
    if errors.iter().any(|it| it.msg.contains("Recursion limit")) {
        return CelError::TooComplex;
    }
    let (line, column, message) = errors.first().map_or_else(Default::default, |it| {
        let position = |number: isize| usize::try_from(number).unwrap_or_default().max(1);
        (position(it.pos.0), position(it.pos.1), plain(&it.msg))
    });
    CelError::Syntax { line, column, message }
}

fn push<'e>(entry: &'e EntryExpr, open: &mut Vec<&'e IdedExpr>) {
    match entry {
        EntryExpr::StructField(it) => open.push(&it.value),
        EntryExpr::MapEntry(it) => open.extend([&it.key, &it.value]),
    }
}

/// Returns the maximum nesting of brackets; those in strings count, too.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Shortens a message: without its prefix, and without the list of all tokens that would be valid.
fn plain(message: &str) -> String {
    let message = message.strip_prefix("Syntax error: ").unwrap_or(message);
    let (message, _) = message.split_once(" expecting ").unwrap_or((message, ""));
    clip(message.to_owned(), LONGEST_MESSAGE)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{CelError, CelExpression};

    #[rstest]
    #[case::comparison("claims.email_verified == true")]
    #[case::optional_value("claims.?email.orValue('x')")]
    #[case::presence("has(claims.a) && claims.a.exists(x, x == 'b')")]
    #[case::function("user.groups.all(g, !g.startsWith('system:'))")]
    #[case::several_lines("a\n  || b // comment")]
    #[case::deep(&format!("{}1{}", "(".repeat(32), ")".repeat(32)))]
    #[case::long(&format!("a{}", ".b".repeat(2_000)))]
    fn valid_expression_parsed(#[case] text: &str) {
        assert!(CelExpression::parse(text).is_ok());
    }

    #[rstest]
    #[case::empty("", 1)]
    #[case::assignment("claims.a = 'b'", 1)]
    #[case::second_line("true\n|| |", 2)]
    #[case::open("(a", 1)]
    #[case::macro_argument("has(x)", 1)]
    fn syntax_error_has_a_line(#[case] text: &str, #[case] expected: usize) {
        let Err(CelError::Syntax { line, message, .. }) = CelExpression::parse(text) else {
            unreachable!("{text} has no syntax error");
        };
        assert_eq!(line, expected);
        assert!(!message.is_empty() && !message.contains("expecting"), "{message}");
    }

    #[rstest]
    #[case::brackets(&"[".repeat(4_000))]
    #[case::calls(&"f(".repeat(100))]
    #[case::conditions(&format!("{}c", "a?b:".repeat(1_000)))]
    #[case::length(&"a".repeat(5_000))]
    fn complex_expression_not_parsed(#[case] text: &str) {
        assert_eq!(CelExpression::parse(text).unwrap_err(), CelError::TooComplex);
    }

    #[rstest]
    #[case::field("claims.email", true)]
    #[case::nested("has(claims.a) ? [claims.email.split('@')[0]] : ['']", true)]
    #[case::presence("has(claims.email)", true)]
    #[case::optional("claims.?email.orValue('')", true)]
    #[case::in_a_macro("[1].all(x, claims.email == 'a')", true)]
    #[case::in_a_map("{'a': claims.email}", true)]
    #[case::another_field("claims.email_verified", false)]
    #[case::another_variable("user.email", false)]
    #[case::below("claims.a.email", false)]
    #[case::index("claims['email']", false)]
    fn selected_fields_found(#[case] text: &str, #[case] expected: bool) {
        let expression = CelExpression::parse(text).unwrap();
        assert_eq!(expression.selects("claims", "email"), expected);
    }
}
