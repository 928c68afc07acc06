package names_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/verbs"
)

// Every entry opens, and the field knows its own name.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range names.List() {
		if seen[e.Name] {
			t.Errorf("%s stands twice", e.Name)
		}
		seen[e.Name] = true
		f, err := e.Open()
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		if f.Name() != e.Name {
			t.Errorf("the field %s calls itself %s", e.Name, f.Name())
		}
	}
	for _, p := range smallprime.Presets() {
		if !seen[p.Name] {
			t.Errorf("the preset %s is not in the table", p.Name)
		}
	}
	for _, p := range bigprime.Presets() {
		if !seen[p.Name] {
			t.Errorf("the preset %s is not in the table", p.Name)
		}
	}
	for _, p := range binary.Presets() {
		if !seen[p.Name] {
			t.Errorf("the preset %s is not in the table", p.Name)
		}
	}
}

// What the table says about 2-adicity is so.
func TestAbout(t *testing.T) {
	for name, k := range map[string]uint{
		"goldilocks": 32, "babybear": 27, "koalabear": 24, "mersenne31": 1, "998244353": 23, "covanov": 57, "P1": 20,
		"P2": 106, "bn254": 28, "bls12-381": 32, "bls12-377": 47, "stark252": 192, "pallas": 32, "vesta": 32, "secp256k1": 1,
		"p30": 24, "p32": 25, "p50": 26, "p62": 25, "p63": 24, "p64": 24,
		"gfpf:P2": 200, "gfpf:P3": 272, "gfpf:k4": 44, "gfpf:k8": 312,
	} {
		e, err := names.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		if d, err := f.Describe(t.Context(), verbs.CPU); err != nil || d.TwoAdicity != k {
			t.Errorf("%s: 2-adicity %d (error %v), want %d", name, d.TwoAdicity, err, k)
		}
	}
}

func TestLookupPrime(t *testing.T) {
	for _, c := range []struct {
		name, is string // the name of the field found
		err      error
	}{
		{"prime:17", "prime:17", nil},
		{"prime:0x11", "prime:17", nil},
		{"prime:0xFFFFFFFF00000001", "goldilocks", nil},
		{"prime:998244353", "998244353", nil},
		{"prime:4294967291", "prime:4294967291", nil}, // the largest below 2^32
		{"prime:4294967311", "prime:4294967311", nil}, // the first above
		{"prime:18446744073709551557", "prime:18446744073709551557", nil},
		{"prime:2^61-1", "prime:2305843009213693951", nil},
		{"prime:2^64-2^32+1", "goldilocks", nil},
		{"prime:2^4+0x1", "prime:17", nil},
		{"prime:1-2^4", "", field.ErrModulus},
		{"prime:2^4-", "", field.ErrModulus},
		{"prime:2^x", "", field.ErrModulus},
		{"prime:0", "", field.ErrModulus},
		{"prime:1", "", field.ErrModulus},
		{"prime:2", "", field.ErrModulus},
		{"prime:15", "", field.ErrModulus},
		{"prime:4294967297", "", field.ErrModulus},
		{"prime:18446744073709551629", "prime:18446744073709551629", nil}, // the first above 2^64
		{"prime:2^127-1", "prime:170141183460469231731687303715884105727", nil},
		{"prime:2^126+2^117+2^106+1", "P2", nil},
		{"prime:2^224-2^96+1", "prime:26959946667150639794667015087019630673557916260026308143510066298881", nil},
		{"prime:2^320-197", "prime:2135987035920910082395021706169552114602704522356652769947041607822219725780640550022962086936379",
			nil}, // in five words
		{"prime:2^64+1", "", field.ErrModulus},
		{"prime:2^8193-1", "", field.ErrModulus},
		{"prime:-17", "", field.ErrModulus},
		{"prime:+17", "", field.ErrModulus},
		{"prime:0x", "", field.ErrModulus},
		{"prime:1_7", "", field.ErrModulus},
		{"prime:", "", field.ErrModulus},
	} {
		e, err := names.Lookup(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f, err := e.Open()
		if c.err != nil {
			if !errors.Is(err, c.err) {
				t.Errorf("%s: got error %v, want %v", c.name, err, c.err)
			}
			continue
		}
		if err != nil || f.Name() != c.is {
			t.Errorf("%s: got %v and error %v, want %s", c.name, f, err, c.is)
		}
	}
}

// A generalized Fermat prime as any other: the same characteristic, in words, under a name of its own.
func TestLookupPlain(t *testing.T) {
	for name, want := range map[string]string{
		"plain:P1": "plain:P1", "plain:P3": "plain:P3", "plain:k4": "plain:k4", "plain:2^63+2^34:8": "plain:P3",
		"plain:2^52-2^45:8": "plain:2^52-2^45:8", "plain:P8": "", "plain:": "", "plain:x:8": "", "plain:2^63+2^34:1000": "",
		"plain:2^63+2^35:8": "", "plain:10:2": "", // composite; of less than 65 bits
	} {
		e, err := names.Lookup(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f, err := e.Open()
		if want == "" {
			if !errors.Is(err, field.ErrModulus) {
				t.Errorf("%s: error %v, want %v", name, err, field.ErrModulus)
			}
			continue
		}
		if err != nil || f.Name() != want {
			t.Fatalf("%s: got %v and error %v, want %s", name, f, err, want)
		}
		other, err := names.Lookup(strings.Replace(name, "plain:", "gfpf:", 1))
		if err != nil {
			t.Fatal(err)
		}
		if g, err := other.Open(); err != nil || g.Order().Cmp(f.Order()) != 0 {
			t.Errorf("%s: another prime than that of gfpf, or error %v", name, err)
		}
	}
}

func TestLookupGFPF(t *testing.T) {
	for name, want := range map[string]string{
		"gfpf:2^63+2^34:8": "gfpf:P3", "gfpf:9223372054034644992:8": "gfpf:P3", "gfpf:2^52-2^45:8": "gfpf:2^52-2^45:8",
		"gfpf:10:2": "gfpf:2^3+2^1:2", "gfpf:2^62+2^36:16": "gfpf:P4",
		"gfpf:2^64-2^26:4": "gfpf:2^64-2^26:4", "gfpf:2^16-2^0:4": "", "gfpf:2^63+2^35:8": "", "gfpf:2^63+2^34:7": "",
		"gfpf:2^63+2^34:x": "",
		"gfpf:2^63+2^34:":  "", "gfpf::8": "", "gfpf:x:8": "", "gfpf:6:2": "",
	} {
		e, err := names.Lookup(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f, err := e.Open()
		if want == "" {
			if !errors.Is(err, field.ErrModulus) {
				t.Errorf("%s: error %v, want %v", name, err, field.ErrModulus)
			}
			continue
		}
		if err != nil || f.Name() != want {
			t.Errorf("%s: got %v and error %v, want %s", name, f, err, want)
		}
	}
	if _, err := names.Lookup("gfpf:P8"); !errors.Is(err, names.ErrUnknown) {
		t.Errorf("gfpf:P8: error %v, want %v", err, names.ErrUnknown)
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, name := range []string{"", "goldilock", "Goldilocks", "quaternions"} {
		if _, err := names.Lookup(name); !errors.Is(err, names.ErrUnknown) {
			t.Errorf("%q: got error %v, want %v", name, err, names.ErrUnknown)
		}
	}
	if _, err := names.Lookup("goldylocks"); !strings.Contains(err.Error(), "did you mean goldilocks?") {
		t.Errorf("goldylocks: error %q does not name goldilocks", err)
	}
	if _, err := names.Lookup("quaternions"); !strings.Contains(err.Error(), "mersenne31") {
		t.Errorf("quaternions: error %q does not list the fields", err)
	}
}

func TestNear(t *testing.T) {
	for name, want := range map[string][]string{
		"GOLDILOCKS": {"goldilocks"},
		"bear":       {"babybear", "koalabear"},
		"mersene31":  {"mersenne31"},
		// Two edits are near: insertions, deletions, a change of place; three are not.
		"golddilockks": {"goldilocks"}, "gldiloks": {"goldilocks"}, "ogldilocks": {"goldilocks"},
		"gxldilxckx": nil, "ogldliocks": nil,
		"17": nil,
		"":   nil,
	} {
		if got := names.Near(name); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// Binary fields by degree and modulus, and towers.
func TestLookupBinary(t *testing.T) {
	for name, is := range map[string]string{
		"gf2:8": "aes", "gf2:64": "gf2:64", "gf2:128": "ghash", "gf2:8:0x11d": "raid6", "gf2:8:2^8+2^4+2^3+2^2+1": "raid6",
		"gf2:4:0x19": "gf2:4:0x19", "gf2:95": "gf2:95", "gf2:95:2^95+2^17+1": "gf2:95:2^95+2^17+2^0",
		"gf2:2048": "gf2:2048", "tower:8": "tower:8", "tower:64": "tower:64",
		"gf2:": "", "gf2:1": "", "gf2:2049": "", "gf2:8:0x101": "", "gf2:9:0x11b": "", "gf2:8:": "", "gf2:8:11b": "",
		"gf2:8:0-283": "", "gf2:80:2^80+2^9+2^4+2+1": "", "tower:4": "", "tower:x": "",
	} {
		e, err := names.Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f, err := e.Open()
		switch {
		case is == "" && !errors.Is(err, field.ErrModulus):
			t.Errorf("%s: error %v, want %v", name, err, field.ErrModulus)
		case is != "" && (err != nil || f.Name() != is):
			t.Errorf("%s: got %v and error %v, want %s", name, f, err, is)
		}
	}
}
