// SPDX-License-Identifier: Apache-2.0
//! The graph of imports: an arrow from a file to each file that declares a name it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

/// The path of a module below the crate: `admission`, `request`.
type Module = Vec<String>;

/// A use of a name: the module that uses it, and its full path below the crate.
struct Use {
    from: Module,
    path: Vec<String>,
}

/// All modules of the crate except tests, and the names that they use of each other.
#[derive(Default)]
pub(super) struct Imports {
    files: BTreeMap<Module, String>,
    /// The names that the `use` items of each module bring into scope, with their full paths.
    names: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
    uses: Vec<Use>,
}

/// Parses one file.
struct Reader<'a> {
    imports: &'a mut Imports,
    module: Module,
}

impl Imports {
    /// Parses the crate with the root `lib.rs` in a folder.
    pub(super) fn read(src: &Path) -> Self {
        let mut imports = Self::default();
        imports.read_module(src, Vec::new(), "lib.rs");
        imports.uses.retain(|it| !it.path.is_empty());
        imports
    }

    fn read_module(&mut self, src: &Path, module: Module, file: &str) {
        let text = fs::read_to_string(src.join(file)).unwrap();
        let syntax = syn::parse_file(&text).unwrap();
        self.files.insert(module.clone(), file.to_owned());
        for item in &syntax.items {
            let syn::Item::Mod(item) = item else { continue };
            if item.content.is_some() || is_test(&item.attrs) {
                continue;
            }
            let child = [&module[..], &[item.ident.to_string()]].concat();
            let plain = format!("{}.rs", child.join("/"));
            let folder = format!("{}/mod.rs", child.join("/"));
            let is_plain = src.join(&plain).is_file();
            self.read_module(src, child, if is_plain { &plain } else { &folder });
        }
        let mut reader = Reader { imports: self, module };
        reader.visit_file(&syntax);
    }

    /// Returns the module that declares `path`, following re-exports.
    fn home(&self, path: &[String], depth: usize) -> Option<Module> {
        let count = (0..=path.len()).rev().find(|it| self.files.contains_key(&path[..*it]))?;
        let (module, rest) = path.split_at(count);
        let Some(name) = rest.first().filter(|_| depth < 8) else {
            return Some(module.to_vec());
        };
        if let Some(target) = self.names.get(module).and_then(|names| names.get(name)) {
            let target = [&target[..], &rest[1..]].concat();
            if target != path {
                return self.home(&target, depth + 1);
            }
        }
        Some(module.to_vec())
    }

    /// Returns for each file the files whose names it uses, each with one of these names.
    pub(super) fn arrows(&self) -> BTreeMap<(String, String), String> {
        let mut arrows = BTreeMap::new();
        for Use { from, path } in &self.uses {
            let Some(home) = self.home(path, 0) else {
                continue;
            };
            if home != *from {
                let arrow = (self.files[from].clone(), self.files[&home].clone());
                arrows.entry(arrow).or_insert_with(|| path.join("::"));
            }
        }
        arrows
    }
}

impl Reader<'_> {
    /// Resolves a path; `None` if it is local or belongs to another crate.
    fn resolve(&self, path: &[String]) -> Option<Vec<String>> {
        let mut base = self.module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (base, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|it| it == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [&base[..], &[first.to_owned()]].concat();
                let known = self.imports.names.get(&self.module);
                if let Some(target) = known.and_then(|names| names.get(first)) {
                    return Some([&target[..], &path[1..]].concat());
                }
                if path.len() < 2 || !self.imports.files.contains_key(&child) {
                    return None;
                }
            }
        }
        Some([&base[..], rest].concat())
    }

    /// Records a use; lists of rules are skipped, since they only register rules.
    fn note(&mut self, path: &[String]) {
        if matches!(path.last().map(String::as_str), Some("RULE" | "RULES")) {
            return;
        }
        if let Some(path) = self.resolve(path) {
            let from = self.module.clone();
            self.imports.uses.push(Use { from, path });
        }
    }

    fn import(&mut self, tree: &syn::UseTree, before: &[String], is_passed_on: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let (name, path) = match tree {
            syn::UseTree::Path(it) => return self.import(&it.tree, &with(&it.ident), is_passed_on),
            syn::UseTree::Group(group) => {
                let trees = group.items.iter();
                return trees.for_each(|tree| self.import(tree, before, is_passed_on));
            }
            syn::UseTree::Name(it) if it.ident == "self" => {
                (before.last().unwrap().clone(), before.to_vec())
            }
            syn::UseTree::Name(it) => (it.ident.to_string(), with(&it.ident)),
            syn::UseTree::Rename(it) if it.ident == "self" => {
                (it.rename.to_string(), before.to_vec())
            }
            syn::UseTree::Rename(it) => (it.rename.to_string(), with(&it.ident)),
            syn::UseTree::Glob(_) => ("*".to_owned(), before.to_vec()),
        };
        let Some(path) = self.resolve(&path) else {
            return;
        };
        let is_child = path.len() > self.module.len() && path.starts_with(&self.module);
        if !is_passed_on || !is_child {
            let (from, path) = (self.module.clone(), path.clone());
            self.imports.uses.push(Use { from, path });
        }
        let names = self.imports.names.entry(self.module.clone()).or_default();
        names.insert(name, path);
    }

    /// Macros are not parsed: every path among their tokens counts.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        use proc_macro2::TokenTree::{Group, Ident, Literal, Punct};
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut index = 0;
        while index < tokens.len() {
            match &tokens[index] {
                Group(group) => self.tokens(group.stream()),
                Ident(first) if first == "pub" => {
                    let is_group = matches!(tokens.get(index + 1), Some(Group(_)));
                    index += usize::from(is_group);
                }
                Ident(first) => {
                    let mut path = vec![first.to_string()];
                    while let [Punct(a), Punct(b), Ident(next), ..] = &tokens[index + 1..]
                        && a.as_char() == ':'
                        && b.as_char() == ':'
                    {
                        path.push(next.to_string());
                        index += 3;
                    }
                    let is_call = matches!(tokens.get(index + 1), Some(Group(_)));
                    self.used(&path, is_call);
                }
                Literal(literal) => {
                    let text = literal.to_string();
                    let path: Vec<String> =
                        text.trim_matches('"').split("::").map(str::to_owned).collect();
                    if path.len() > 1 && ["crate", "super", "self"].contains(&path[0].as_str()) {
                        self.note(&path);
                    }
                }
                Punct(_) => {}
            }
            index += 1;
        }
    }

    /// A variable may have the name of an import.
    fn used(&mut self, path: &[String], is_call: bool) {
        let is_variable = path.len() == 1 && path[0].starts_with(|it: char| it.is_lowercase());
        if is_call || !is_variable {
            self.note(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_file(&mut self, file: &'ast syn::File) {
        // Names come first, as items may precede the `use` that they need.
        for item in &file.items {
            if let syn::Item::Use(item) = item
                && !is_test(&item.attrs)
            {
                self.visit_item_use(item);
            }
        }
        let others = file.items.iter().filter(|it| !matches!(it, syn::Item::Use(_)));
        others.for_each(|item| self.visit_item(item));
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_passed_on = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &[], is_passed_on);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            assert!(item.content.is_none(), "{} is in another module's file", item.ident);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(function) = &*call.func {
            self.used(&segments(&function.path), true);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.used(&segments(path), false);
        visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.used(&segments(&item.path), true);
        self.tokens(item.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }
}

fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|it| it.ident.to_string()).collect()
}

/// Reports whether an item is compiled for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return attribute.path().is_ident("test");
        };
        list.path.is_ident("cfg") && list.tokens.to_string() == "test"
    })
}

/// Returns the strongly connected components with more than one file.
pub(super) fn cycles(arrows: &BTreeMap<(String, String), String>) -> Vec<BTreeSet<&str>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        next.keys().map(|file| (*file, reached(file, &next))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|it| it.contains(to));
    let mut cycles = BTreeSet::new();
    for (file, others) in &reached {
        let back = others.iter().copied().filter(|it| reaches(it, file));
        let cycle: BTreeSet<&str> = back.collect();
        if !cycle.is_empty() {
            cycles.insert(cycle);
        }
    }
    cycles.into_iter().collect()
}

fn reached<'a>(start: &'a str, next: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(file) = open.pop() {
        let further = next.get(file).into_iter().flatten();
        open.extend(further.copied().filter(|it| seen.insert(*it)));
    }
    seen
}
