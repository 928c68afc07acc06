package gpu

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/stretchr/testify/require"
)

// Passes on lazy digits give what passes with carries give, for radices from end to end and elements at the ends.
func TestLazyPasses(t *testing.T) {
	t.Run("8", func(t *testing.T) { samePasses(t, gfpf.P3(), 8) })
	t.Run("16", func(t *testing.T) { samePasses(t, gfpf.P4(), 6) })
	t.Run("32", func(t *testing.T) { samePasses(t, gfpf.P5(), 3) })
	t.Run("64", func(t *testing.T) { samePasses(t, gfpf.P6(), 2) })
}

// samePasses compares passes of count random shapes for each radix. It takes the type of elements from f alone.
func samePasses[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], count int) {
	var e E
	k := len(e)
	d := opened(t, f, 0).d
	r := rand.New(rand.NewPCG(uint64(k), 1))
	for _, radix := range append(lazyRadices(k), f.Radix()) {
		g, err := newDigits[E](d.room(), f, radix, k)
		require.NoError(t, err)
		for range count {
			samePass[E](t, g.(*digits), r)
		}
	}
}

// lazyRadices are the ends of what the kernels for k digits serve, and what is beside powers of two.
func lazyRadices(k int) []uint64 {
	least, most := uint64(1)<<57, uint64(math.MaxUint64)
	if k == 16 || k == 32 {
		most >>= 1
	}
	for low := least; most-low > 0; { // the last one that there is
		if middle := low + (most-low+1)/2; digitsLazy(middle, k) != nil {
			low = middle
		} else {
			most = middle - 1
		}
	}
	return []uint64{least, 1<<60 + 1, 1<<62 - 1, most}
}

func TestLazyRadices(t *testing.T) {
	for _, k := range []int{8, 16, 32, 64} {
		all := lazyRadices(k)
		most := all[len(all)-1]
		require.Greater(t, bits.Len64(most), 62)
		require.Nil(t, digitsLazy(most+1, k))
		require.Nil(t, digitsLazy(all[0]-1, k))
		require.Nil(t, digitsLazy(math.MaxUint64, k))
	}
	for _, k := range []int{2, 4, 128} {
		require.Nil(t, digitsLazy(1<<62, k))
	}
}

// ends fills x with canonical elements, many of whose digits are 0 or r − 1.
func ends[E gfpf.Digits](x []E, radix uint64, r *rand.Rand) {
	for i := range x {
		digits := digitsOf(x[i : i+1])
		if kind := r.IntN(8); kind == 0 {
			clear(digits)
			digits[len(digits)-1] = radix // −1
			continue
		} else {
			for j := range digits {
				digits[j] = [...]uint64{
					r.Uint64N(radix), r.Uint64N(radix), r.Uint64N(radix), uint64(j&1) * (radix - 1),
					0, radix - 1, uint64(r.IntN(2)) * (radix - 1), uint64(r.IntN(3)),
				}[kind]
			}
		}
	}
}

// samePass compares both kernels on one pass over several blocks.
func samePass[E gfpf.Digits](t *testing.T, b *digits, r *rand.Rand) {
	q := digitsPass{Rows: uint32(1 + r.IntN(log2(2*b.k))), Back: r.IntN(2) == 0, Ones: digitsNone}
	q.Columns = min(uint32(r.IntN(6)), 8-min(q.Rows, 8))
	size := 1 << (q.Rows + q.Columns)
	total := size * (1 + r.IntN(3))
	q.Table, q.Period = r.IntN(2)-1, uint64(size)
	if q.Table == 0 {
		q.Ones = [...]uint64{0, 1 << q.Columns}[r.IntN(2)]
	}
	shared := [...]int{leastShared, b.d.Info().SharedOptIn}[r.IntN(2)]
	name := fmt.Sprintf("k = %d, r = %#x, pass %+v of %d elements, %d bytes", b.k, b.radix[0], q, total, shared)

	x, table := make([]E, total), make([]E, size)
	ends(x, b.radix[0], r)
	ends(table, b.radix[0], r)
	w, err := b.newMemory(size)
	require.NoError(t, err)
	b.Pack(bulks.View{Buf: w, N: size}, bulks.ViewOf(table))
	dir := digitDirection{unit: uint64(2*r.IntN(b.k) + 1), tables: []*device.Memory{w}}
	var results [2][]E
	for i := range results {
		tiles := choice.DigitTiles{Digits: b.k, Shared: shared, Multiprocessors: 1 + 3*r.IntN(2),
			Way: choice.Digits{Lazy: i == 1}, Threads: b.lazyThreads}
		dir.digitsPlan = &digitsPlan{Shape: digitsShape{DigitTiles: tiles}}
		if tiles.Width(int(q.Rows)) < 0 {
			return // none of such rows on this device
		}
		v, err := b.Make(total)
		require.NoError(t, err)
		b.Pack(v, bulks.ViewOf(x))
		require.NoError(t, dir.pass(b, b.d.Stream(), v, q), name)
		results[i] = make([]E, total)
		b.Unpack(bulks.ViewOf(results[i]), v)
		require.NoError(t, b.d.Wait(context.Background(), nil), name)
		require.NoError(t, b.Release(v))
	}
	require.NoError(t, w.Release())
	i := 0
	for i < total && results[0][i] == results[1][i] {
		i++
	}
	require.True(t, slices.Equal(results[0], results[1]), "%s, unit %d: element %d", name, dir.unit, i)
}
