// SPDX-License-Identifier: Apache-2.0
// Command etcd is the real etcd server, built from its Go module for tests.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
