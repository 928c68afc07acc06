package benchjson

import (
	"runtime"
	"strings"
	"testing"
)

func TestModelName(t *testing.T) {
	for in, want := range map[string]string{
		"processor\t: 0\nmodel\t\t: 143\nmodel name\t: A  CPU @ 2 GHz\nflags\t: fpu\n": "A CPU @ 2 GHz",
		"processor\t: 0\nBogoMIPS\t: 50\n":                                             runtime.GOARCH,
	} {
		if got := modelName(strings.NewReader(in)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
