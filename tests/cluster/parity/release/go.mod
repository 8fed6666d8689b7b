module garden-gate.dev/tests/cluster/parity/release

go 1.26
