// Package cuda has the kernels of package gpu, as PTX: text that a device's driver compiles for the device. The
// sources are the files *.cu beside it, which _gen compiles, and compresses to a tenth.
package cuda

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"
)

//go:embed *.ptx.gz
var modules embed.FS

const suffix = ".ptx.gz"

// Modules lists the names of all modules, sorted: that of x.cu is x.
func Modules() []string {
	files, err := modules.ReadDir(".")
	if err != nil {
		panic(err) // of a list that is in the program
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), suffix))
	}
	return names
}

// Source is the PTX of a module. It is empty where there is none of that name.
func Source(name string) string {
	data, err := modules.ReadFile(name + suffix)
	if err != nil {
		return ""
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return ""
	}
	var text strings.Builder
	text.Grow(int(binary.LittleEndian.Uint32(data[len(data)-4:]))) // a file of gzip ends with the length of its text
	if _, err := io.Copy(&text, r); err != nil {
		return ""
	}
	return text.String()
}

// Module is the PTX of a module, kernel by kernel.
type Module struct {
	head    string // what all kernels share
	kernels map[string]string
}

// Open returns a module, which has no kernels where there is none of that name.
func Open(name string) Module { return Split(Source(name)) }

// Split returns the module that a text is, as _gen writes it.
func Split(ptx string) Module {
	m := Module{kernels: map[string]string{}}
	const entry, end = "\n.visible .entry ", "\n}\n" // of kernels: nothing else ends in that way
	between, _, more := strings.Cut(ptx, entry)
	for m.head = between; more; m.head += strings.TrimSuffix(between, "\n") {
		ptx = ptx[len(between):]
		text, _, _ := strings.Cut(ptx, end)
		kernel, _, _ := strings.Cut(text[len(entry):], "(")
		m.kernels[kernel] = ptx[:min(len(text)+len(end), len(ptx))]
		ptx = ptx[min(len(text)+len(end)-1, len(ptx)):] // the end of its last line begins what follows
		between, _, more = strings.Cut(ptx, entry)
	}
	return m
}

// Kernel is PTX with one kernel alone, and empty where the module has none of that name.
func (m Module) Kernel(name string) string {
	if text, ok := m.kernels[name]; ok {
		return m.head + text
	}
	return ""
}

// Kernels lists the names of all kernels, sorted.
func (m Module) Kernels() []string { return slices.Sorted(maps.Keys(m.kernels)) }
