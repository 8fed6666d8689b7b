# Tasks of developers: `just --list`. Each is a command that can be typed without just.

# Run all tests that need no other programs and no minutes of attacks.
test:
    cargo test --locked

# Run unit tests and the tests of rules.
quick:
    cargo test --locked --lib --test core

# Run all tests; cluster builds kube-apiserver, etcd and helm with Go, and --ignored needs chromium and mdBook.
test-all: test
    cargo test --locked --test hostile --test cluster
    .ci/browser
    .ci/book
    .ci/editors
    .ci/web
    .ci/wasm
    cargo test --locked --test cli --test meta -- --ignored

# Check format, spelling, workflows, lints and dependencies.
lint:
    cargo fmt --all --check
    .ci/typos
    .ci/zizmor
    cargo clippy --locked --workspace --all-targets -- -D warnings
    cargo clippy --locked --test hostile --test cluster -- -D warnings
    .ci/deny

# Format the code.
fmt:
    cargo fmt --all

# Build the documentation of the library and the book.
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items
    .ci/book

# Renew every generated file and snapshot; read the diff before you commit it.
accept:
    UPDATE_ALSO=1 cargo test --locked --test core sweep
    UPDATE_DOCS=1 UPDATE_CORPUS=1 UPDATE_AGREEMENT=1 UPDATE_BODIES=1 INSTA_UPDATE=always cargo test --locked --no-fail-fast --test cli --test server --test core
    UPDATE_DOCS=1 INSTA_UPDATE=always cargo test --locked --test meta

# Count instructions, and compare them with the committed ones, or `--update` these.
instructions *arguments:
    .ci/instructions {{arguments}}

# Simulate the server with many seeds, or `month`: an optimized build, on all cores.
simulate *arguments="10000":
    .ci/simulate {{arguments}}

# Compare garden-gate with a release of Gardener, by two source trees, or tags of the clone in GARDENER_REPOSITORY.
gardener-release *versions:
    .ci/gardener-release {{versions}}

# Revert fixes of bugs one by one, and check that their tests fail.
bugs *names:
    .ci/bugs {{names}}

# Measure the coverage of lines and branches, and check its floors.
coverage:
    .ci/coverage

# Compare garden-gate with the program in GARDENER_APISERVER by requests that reach different code; see docs/development/differential-fuzzing.md.
differential minutes requests="1000000":
    .ci/differential {{minutes}} {{requests}}

# Judge random mutants of the rules, 2000 by default, by the tests that reach them.
mutants *arguments:
    .ci/mutants {{arguments}}

# Check that the sources compile for Windows.
windows:
    .ci/windows

# Build the files of a release in target/dist, and print what is left out; RELEASE_URL, their address, also gives manifests of package managers.
release:
    .ci/release

# Run everything that CI runs.
ci:
    .ci/run
