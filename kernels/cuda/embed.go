// Package cuda has the kernels of package gpu, as PTX: text that a device's driver compiles for the device. The
// sources are the files *.cu beside it, which _gen compiles.
package cuda

import (
	"embed"
	"strings"
)

//go:embed *.ptx
var modules embed.FS

// Modules lists the names of all modules, sorted: that of x.cu is x.
func Modules() []string {
	files, err := modules.ReadDir(".")
	if err != nil {
		panic(err) // of a list that is in the program
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".ptx"))
	}
	return names
}

// Source is the PTX of a module. It is empty where there is none of that name.
func Source(name string) string {
	text, err := modules.ReadFile(name + ".ptx")
	if err != nil {
		return ""
	}
	return string(text)
}
