module garden-gate.dev/tests/parity/release

go 1.26
