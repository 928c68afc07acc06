package fieldtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testscale"
)

// Run checks f against the contracts of package field, each group of promises in a subtest: the axioms, the zero
// value, aliasing, independence of copies, inverses, equality, concurrent use, and whichever of [field.Rooted],
// [field.Info], [field.Codec], [field.Sampler], [field.Shifter], [field.Butterflies], [field.Vectors],
// [field.Planner], [field.RangeChecker], [field.ContextRoots], [field.Subspaces] and [field.Convolver], with its
// [field.Multiplier], f offers. A panic in a method of f fails the check that called it.
func Run[E any](t *testing.T, f field.Field[E], cfg Config[E]) {
	t.Helper()
	if err := field.Check(f); err != nil {
		t.Fatal(err)
	}
	report(t, cfg.Seed, func(scale int) []check { return newSuite(f, cfg, scale).checks() })
}

// RunBulk checks every method of b and every pass of its tables against their definitions, computed by the
// element methods of f: rows of all widths that touch or not, views, lazy ranges through long chains of passes,
// and concurrent use. It does not check the element methods; Run does.
func RunBulk[E any](t *testing.T, f field.Field[E], b bulks.Bulk, cfg Config[E]) {
	t.Helper()
	if err := field.Check(f); err != nil {
		t.Fatal(err)
	}
	report(t, cfg.Seed, func(scale int) []check { return newBulkSuite(f, b, cfg, scale).checks() })
}

// check is one group of promises. It returns the first that is broken, or errNotOffered.
type check struct {
	name string
	run  func(r *rand.Rand) error
}

// errNotOffered says that the field lacks the interface that a check is about.
var errNotOffered = errors.New("the field does not offer it")

// report runs the checks that suite makes, as subtests of t.
func report(t *testing.T, seed uint64, suite func(scale int) []check) {
	t.Helper()
	scale := testscale.Of(t)
	if seed == 0 {
		seed = defaultSeed
	}
	for _, c := range suite(scale) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			switch err := guarded(func() error { return c.run(newRand(seed)) }); {
			case errors.Is(err, errNotOffered):
				t.Skip(err)
			case err != nil:
				t.Errorf("%v\nwith Config.Seed %d and FFT_TEST_SCALE %d", err, seed, scale)
			}
		})
	}
}

// guarded turns a panic in f, which methods of a field may cause, into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return f()
}

// offered makes a check of an optional interface, which is nil where the field does not offer it.
func offered[T any](f T, run func(r *rand.Rand, f T) error) func(r *rand.Rand) error {
	return func(r *rand.Rand) error {
		if any(f) == nil {
			return errNotOffered
		}
		return run(r, f)
	}
}
