package fieldtest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testscale"
)

// TestFailure runs itself with broken fields and reads what is printed.
func TestFailure(t *testing.T) {
	const variable = "FIELDTEST_BROKEN"
	if os.Getenv(variable) != "" {
		Run(t, patch(prime[uint64](goldilocks), func(p *patched[uint64]) {
			p.inv = func(z, x *uint64) error { _ = goldilocks.Inv(z, x); return nil }
		}), Config[uint64]{})
		RunBulk(t, mersenne, lazyPlanes(inTables(func(t *lazyTable[planes]) { t.radix4 = t.radix4T })),
			Config[uint64]{Seed: 5})
		return
	}
	output := func(scale string) string {
		exe, err := os.Executable()
		require.NoError(t, err)
		cmd := exec.Command(exe, "-test.run=^TestFailure$", "-test.v")
		cmd.Env = append(os.Environ(), variable+"=1", "FFT_TEST_SCALE="+scale)
		out, err := cmd.CombinedOutput()
		require.Error(t, err, "%s", out)
		return string(out)
	}
	out := output("2")
	for _, want := range []string{
		"--- FAIL: TestFailure/Inverse ", "--- PASS: TestFailure/Axioms ", "--- SKIP: TestFailure/Shifter ",
		fmt.Sprintf("with Config.Seed %d and FFT_TEST_SCALE 2", defaultSeed),
		"--- FAIL: TestFailure/Radix4 ", "--- PASS: TestFailure/Radix2 ", "with Config.Seed 5 and FFT_TEST_SCALE 2",
	} {
		require.Contains(t, out, want)
	}
	for _, scale := range []string{"0", "-1", "ten", "1.5"} {
		require.Contains(t, output(scale), "want a positive integer")
	}
}

func TestPrimes(t *testing.T) {
	for n, want := range map[uint64][]uint64{
		1: nil, 2: {2}, 12: {2, 3}, 1 << 63: {2}, 97: {97}, 2 * 97 * 97: {2, 97}, 15: {3, 5},
		math.MaxUint64:          {3, 5, 17, 257, 641, 65537, 6700417},
		18446744069414584321:    {18446744069414584321},
		2 * 4611686018427387847: {2, 4611686018427387847},
	} {
		require.Equal(t, want, primes(n), "%d", n)
	}
}

// built draws as the suite does for a field without a sampler.
type built struct{ s *suite }

func (b built) Random(z element, r *rand.Rand) { b.s.build(z, r) }

// TestBuilt checks that elements built from One and Edge are many, also outside the prime field.
func TestBuilt(t *testing.T) {
	s := newSuite(field.ElementsOnly(goldilocks), Config[uint64]{}, 1)
	require.NoError(t, s.sampler(newRand(1), built{s}))

	b := newSuite(field.Field[uint8](bytewise{}), Config[uint8]{Edge: []uint8{2}}, 1)
	require.NoError(t, b.sampler(newRand(1), built{b}))
}

func TestExtension(t *testing.T) {
	Run(t, bytewise{}, Config[uint8]{Edge: []uint8{2, 0x80, 0xff}, RootOrders: []uint64{3, 5, 17, 255}})
	RunBulk(t, field.Field[uint8](bytewise{}), &bulks.Plain[uint8]{Slices: bulks.Slices[uint8]{Field: bytewise{}}},
		Config[uint8]{Edge: []uint8{2}})
}

// prime2 is an extension that takes itself for its prime field.
type prime2 struct{ bytewise }

func (prime2) Order() *big.Int { return big.NewInt(2) }

func TestBrokenOrder(t *testing.T) {
	requireBroken(t, newSuite(field.Field[uint8](prime2{}), Config[uint8]{}, 1).checks(), "Info")
}

// Layers are of all widths that are named, long ones too, one of each by default and of every form from Full on.
func TestShapes(t *testing.T) {
	for scale, each := range map[int]int{1: 1, testscale.Full: 4 * testscale.Full} {
		list := shapes(newRand(1), false, scale)
		require.Len(t, list, 44*each)
		for _, width := range []int{64, 96, 100, 256} {
			of := slices.DeleteFunc(slices.Clone(list), func(l layer) bool { return l.Width != width })
			require.GreaterOrEqual(t, len(of), each, "width %d", width)
		}
	}
}

// A panic in a method of the field fails the checks that come to it, and no others.
func TestPanics(t *testing.T) {
	const variable = "FIELDTEST_PANIC"
	if os.Getenv(variable) != "" {
		Run(t, patch(prime[uint64](goldilocks), func(p *patched[uint64]) {
			p.root = func(z *uint64, n uint64) error { panic("a root of one's own") }
		}), Config[uint64]{})
		return
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run=^TestPanics$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	for _, want := range []string{"--- FAIL: TestPanics/Roots ", "panic: a root of one's own",
		"--- PASS: TestPanics/Axioms "} {
		require.Contains(t, string(out), want)
	}
}
