package gpu

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/stretchr/testify/require"
)

// ratesFile is where the rates of devices of compute capability 9.0 are from.
const ratesFile = "../bench/results/2026-11-26-b8ac827-gpu-gf2.txt"

// The table of a device has what was measured there, and nothing else.
func TestGF2Rates(t *testing.T) {
	text, err := os.ReadFile(ratesFile)
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^(\S+) product by (.*) of 2\^\d+: \S+ ms, (\S+) G/s`)
	lines := line.FindAllStringSubmatch(string(text), -1)
	found := map[string]string{}
	for _, l := range lines {
		found[l[1]+" "+l[2]] = l[3]
	}
	for by, g := range measuredRates[0].g {
		for bits, rate := range g {
			name := measuredField(by, bits)
			require.Equal(t, found[name+" "+string(by)], fmt.Sprintf("%.2f", rate), "%s by %s", name, by)
		}
	}
}

// measuredField is the field of BenchmarkGF2 whose rate of a multiplier the table has.
func measuredField(by multiplier, bits int) string {
	switch by {
	case slicedTower, mapped:
		return fmt.Sprint("tower:", bits)
	case bitwise:
		return map[int]string{8: "gf2:8:0x14d", 16: "gf2:16:0x174c5", 32: "gf2:32:0x1e040020d",
			64: "gf2:64:0x12881000000200841", 128: "polyval"}[bits]
	}
	return must(binary.New[binary.Number](bits)).Name()
}

// Rates are those of the least length that has them, on the last device that is not later.
func TestGF2Choice(t *testing.T) {
	r := rates{g: map[multiplier]map[int]float64{whole: {32: 5, 96: 3, 64: 4}}}
	for m, want := range map[int]float64{2: 5, 32: 5, 33: 4, 64: 4, 65: 3, 96: 3, 97: 0} {
		require.Equal(t, want, r.rateOf(whole, m), m)
	}
	require.Zero(t, r.rateOf(groups, 2))
	last := &measuredRates[len(measuredRates)-1]
	require.Same(t, last, ratesOf(7, 0))
	require.Same(t, &measuredRates[0], ratesOf(99, 0))
	d := alone(t)
	require.Equal(t, "products of gf2:64 on "+d.Info().Name+": sliced (99.7 G/s); else whole (87.7 G/s), groups (41 G/s)",
		must(Field(must(binary.New[uint64](64)), On(d))).Explain())
	require.Empty(t, must(Field(smallprime.BabyBear(), On(d))).Explain())
	require.Empty(t, (*DeviceField[uint64])(nil).Explain())
	// Another table makes another choice.
	f := must(Field(must(binary.New[uint64](64)), On(d)))
	f.v.(*gf2).setWays(&rates{g: map[multiplier]map[int]float64{groups: {64: 2}, sliced: {64: 1}}})
	require.Contains(t, f.Explain(), ": groups (2 G/s); else sliced (1 G/s), whole (not measured)")
}

// Vectors of queues have the values of those that are waited for, in order on the queue and across two.
func TestGF2Queues(t *testing.T) {
	d := alone(t)
	f := must(Field(must(binary.NewTower[uint32](32)), On(d)))
	q, p := must(d.NewQueue()), must(d.NewQueue())
	x, y := []uint32{1, 2, 3, 0xffffffff}, []uint32{7, 9, 0, 0x80000001}
	want := make([]uint32, 4)
	for i := range want {
		f.Unwrap().Mul(&want[i], &x[i], &y[i])
		f.Unwrap().Add(&want[i], &want[i], &x[i])
	}
	a, b, z := must(f.NewVecIn(q, 4)), must(f.NewVecIn(q, 4)), must(f.NewVecIn(p, 4))
	require.NoError(t, f.LoadVec(a, x))
	require.NoError(t, f.LoadVec(b, y))
	require.NoError(t, MulVec(z, a, b))
	require.NoError(t, AddVec(z, z, a))
	got := make([]uint32, 4)
	require.NoError(t, f.StoreVec(got, z))
	require.Equal(t, want, got)
	require.NoError(t, q.Wait(context.Background()))
	at, err := Pointer(z)
	require.NoError(t, err)
	require.NotZero(t, at)

	_, err = f.NewVecIn(nil, 1)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = f.NewVecIn(must(alone(t).NewQueue()), 1)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = f.NewVecIn(q, -1)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = (*DeviceField[uint32])(nil).NewVecIn(q, 1)
	require.ErrorIs(t, err, field.ErrSpec)
	require.NoError(t, z.Close())
	_, err = Pointer(z)
	require.ErrorIs(t, err, field.ErrVec)
	require.NoError(t, q.Close())
	require.NoError(t, p.Close())
}
