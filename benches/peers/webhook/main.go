// SPDX-License-Identifier: Apache-2.0
// A typical Go webhook with one check: the Kubernetes version of a Shoot is in a list.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var onOffer = []string{"1.34.6", "1.34.7", "1.35.2"}

// The fields of the object that the check reads.
type shoot struct {
	Spec struct {
		Kubernetes struct {
			Version string `json:"version"`
		} `json:"kubernetes"`
	} `json:"spec"`
}

func check(_ context.Context, request admission.Request) admission.Response {
	var object shoot
	if err := json.Unmarshal(request.Object.Raw, &object); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	version := object.Spec.Kubernetes.Version
	if request.Kind.Kind == "Shoot" && !slices.Contains(onOffer, version) {
		return admission.Denied(fmt.Sprintf("Kubernetes version `%s` is not on offer", version))
	}
	return admission.Allowed("")
}

func main() {
	port := flag.Int("port", 0, "where to listen, on 127.0.0.1")
	certificates := flag.String("certificates", "", "the folder with tls.crt and tls.key")
	flag.Parse()
	log.SetLogger(logr.Discard())
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certificates})
	hook := &webhook.Admission{Handler: admission.HandlerFunc(check)}
	server.Register("/validate", hook)
	server.Register("/mutate", hook)
	if err := server.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
