package verbs

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

var checkNames = []string{"linearity", "impulse", "shift", "round trip", "random points", "convolution"}

// huge is a length that covanov has a root for, and no machine the memory.
var huge = 1 << min(57, bits.UintSize-2)

// Right transforms pass, for every kind of field, order, scheme and small length.
func TestVerify(t *testing.T) {
	for _, f := range fields(t) {
		for _, n := range []int{1, 2, 4, 8, 16, 32} {
			for _, order := range []field.Order{field.Natural, field.BitReversed, field.Scheme} {
				for _, scheme := range []field.Algorithm{field.Auto, field.Naive, field.SixStep, field.SixStepMerged,
					field.FourStep, field.DepthFirst} {
					var names []string
					o := Options{Order: order, Algorithm: scheme, Workers: 2}
					err := f.Verify(t.Context(), n, 1, o, func(c Check) {
						names = append(names, c.Name)
						if c.Err != nil {
							t.Errorf("%s, length %d, %v, %v order, %s: %v", f.Name(), n, scheme, order, c.Name, c.Err)
						}
					})
					if n < 4 && errors.Is(err, field.ErrScheme) {
						continue
					}
					if err != nil {
						t.Errorf("%s, length %d, %v, %v order: %v", f.Name(), n, scheme, order, err)
					}
					if !slices.Equal(names, checkNames) {
						t.Errorf("got the checks %q, want %q", names, checkNames)
					}
				}
			}
		}
	}
}

// Each check fails where it should, and only there.
func TestVerifyFindsFaults(t *testing.T) {
	want := map[fault][]string{
		none:       nil,
		oneValue:   {"linearity", "impulse", "shift", "round trip", "random points"},
		twoSwapped: {"impulse", "shift", "round trip", "random points"},
		affine:     {"linearity", "impulse", "shift", "round trip", "random points"},
		otherRoot:  {"impulse", "shift", "random points"},
		scaling:    {"round trip"},
		outOfPlace: {"round trip"},
		inPlace:    {"round trip"},
		vecProduct: {"convolution"},
		storing:    {"convolution"},
	}
	faults(t, func(t *testing.T, f fault) {
		var failed []string
		err := withFault(f).Verify(t.Context(), 64, 1, Options{}, func(c Check) {
			if c.Err != nil {
				failed = append(failed, c.Name)
			}
			if c.Err != nil && !errors.Is(c.Err, ErrWrong) {
				t.Errorf("fault %d: %s: %v", f, c.Name, c.Err)
			}
		})
		if (len(failed) > 0) != errors.Is(err, ErrWrong) {
			t.Errorf("fault %d: %d checks failed, with the error %v", f, len(failed), err)
		}
		if !slices.Equal(failed, want[f]) {
			t.Errorf("fault %d: %q failed, want %q", f, failed, want[f])
		}
	})
}

func TestVerifyFails(t *testing.T) {
	f := Of(smallprime.P62())
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		n   int
		is  error
	}{
		"no root":   {t.Context(), 1 << 26, field.ErrNoRoot},
		"cancelled": {cancelled, 4, context.Canceled},
	} {
		err := f.Verify(c.ctx, c.n, 1, Options{}, func(c Check) { t.Errorf("%s: check %s reported", name, c.Name) })
		if !errors.Is(err, c.is) {
			t.Errorf("%s: got error %v, want %v", name, err, c.is)
		}
	}
	if err := Of(smallprime.Covanov()).Verify(t.Context(), huge, 1, Options{}, nil); !errors.Is(err, field.ErrMemory) {
		t.Errorf("length %d: got error %v, want %v", huge, err, field.ErrMemory)
	}
}

// Every single wrong value is found, wherever it stands, and so is a value in another's place: where elements are
// words, and where they are wide.
func TestCheckValues(t *testing.T) {
	testCheckValues(t, smallprime.P62(), 1)
	testCheckValues(t, gfpf.P3(), 1)
}

func testCheckValues[E any, F interface {
	Described[E]
	field.Sampler[E]
}](t *testing.T, f F, seed uint64) {
	h := Of[E](f).(*hidden)
	r := newRand(seed, 2)
	var one, shift E
	f.One(&one)
	f.Add(&shift, &one, &one)
	f.Add(&shift, &shift, &one)
	for _, n := range []int{1, 2, 3, 4, 6, 12, 32} {
		for _, order := range []field.Order{field.Natural, field.BitReversed, field.Scheme} {
			for _, more := range [][]fft.Option{nil, {fft.WithCoset(shift)}, {fft.WithNegacyclic()}} {
				p, err := h.f.Plan(t.Context(), n, append(more, fft.WithOrder(order))...)
				if errors.Is(err, field.ErrNoRoot) || errors.Is(err, field.ErrSpec) && n&(n-1) != 0 {
					continue // no such length in this field, or in this order
				}
				if err != nil {
					t.Fatal(err)
				}
				v, err := h.random(t.Context(), r, n)
				if err != nil {
					t.Fatal(err)
				}
				y := make([]E, n)
				w := bulks.ViewOf(y)
				if err := p.Forward(t.Context(), w, v); err != nil {
					t.Fatal(err)
				}
				check := func(what string, is error) {
					t.Helper()
					if err := h.checkValues(t.Context(), p, r, w, v); !errors.Is(err, is) {
						t.Errorf("%s, length %d, %v order: %s: got error %v, want %v", f.Name(), n, order, what, err,
							is)
					}
				}
				check("right values", nil)
				index := indexOf(p)
				for j := range min(n, 8) { // z may be a point
					var z E
					p.Point(&z, j)
					if err := h.checkAt(t.Context(), p, &z, w, v, index); err != nil {
						t.Errorf("%s, length %d: at point %d: %v", f.Name(), n, j, err)
					}
				}
				for i := range y {
					right := y[i]
					f.Add(&y[i], &y[i], &one)
					check("a wrong value", ErrWrong)
					y[i] = right
					if j := (i + 1) % n; j != i {
						y[i], y[j] = y[j], y[i]
						check("two swapped values", ErrWrong)
						y[i], y[j] = y[j], y[i]
					}
				}
			}
		}
	}
}
