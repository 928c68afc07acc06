// Package cuda has the kernels of package gpu, as PTX: text that a device's driver compiles for the device. The
// sources are the files *.cu beside it, which _gen compiles, and compresses to a tenth.
package cuda

import (
	"compress/gzip"
	"embed"
	"io"
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
	f, err := modules.Open(name + suffix)
	if err != nil {
		return ""
	}
	r, err := gzip.NewReader(f)
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return ""
	}
	return string(text)
}
