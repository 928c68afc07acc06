package names_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/internal/names"
)

// Names of primes with other arithmetics than their own; without GMP those of GMP say what is missing.
func TestLookupArithmetic(t *testing.T) {
	for _, c := range []struct {
		name, is string
		err      error
	}{
		{"big:P2", "big:P2", nil},
		{"big:prime:2^126+2^117+2^106+1", "big:P2", nil},
		{"big:gfpf:P1", "big:gfpf:P1", nil},
		{"big:plain:P1", "big:plain:P1", nil},
		{"gmp:plain:P3", "gmp:plain:P3", nil},
		{"gmp:prime:2^521-1", "gmp:prime:6864797660130609714981900799081393217269435300143305409394463459185543183397656052" +
			"122559640661454554977296311391480858037121987999716643812574028291115057151", nil},
		{"big:prime:2^521-1", "big:prime:6864797660130609714981900799081393217269435300143305409394463459185543183397656052" +
			"122559640661454554977296311391480858037121987999716643812574028291115057151", nil},
		{"gmp:gfpf:P3", "gmp:gfpf:P3", nil},
		{"gmp:gfpf:2^16:4", "", field.ErrModulus},
		{"gmp:bn254", "gmp:bn254", nil},
		{"ncw:bn254", "ncw:bn254", nil},
		{"big:goldilocks", "", field.ErrModulus},
		{"big:prime:2^127-3", "", field.ErrModulus},
		{"big:prime:2^8193-1", "", field.ErrModulus},
		{"big:prime:2^x", "", field.ErrModulus},
		{"mont:p62", "mont:p62", nil},
		{"mont:goldilocks", "mont:goldilocks", nil},
		{"mont:prime:17", "mont:prime:17", nil},
		{"mont:prime:2^64-2^32+1", "mont:goldilocks", nil},
		{"mont:prime:18446744073709551557", "mont:prime:18446744073709551557", nil},
		{"mont:mont:p62", "mont:p62", nil},
		{"mont:prime:15", "", field.ErrModulus},
		{"mont:bn254", "", field.ErrModulus},
		{"mont:aes", "", field.ErrModulus},
	} {
		e, err := names.Lookup(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := c.err
		if !gmp.Available && !strings.HasPrefix(c.name, "big:") && !strings.HasPrefix(c.name, "mont:") {
			want = gmp.ErrUnavailable
		}
		f, err := e.Open()
		switch {
		case want != nil && !errors.Is(err, want):
			t.Errorf("%s: error %v, want %v", c.name, err, want)
		case want == nil && (err != nil || f.Name() != c.is):
			t.Errorf("%s: got %v and error %v, want %s", c.name, f, err, c.is)
		}
	}
	for _, name := range []string{"big:quaternions", "gmp:", "ncw:big", "mont:", "mont:x"} {
		if _, err := names.Lookup(name); !errors.Is(err, names.ErrUnknown) {
			t.Errorf("%s: error %v, want %v", name, err, names.ErrUnknown)
		}
	}
}
