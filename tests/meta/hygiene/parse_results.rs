// SPDX-License-Identifier: Apache-2.0
//! Places that take what cannot be parsed for nothing.
//!
//! These are `.ok()`, `if let Ok(…) = …` without `else`, and `let Ok(…) = … else` that returns nothing.

use syn::visit::{self, Visit};

/// Functions that parse JSON: the last segments of their paths.
const FUNCTIONS: [&str; 3] = ["from_slice", "from_str", "from_value"];
/// Functions of `crate::json` that parse JSON.
const OWN: [&str; 3] = ["decode", "decode_valid", "decode_value"];
/// Methods that parse JSON.
const METHODS: [&str; 4] = ["decode", "decode_leniently", "header", "read"];
/// Methods of a result that keep the error.
const WRAPPERS: [&str; 3] = ["and_then", "as_ref", "map"];

/// Returns the functions of a file, without tests, in which a parse error is discarded.
pub(super) fn discarding(code: &str) -> Vec<String> {
    let file = syn::parse_file(code).unwrap();
    let mut search = Search::default();
    search.visit_file(&file);
    search.found.dedup();
    search.found
}

#[derive(Default)]
struct Search {
    function: String,
    /// Variables of the function with parse results.
    variables: Vec<String>,
    found: Vec<String>,
}

impl Search {
    fn function(&mut self, name: &syn::Ident, visit: impl FnOnce(&mut Self)) {
        let outer = (name.to_string(), Vec::new());
        let (function, variables) = outer;
        let function = std::mem::replace(&mut self.function, function);
        let variables = std::mem::replace(&mut self.variables, variables);
        visit(self);
        (self.function, self.variables) = (function, variables);
    }

    fn is_parsed(&self, expression: &syn::Expr) -> bool {
        match expression {
            syn::Expr::Call(it) => match &*it.func {
                syn::Expr::Path(path) => is_parser(&path.path),
                _ => false,
            },
            syn::Expr::MethodCall(it) => {
                let method = it.method.to_string();
                let is_wrapped = WRAPPERS.contains(&method.as_str());
                METHODS.contains(&method.as_str()) || is_wrapped && self.is_parsed(&it.receiver)
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                name.is_some_and(|it| self.variables.contains(&it))
            }
            syn::Expr::Paren(it) => self.is_parsed(&it.expr),
            syn::Expr::Reference(it) => self.is_parsed(&it.expr),
            _ => false,
        }
    }

    fn add(&mut self) {
        self.found.push(self.function.clone());
    }
}

/// Reports whether a path is that of a function that parses JSON, and no other one of the same name.
fn is_parser(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter().rev().map(|it| it.ident.to_string());
    let last = segments.next().unwrap_or_default();
    let before = segments.next().unwrap_or_default();
    match before.as_str() {
        "serde_json" => FUNCTIONS.contains(&last.as_str()),
        "json_patch" => last == "patch",
        "" | "json" if OWN.contains(&last.as_str()) => true,
        _ => last == "deserialize",
    }
}

fn is_ok(pattern: &syn::Pat) -> bool {
    matches!(pattern, syn::Pat::TupleStruct(it) if it.path.is_ident("Ok"))
}

/// Reports whether a block only returns, continues or ends a loop, without a value that tells an error.
fn returns_nothing(block: &syn::Expr) -> bool {
    let syn::Expr::Block(block) = block else {
        return true;
    };
    let [syn::Stmt::Expr(statement, _)] = &block.block.stmts[..] else {
        return false;
    };
    let syn::Expr::Return(it) = statement else {
        return true;
    };
    match it.expr.as_deref() {
        None | Some(syn::Expr::Lit(_)) => true,
        Some(syn::Expr::Path(path)) => path.path.is_ident("None"),
        // `Vec::new()` and the like.
        Some(syn::Expr::Call(call)) => call.args.is_empty(),
        Some(_) => false,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    let mut attributes = attributes.iter();
    attributes.any(|it| it.path().is_ident("cfg") || it.path().is_ident("test"))
}

impl<'ast> Visit<'ast> for Search {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig.ident, |it| visit::visit_item_fn(it, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig.ident, |it| visit::visit_impl_item_fn(it, item));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init
            && self.is_parsed(&init.expr)
        {
            match &local.pat {
                syn::Pat::Ident(it) => self.variables.push(it.ident.to_string()),
                pattern if is_ok(pattern) => {
                    let (_, otherwise) = init.diverge.as_ref().unwrap();
                    if returns_nothing(otherwise) {
                        self.add();
                    }
                }
                _ => {}
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_if(&mut self, expression: &'ast syn::ExprIf) {
        if expression.else_branch.is_none() {
            let mut conditions = vec![&*expression.cond];
            while let Some(condition) = conditions.pop() {
                match condition {
                    syn::Expr::Binary(it) => conditions.extend([&*it.left, &*it.right]),
                    syn::Expr::Let(it) if is_ok(&it.pat) && self.is_parsed(&it.expr) => self.add(),
                    _ => {}
                }
            }
        }
        visit::visit_expr_if(self, expression);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "ok" && self.is_parsed(&call.receiver) {
            self.add();
        }
        visit::visit_expr_method_call(self, call);
    }

    /// `Result::ok` as a function, for example in `and_then(Result::ok)`.
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let segments = path.path.segments.iter().map(|it| it.ident.to_string());
        if segments.collect::<Vec<_>>() == ["Result", "ok"] {
            self.add();
        }
        visit::visit_expr_path(self, path);
    }
}
