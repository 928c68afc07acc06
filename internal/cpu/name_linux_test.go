package cpu

import (
	"runtime"
	"strings"
	"testing"
)

// nameless is a processor whose name has no model number, as virtual machines give it.
const nameless = "cpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Intel(R) Xeon(R) Processor\nstepping\t: 2\n\n" +
	"processor\t: 1\nmodel\t: 1\n"

func TestModelName(t *testing.T) {
	const found = "Intel(R) Xeon(R) Processor (family 6, model 207, stepping 2"
	for in, want := range map[string]string{
		"processor\t: 0\nmodel\t\t: 143\nmodel name\t: A  CPU @ 2 GHz\nflags\t: fpu\n": "A CPU @ 2 GHz",
		"processor\t: 0\nBogoMIPS\t: 50\n":                                             runtime.GOARCH,
		"vendor_id\t: GenuineIntel\n" + nameless:                                       found + ": Emerald Rapids)",
		"vendor_id\t: Another\n" + nameless:                                            found + ")",
		"model name\t: A CPU\n\ncpu family\t: 6\nmodel\t: 1\n":                         "A CPU",
	} {
		if got := modelName(strings.NewReader(in)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
