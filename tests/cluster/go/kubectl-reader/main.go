// SPDX-License-Identifier: Apache-2.0
// Command kubectl-reader prints the objects that kubectl sends for texts of manifests.
//
// Each line of the input is a text as a JSON string. Each line of the output is either a JSON list with the documents
// of the text, or a JSON string with the reason why kubectl refuses it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for {
		var text string
		err := in.Decode(&text)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := encoder.Encode(answer(text)); err != nil {
			log.Fatal(err)
		}
	}
}

func answer(text string) any {
	documents, err := read(text)
	if err != nil {
		return err.Error()
	}
	return documents
}

// read decodes a text as StreamVisitor of k8s.io/cli-runtime/pkg/resource does.
func read(text string) ([]any, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	documents := []any{}
	for {
		extension := runtime.RawExtension{}
		err := decoder.Decode(&extension)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		raw := bytes.TrimSpace(extension.Raw)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		var document any
		if err := utiljson.Unmarshal(raw, &document); err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
}
