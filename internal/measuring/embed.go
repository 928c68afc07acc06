// Package measuring has kernels that only measure, as PTX: the structures of the theses on generalized Fermat primes
// and the other side of their contest, which benchmarks of package gpu run beside its own passes. Tests alone import
// it, so that no program has them. Sources are the files *.cu beside it, over the headers of kernels/cuda.
package measuring

import (
	"compress/gzip"
	"embed"
	"io"
)

//go:embed *.ptx.gz
var modules embed.FS

// Source is the PTX of x.cu for the name x. It is empty where there is none of that name.
func Source(name string) string {
	f, err := modules.Open(name + ".ptx.gz")
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
