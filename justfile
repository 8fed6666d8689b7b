# Tasks of developers: `just --list`. Each is a command that can be typed without just.

# Runs all tests that take no other programs and no minutes of attacks.
test:
    cargo test --locked

# Runs units and the rules.
quick:
    cargo test --locked --lib --test core

# Runs all tests; cluster builds kube-apiserver, etcd and helm with Go.
test-all: test
    cargo test --locked --test hostile --test cluster

# Checks format, lints and documentation.
lint:
    cargo fmt --check
    git ls-files -z "src/rules/*.rs" | xargs -0 rustfmt --check
    cargo clippy --locked --all-targets -- -D warnings
    cargo clippy --locked --test hostile --test cluster -- -D warnings

# Formats the code.
fmt:
    cargo fmt
    git ls-files -z "src/rules/*.rs" | xargs -0 rustfmt

# Builds the documentation of the library and the book.
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items
    .ci/book

# Renews every generated file and snapshot; read the diff before you commit it.
accept:
    UPDATE_ALSO=1 cargo test --locked --test core sweep
    UPDATE_CORPUS=1 UPDATE_AGREEMENT=1 INSTA_UPDATE=always cargo test --locked --no-fail-fast --test cli --test server --test core
    UPDATE_DOCS=1 INSTA_UPDATE=always cargo test --locked --test meta

# Runs everything that CI runs.
ci:
    .ci/run
