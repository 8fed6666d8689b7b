// SPDX-License-Identifier: Apache-2.0
// Command release prints how two source trees of Gardener differ in what admission depends on.
//
// `release OLD NEW` prints fields, values, feature gates, admission plugins, defaults, supported versions of Kubernetes, and the
// changed files of admission code. `release TREE` prints all fields, one `Type.field` a line.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// apis are the packages whose objects garden-gate reads.
var apis = []string{"core/v1beta1", "security/v1alpha1", "seedmanagement/v1alpha1"}

// code are the folders with decisions of admission.
var code = []string{"pkg/api/core", "pkg/api/security", "pkg/apiserver/registry", "pkg/utils/validation", "plugin/pkg"}

func main() {
	switch args := os.Args[1:]; len(args) {
	case 1:
		for _, field := range slices.Sorted(maps.Keys(read(args[0]).fields)) {
			fmt.Println(field)
		}
	case 2:
		old, new := read(args[0]), read(args[1])
		fmt.Printf("Gardener %s -> %s\n", old.version, new.version)
		section("Fields of the API", differences(old.fields, new.fields))
		section("Values of the API", differences(old.values, new.values))
		section("Feature gates (* of gardener-apiserver)", differences(old.gates, new.gates))
		section("Admission plugins", differences(old.plugins, new.plugins))
		section("Defaults", lines(old.defaults, new.defaults))
		section("Supported versions of Kubernetes", lines(old.kubernetes, new.kubernetes))
		section("Changed code of admission", differences(old.code, new.code))
	default:
		fail(fmt.Errorf("usage: release OLD NEW, or release TREE"))
	}
}

// tree is what the program reads from the sources of a version.
type tree struct {
	version                              string
	fields, values, gates, plugins, code map[string]string
	defaults, kubernetes                 []string
}

func read(root string) tree {
	t := tree{fields: map[string]string{}, values: map[string]string{}, code: map[string]string{}}
	t.version = strings.TrimSpace(content(filepath.Join(root, "VERSION")))
	known := map[string]bool{}
	for _, api := range apis {
		structs := map[string]*ast.StructType{}
		for _, file := range sources(filepath.Join(root, "pkg/apis", api, "types*.go")) {
			ast.Inspect(parse(file), func(node ast.Node) bool {
				switch it := node.(type) {
				case *ast.TypeSpec:
					// Objects of the first API precede those with the same name.
					if fields, ok := it.Type.(*ast.StructType); ok && !known[it.Name.Name] {
						structs[it.Name.Name], known[it.Name.Name] = fields, true
					}
				case *ast.ValueSpec:
					if named, ok := it.Type.(*ast.Ident); ok && named.Name != "string" {
						for index, value := range it.Values {
							t.values[named.Name+" "+it.Names[index].Name] = types.ExprString(value)
						}
					}
				}
				return true
			})
		}
		for name, fields := range structs {
			add(name, fields, structs, t.fields)
		}
		for _, file := range sources(filepath.Join(root, "pkg/apis", api, "defaults*.go")) {
			t.defaults = append(t.defaults, normalized(content(file))...)
		}
	}
	t.gates = gates(root)
	t.plugins = plugins(filepath.Join(root, "plugin/pkg/plugins.go"))
	t.kubernetes = strings.Split(content(filepath.Join(root, "supported-kubernetes-versions.yaml")), "\n")
	for _, folder := range code {
		_ = filepath.WalkDir(filepath.Join(root, folder), func(path string, it os.DirEntry, err error) error {
			if err == nil && !it.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				relative, _ := filepath.Rel(root, path)
				t.code[relative] = strings.Join(normalized(content(path)), "\n")
			}
			return nil
		})
	}
	return t
}

// add adds the fields of a struct, and those of embedded structs, with their types; structs of other packages as `*`.
func add(name string, fields *ast.StructType, structs map[string]*ast.StructType, to map[string]string) {
	for _, field := range fields.Fields.List {
		if field.Tag == nil {
			continue
		}
		called, _, _ := strings.Cut(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")
		switch embedded, ok := structs[types.ExprString(field.Type)]; {
		case called != "" && called != "-":
			to[name+"."+called] = types.ExprString(field.Type)
		case ok && len(field.Names) == 0:
			add(name, embedded, structs, to)
		case len(field.Names) == 0:
			to[name+".*"] = types.ExprString(field.Type)
		}
	}
}

// gates returns stage and default of each feature gate; those of gardener-apiserver have an asterisk.
func gates(root string) map[string]string {
	found := map[string]string{}
	for _, it := range matches(filepath.Join(root, "pkg/features/features.go"), `(?m)^\t(\w+): +\{(Default: .*)\},$`) {
		found[it[1]] = strings.ReplaceAll(it[2], "featuregate.", "")
	}
	for _, it := range matches(filepath.Join(root, "pkg/apiserver/features/features.go"), `(?m)^\t\tfeatures\.(\w+),$`) {
		found[it[1]+"*"] = found[it[1]]
		delete(found, it[1])
	}
	return found
}

// plugins returns the admission plugins, each with its predecessor and whether it is enabled by default.
func plugins(file string) map[string]string {
	found, before := map[string]string{}, "none"
	for _, it := range matches(file, `(?m)^\t\t(?:PluginName(\w+)|(\w+)\.PluginName),`) {
		name := it[1] + it[2]
		if _, known := found[name]; known {
			found[name] += ", on by default"
			continue
		}
		found[name], before = "after "+before, name
	}
	return found
}

// helpers are calls that differ between versions without another meaning.
var helpers = regexp.MustCompile(`ptr\.To(\[\w+\])?\(`)

// normalized returns the lines of a file without comments and indentation.
func normalized(text string) []string {
	var found []string
	for line := range strings.Lines(helpers.ReplaceAllString(text, "new(")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "\"") {
			found = append(found, line)
		}
	}
	return found
}

// differences returns the entries that were added, removed or changed; values of several lines are counted.
func differences(old, new map[string]string) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(new)) {
		was, known := old[name]
		is := new[name]
		if strings.Contains(is, "\n") && was != is {
			was, is = "", fmt.Sprintf("%d lines", len(lines(strings.Split(was, "\n"), strings.Split(is, "\n"))))
		}
		switch {
		case !known:
			found = append(found, "+ "+name+": "+is)
		case was == "":
			found = append(found, "~ "+name+": "+is)
		case was != is:
			found = append(found, "~ "+name+": "+was+" -> "+is)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if _, kept := new[name]; !kept {
			found = append(found, "- "+name)
		}
	}
	return found
}

// lines returns the lines that were added or removed, whatever their order.
func lines(old, new []string) []string {
	count := map[string]int{}
	for _, line := range old {
		count[line]--
	}
	var found []string
	for _, line := range new {
		if count[line]++; count[line] > 0 {
			found = append(found, "+ "+line)
		}
	}
	for _, line := range old {
		if count[line] < 0 {
			count[line]++
			found = append(found, "- "+line)
		}
	}
	return found
}

func section(title string, differences []string) {
	fmt.Printf("\n%s: %d\n", title, len(differences))
	for _, it := range differences {
		fmt.Println("  " + it)
	}
}

// sources returns the files without tests.
func sources(pattern string) []string {
	found, _ := filepath.Glob(pattern)
	if len(found) == 0 {
		fail(fmt.Errorf("no file matches %s; is it a source tree of Gardener?", pattern))
	}
	return slices.DeleteFunc(found, func(it string) bool { return strings.HasSuffix(it, "_test.go") })
}

func matches(path, pattern string) [][]string {
	found := regexp.MustCompile(pattern).FindAllStringSubmatch(content(path), -1)
	if len(found) == 0 {
		fail(fmt.Errorf("%s has no line like %s", path, pattern))
	}
	return found
}

func parse(path string) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	fail(err)
	return file
}

func content(path string) string {
	text, err := os.ReadFile(path)
	fail(err)
	return string(text)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
