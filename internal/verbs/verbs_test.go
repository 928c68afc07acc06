package verbs

import (
	"context"
	"errors"
	"math/big"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/vecfile"
)

// fields are one of each kind: words, elements with pointers, tiles, shifts.
func fields(t *testing.T) []Field {
	t.Helper()
	pointers, err := testfields.NewBigInt(big.NewInt(97))
	if err != nil {
		t.Fatal(err)
	}
	return []Field{
		Of(smallprime.Goldilocks()), Of(smallprime.BabyBear()), Of(smallprime.P62()),
		Of(pointers), Of(testfields.NewPlain256()), Of(testfields.NewFermat()),
	}
}

func text(s string) vecfile.Source {
	return vecfile.Source{Name: "x", Reader: strings.NewReader(s)}
}

func written(t *testing.T, v Values, err error) string {
	t.Helper()
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	if err := v.Write(&b, vecfile.Text); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestMul(t *testing.T) {
	for _, f := range fields(t) {
		for _, c := range [][3]string{
			{"1 1", "1 2 3", "1 3 5 3"},
			{"2", "3", "6"},
			{"", "1 2", ""},
			{"", "", ""},
		} {
			v, err := f.Mul(t.Context(), text(c[0]), text(c[1]), Modulus{}, Options{})
			if got := written(t, v, err); got != c[2] {
				t.Errorf("%s: (%s)(%s) is %s, want %s", f.Name(), c[0], c[1], got, c[2])
			}
		}
	}
}

// The product's remainder modulo x^N − 1 and x^N + 1.
func TestMulModulo(t *testing.T) {
	for _, f := range fields(t) {
		for m, want := range map[Modulus]string{
			{N: 1}: "12", {N: 2}: "6 6", {N: 3}: "4 3 5", {N: 4}: "1 3 5 3", {N: 6}: "1 3 5 3 0 0",
			{N: 2, Negacyclic: true}: "-4 0", {N: 3, Negacyclic: true}: "-2 3 5", {N: 4, Negacyclic: true}: "1 3 5 3",
		} {
			v, err := f.Mul(t.Context(), text("1 1"), text("1 2 3"), m, Options{})
			less := strings.Fields(want)
			for i, c := range less {
				if digits, ok := strings.CutPrefix(c, "-"); ok {
					x, _ := new(big.Int).SetString(digits, 10)
					less[i] = x.Sub(f.Order(), x).String()
				}
			}
			if got := written(t, v, err); got != strings.Join(less, " ") {
				t.Errorf("%s: (1 + x)(1 + 2x + 3x²) modulo %+v is %s, want %s", f.Name(), m, got, want)
			}
		}
	}
}

// A limit of memory bounds what is read, of one vector and of two together.
func TestReadBound(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 16))
	f := Of(smallprime.Goldilocks())
	const most = 1 << 16 / 8
	long := func(n int) vecfile.Source { return text(strings.Repeat("1 ", n)) }
	for n, is := range map[int]error{most / runVectors: nil, most/runVectors + 1: field.ErrMemory} {
		if _, err := f.Run(t.Context(), Transform{Op: "forward"}, long(n), Options{}); !errors.Is(err, is) {
			t.Errorf("run of %d: got error %v, want %v", n, err, is)
		}
	}
	const both = most / mulVectors
	for n, is := range map[[2]int]error{
		{both + 1, 1}: field.ErrMemory, {both, 2}: field.ErrMemory, {1, both}: field.ErrMemory,
		{both / 2, both/2 + 1}: field.ErrMemory, {both / 2, both / 2}: nil,
	} {
		if _, err := f.Mul(t.Context(), long(n[0]), long(n[1]), Modulus{}, Options{}); !errors.Is(err, is) {
			t.Errorf("mul of %d: got error %v, want %v", n, err, is)
		}
	}
}

// Forward is what the definition says, in each order, and inverse undoes it.
func TestRun(t *testing.T) {
	f, err := smallprime.New32(17)
	if err != nil {
		t.Fatal(err)
	}
	h := Of(f)
	for _, c := range []struct {
		t     Transform
		order field.Order
		in    string
		want  string
	}{ // the root of order 4 modulo 17 is 3^4 = 13
		{Transform{Op: "forward"}, field.Natural, "0 1 0 0", "1 13 16 4"},
		{Transform{Op: "forward"}, field.BitReversed, "0 1 0 0", "1 16 13 4"},
		{Transform{Op: "coset", Shift: "2"}, field.Natural, "0 1 0 0", "2 9 15 8"},
		{Transform{Op: "inverse"}, field.Natural, "1 13 16 4", "0 1 0 0"},
		{Transform{Op: "inverse"}, field.BitReversed, "1 16 13 4", "0 1 0 0"},
		{Transform{Op: "forward"}, field.Natural, "5", "5"},
	} {
		v, err := h.Run(t.Context(), c.t, text(c.in), Options{Order: c.order})
		if got := written(t, v, err); got != c.want {
			t.Errorf("%v of %s in %v order: got %s, want %s", c.t, c.in, c.order, got, c.want)
		}
	}
}

func TestRunFails(t *testing.T) {
	f := Of(smallprime.P62())
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		t   Transform
		in  string
		is  error
	}{
		"zero shift":   {t.Context(), Transform{"coset", "0"}, "1 2", field.ErrSpec},
		"large shift":  {t.Context(), Transform{"coset", "4611686018326724609"}, "1 2", field.ErrSpec},
		"no shift":     {t.Context(), Transform{"coset", "x"}, "1 2", field.ErrSpec},
		"empty":        {t.Context(), Transform{Op: "forward"}, "", field.ErrLength},
		"no root":      {t.Context(), Transform{Op: "forward"}, "1 2 3", field.ErrNoRoot},
		"out of range": {t.Context(), Transform{Op: "inverse"}, "4611686018326724609", field.ErrRange},
		"no operation": {t.Context(), Transform{Op: "sideways"}, "1 2", field.ErrSpec},
		"a long shift": {t.Context(), Transform{"inverse-coset", "-1"}, "1 2", vecfile.ErrSyntax},
		"cancelled":    {cancelled, Transform{Op: "inverse"}, "1 2", context.Canceled},
	} {
		if _, err := f.Run(c.ctx, c.t, text(c.in), Options{}); !errors.Is(err, c.is) {
			t.Errorf("%s: got error %v, want %v", name, err, c.is)
		}
	}
	f17, err := smallprime.New32(17)
	if err != nil {
		t.Fatal(err)
	}
	sixteen := text(strings.Repeat("1 ", 16))
	if _, err := Of(f17).Run(t.Context(), Transform{Op: "negacyclic"}, sixteen, Options{}); !errors.Is(err,
		field.ErrNoRoot) {
		t.Errorf("negacyclic of length 16 modulo 17: got error %v, want %v", err, field.ErrNoRoot)
	}
}

func TestDescribe(t *testing.T) {
	d, err := Of(smallprime.Goldilocks()).Describe(t.Context(), CPU)
	if err != nil {
		t.Fatal(err)
	}
	want := Description{
		Name: "goldilocks", Modulus: "18446744069414584321", Bits: 64, Factors: "2^32·3·5·17·257·65537", TwoAdicity: 32,
		Root: "1753635133440165772", RootBits: 32, Form: d.Form,
	}
	if d != want || d.Form == "" {
		t.Errorf("got %+v, want %+v", d, want)
	}
	d, err = Of(gfpf.K4()).Describe(t.Context(), CPU) // r = 2^11·(2^48 + 2^47 + 1)
	if err != nil || d.Factors != "2^44·5^4·11^4·6869^4·12799^4·87317^4" || d.RootBits != 44 {
		t.Errorf("got %+v and error %v", d, err)
	}
	p, err := fft.NewPlan(gfpf.K4(), 1<<12)
	if err != nil || d.Form != p.Report().Form {
		t.Errorf("form %q (error %v), want that of a plan, %q", d.Form, err, p.Report().Form)
	}
	if d, err = Of(testfields.NewWord256()).Describe(t.Context(), CPU); err != nil || d.Factors != "" { // not known
		t.Errorf("got %+v and error %v", d, err)
	}
}

func TestExplain(t *testing.T) {
	var b strings.Builder
	f := Of(smallprime.Goldilocks())
	if err := f.Explain(t.Context(), &b, 1<<12, Options{Algorithm: field.FourStep}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "fourstep") || !strings.Contains(b.String(), "4096") ||
		!strings.Contains(b.String(), "\nroot     ") {
		t.Errorf("got %s", b.String())
	}
	if err := f.Explain(t.Context(), &b, 1<<12, Options{Base: 3}); !errors.Is(err, field.ErrSpec) {
		t.Errorf("base 3: got error %v, want %v", err, field.ErrSpec)
	}
}

// bare hides all optional interfaces but the name.
type bare struct {
	field.Rooted[uint64]
	field.Info
}

func TestMissingInterfaces(t *testing.T) {
	p := smallprime.P62()
	f := Of(bare{field.ElementsOnly(p), p})
	if _, err := f.Mul(t.Context(), text("1"), text("1"), Modulus{}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "field.Codec") {
		t.Errorf("mul: got error %v", err)
	}
	if _, err := f.Run(t.Context(), Transform{Op: "forward"}, text("1"), Options{}); err == nil ||
		!strings.Contains(err.Error(), "field.Codec") {
		t.Errorf("run: got error %v", err)
	}
	if err := f.Verify(t.Context(), 4, 1, Options{}, func(Check) {}); err == nil ||
		!strings.Contains(err.Error(), "field.Sampler") {
		t.Errorf("verify: got error %v", err)
	}
	if _, err := f.Bench(t.Context(), small("add")); err == nil || !strings.Contains(err.Error(), "field.Sampler") {
		t.Errorf("bench: got error %v", err)
	}
}
