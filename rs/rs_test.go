package rs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/linear"
	"github.com/stretchr/testify/require"
)

var ctx = context.Background()

// all are the codes with bytes of their own.
var all = []Code{Vandermonde, Cauchy, Zfec, Leopard8, Leopard16, Additive32, Additive64, Additive128}

func plan(t testing.TB, data, parity int, opts ...Option) *Plan {
	t.Helper()
	p, err := New(data, parity, opts...)
	require.NoError(t, err)
	return p
}

func random(r *rand.Rand, shards, size int) [][]byte {
	z := make([][]byte, shards)
	for i := range z {
		z[i] = make([]byte, size)
		for j := range z[i] {
			z[i][j] = byte(r.Uint32())
		}
	}
	return z
}

func clone(shards [][]byte) [][]byte {
	z := make([][]byte, len(shards))
	for i, s := range shards {
		z[i] = slices.Clone(s)
	}
	return z
}

// encoded is a word of random data.
func encoded(t testing.TB, r *rand.Rand, p *Plan, size int) [][]byte {
	t.Helper()
	shards := random(r, p.data+p.parity, size)
	require.NoError(t, p.Encode(ctx, shards))
	return shards
}

// Parity has the bytes that other programs made, and those of Additive32 stay.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "#") {
				continue
			}
			var code string
			var data, parity, size int
			var want uint64
			_, err := fmt.Sscanf(lines.Text(), "%s %d %d %d %x", &code, &data, &parity, &size, &want)
			require.NoError(t, err)
			if data > 4096 && testscale.Of(t) < testscale.Full {
				continue
			}
			c, err := ParseCode(code)
			require.NoError(t, err)
			shards := make([][]byte, data+parity)
			for i := range shards {
				shards[i] = make([]byte, size)
				for j := range shards[i] {
					x := uint32(i)*2654435761 + uint32(j)*40503 + 12345
					shards[i][j] = byte(x>>16 ^ x>>5)
				}
			}
			require.NoError(t, plan(t, data, parity, WithCode(c)).Encode(ctx, shards))
			sum := fnv.New64a()
			for _, s := range shards[data:] {
				_, _ = sum.Write(s)
			}
			require.Equal(t, want, sum.Sum64(), "%s: %s", name, lines.Text())
		}
	}
}

// Every pattern of losses that can be rebuilt is, for all small words, whatever is wanted.
func TestPatterns(t *testing.T) {
	most := []int{6, 9, 12}[min(testscale.Of(t), 3)-1]
	for _, c := range all {
		r := rand.New(rand.NewPCG(1, uint64(c)))
		for data := 1; data < most; data++ {
			for parity := 1; data+parity <= most; parity++ {
				p := plan(t, data, parity, WithCode(c))
				whole := encoded(t, r, p, c.Unit()*(1+r.IntN(5)))
				for lost := range 1 << (data + parity) {
					shards := clone(whole)
					for i := range shards {
						if lost>>i&1 != 0 {
							shards[i] = nil
						}
					}
					some, wanted := clone(shards), make([]bool, data+parity)
					for i := range wanted {
						wanted[i] = r.IntN(2) == 0
					}
					err := p.Reconstruct(ctx, shards)
					if n := bits.OnesCount(uint(lost)); n > parity {
						require.ErrorIs(t, err, ErrTooFew)
						continue
					}
					require.NoError(t, err)
					require.True(t, slices.EqualFunc(whole, shards, bytes.Equal), "%v: %d+%d, lost %b", c, data, parity, lost)
					if r.IntN(4) > 0 {
						continue
					}
					require.NoError(t, p.ReconstructSome(ctx, some, wanted))
					for i, s := range some {
						switch {
						case lost>>i&1 == 0 || wanted[i]:
							require.Equal(t, whole[i], s)
						default:
							require.Nil(t, s)
						}
					}
				}
			}
		}
	}
}

// Random words of every code, of any length and number of workers: what is lost comes back, Verify tells, and updates
// and data that arrives one by one have the parity that Encode makes.
func TestRandom(t *testing.T) {
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			for seed := range 12 * uint64(testscale.Of(t)) {
				r := rand.New(rand.NewPCG(seed, uint64(c)))
				most := 1 << (1 + r.IntN(8))
				data, parity := 1+r.IntN(most), 1+r.IntN(most)
				if !c.serves(data, parity) {
					data, parity = 1+r.IntN(40), 1+r.IntN(40)
				}
				p := plan(t, data, parity, WithCode(c), WithWorkers(1+r.IntN(3)))
				check(t, r, p, c.Unit()*(1+r.IntN(5000/c.Unit()/(1+most/16))), fmt.Sprint("seed ", seed))
			}
		})
	}
}

func check(t *testing.T, r *rand.Rand, p *Plan, size int, name string) {
	t.Helper()
	name = fmt.Sprintf("%s: %v %d+%d × %d", name, p.code, p.data, p.parity, size)
	whole := encoded(t, r, p, size)
	ok, err := p.Verify(ctx, whole)
	require.NoError(t, err)
	require.True(t, ok, name)

	shards := clone(whole)
	shards[r.IntN(len(shards))][r.IntN(size)] ^= byte(1 + r.IntN(255))
	ok, err = p.Verify(ctx, shards)
	require.NoError(t, err)
	require.False(t, ok, name)

	shards = clone(whole)
	for _, i := range r.Perm(len(shards))[:1+r.IntN(p.parity)] {
		shards[i] = shards[i][:0] // with room
		if r.IntN(2) == 0 {
			shards[i] = nil
		}
	}
	require.NoError(t, p.Reconstruct(ctx, shards), name)
	require.Equal(t, whole, shards, name)

	fresh := make([][]byte, p.data)
	for range 1 + r.IntN(3) {
		fresh[r.IntN(p.data)] = random(r, 1, size)[0]
	}
	require.NoError(t, p.Update(ctx, shards, fresh), name)
	require.Equal(t, whole[:p.data], shards[:p.data], name)
	for i, s := range fresh {
		if s != nil {
			shards[i] = s
		}
	}
	ok, err = p.Verify(ctx, shards)
	require.NoError(t, err)
	require.True(t, ok, "%s: updated", name)

	parity := random(r, p.parity, size)
	e, err := p.Incremental(parity)
	require.NoError(t, err)
	order := r.Perm(p.data)
	if r.IntN(2) == 0 {
		slices.Sort(order)
	}
	for _, i := range order {
		require.NoError(t, e.Add(ctx, i, slices.Clone(whole[i])), name)
	}
	require.NoError(t, e.Finish(ctx))
	require.Equal(t, whole[p.data:], parity, "%s: one by one", name)
}

// Parity of long words goes around the caches, where shards begin at the right places. It is the same.
func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []Code{Leopard8, Leopard16} {
		for _, counts := range [][2]int{{3, 2}, {20, 9}, {40, 100}} {
			p := plan(t, counts[0], counts[1], WithCode(c))
			for size := 128; size < 1000; size += 70 {
				shards := encoded(t, r, p, size)
				for from := range 2 { // 1 is no place to stream to
					long := plan(t, counts[0], counts[1], WithCode(c))
					long.engine.(*leopard).stream = 0
					again := clone(shards[:p.data])
					for range p.parity {
						again = append(again, make([]byte, size+from)[from:])
					}
					require.NoError(t, long.Encode(ctx, again))
					require.Equal(t, shards, again, "%v, %v of %d from %d", c, counts, size, from)
				}
			}
		}
	}
}

// Sums of long words go around the caches too, but for what shares a line with others. They are the same for every
// place of the results in a line, for results at different places, and on every tier.
func TestStreamedSums(t *testing.T) {
	const most = 3 * linear.Step
	r := rand.New(rand.NewPCG(9, 10))
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		p, long := plan(t, 10, 6), plan(t, 10, 6)
		undo()
		engine := long.engine.(*matrix)
		for size := 1; size < most; size++ {
			shards := encoded(t, r, p, size)
			engine.stream = 16 * size
			for place := range linear.Step {
				rows := clone(shards[:p.data])
				for i := range p.parity {
					at := place
					if place == 0 {
						at = i // all are different
					}
					room := make([]byte, most+2*linear.Step)
					at += int(-uintptr(unsafe.Pointer(&room[0])) % linear.Step)
					rows = append(rows, room[at:at+size:at+size])
				}
				require.NoError(t, long.Encode(ctx, rows))
				require.Equal(t, shards, rows, "%v: %d bytes at %d", tier, size, place)
				lost := 1 + r.IntN(6)
				for _, i := range r.Perm(16)[:lost] {
					rows[i] = rows[i][:0]
				}
				engine.stream = (13 + place%4) * size // fewer results do not stream
				require.NoError(t, long.Reconstruct(ctx, rows))
				require.Equal(t, shards, rows, "%v: %d of %d bytes at %d", tier, lost, size, place)
			}
		}
	}
}

// What a call refuses, it leaves as it was.
func TestErrors(t *testing.T) {
	ended, end := context.WithCancel(ctx)
	end()
	for _, c := range all {
		p := plan(t, 3, 2, WithCode(c))
		r := rand.New(rand.NewPCG(2, uint64(c)))
		whole := encoded(t, r, p, 32)
		refused := func(want error, change func(s [][]byte) error) {
			t.Helper()
			shards := clone(whole)
			require.ErrorIs(t, change(shards), want)
			for i, s := range shards[:3] {
				if len(s) == 32 {
					require.Equal(t, whole[i], s)
				}
			}
		}
		refused(ErrShards, func(s [][]byte) error { return p.Encode(ctx, s[:4]) })
		refused(ErrShards, func(s [][]byte) error { return p.Update(ctx, s, s[:2]) })
		refused(ErrShards, func(s [][]byte) error { return p.ReconstructSome(ctx, s, make([]bool, 4)) })
		refused(ErrSize, func(s [][]byte) error { s[1] = s[1][:4]; return p.Encode(ctx, s) })
		refused(ErrSize, func(s [][]byte) error { s[4] = nil; return p.Encode(ctx, s) })
		refused(field.ErrLength, func(s [][]byte) error { s[4] = s[4][:4]; return p.Reconstruct(ctx, s) })
		refused(ErrTooFew, func(s [][]byte) error { s[0], s[1], s[2] = nil, nil, nil; return p.Reconstruct(ctx, s) })
		refused(context.Canceled, func(s [][]byte) error { s[0] = nil; return p.Reconstruct(ended, s) })
		refused(context.Canceled, func(s [][]byte) error { return p.Encode(ended, s) })
		if c.Unit() > 1 {
			refused(ErrSize, func(s [][]byte) error {
				for i := range s {
					s[i] = s[i][:c.Unit()+1]
				}
				return p.Encode(ctx, s)
			})
		}
		var few *TooFewError
		require.True(t, errors.As(p.Reconstruct(ctx, [][]byte{whole[0], nil, nil, nil, nil}), &few))
		require.Equal(t, TooFewError{Have: 1, Want: 3}, *few)
		require.ErrorIs(t, p.Reconstruct(ctx, make([][]byte, 5)), ErrTooFew)
	}
	for _, bad := range []struct {
		c            Code
		data, parity int
	}{{Vandermonde, 200, 57}, {Leopard8, 129, 65}, {Leopard16, 40000, 20000}, {Auto, 0, 1}, {Auto, 1, -1},
		{Additive32, 1 << 30, 1}, {Additive128, 1 << 30, 1}} {
		_, err := New(bad.data, bad.parity, WithCode(bad.c))
		require.ErrorIs(t, err, ErrCounts, "%v", bad)
	}
	e, err := plan(t, 2, 1).Incremental([][]byte{{1, 2}})
	require.NoError(t, err)
	require.NoError(t, e.Add(ctx, 1, []byte{3, 4}))
	require.ErrorIs(t, e.Add(ctx, 1, []byte{3, 4}), field.ErrSpec)
	require.ErrorIs(t, e.Add(ctx, 2, []byte{3, 4}), ErrShards)
	require.ErrorIs(t, e.Add(ctx, 0, []byte{3}), ErrSize)
}

// New takes the code that docs/rs.md says.
func TestAuto(t *testing.T) {
	for _, c := range []struct {
		data, parity int
		want         Code
	}{{200, 56, Vandermonde}, {200, 57, Leopard16}, {32768, 32768, Leopard16}, {32769, 32768, Additive32},
		{5, 0, Vandermonde}} {
		require.Equal(t, c.want, plan(t, c.data, c.parity).Code())
	}
	for _, c := range append(all, Auto) {
		again, err := ParseCode(c.String())
		require.NoError(t, err)
		require.Equal(t, c, again)
	}
}

// Hot calls allocate nothing once warm.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, and pools forget")
	}
	for _, c := range all {
		for _, workers := range []int{1, 3} {
			p := plan(t, 20, 10, WithCode(c), WithWorkers(workers))
			shards := encoded(t, rand.New(rand.NewPCG(3, 4)), p, 512)
			fresh := make([][]byte, 20)
			fresh[3] = slices.Clone(shards[4])
			require.Zero(t, testing.AllocsPerRun(8, func() {
				_ = p.Encode(ctx, shards)
				_, _ = p.Verify(ctx, shards)
				_ = p.Update(ctx, shards, fresh)
				shards[2], shards[25] = shards[2][:0], shards[25][:0]
				_ = p.Reconstruct(ctx, shards)
			}), "%v, %d workers", c, workers)
		}
	}
}

// A word of more than 65,536 shards.
func TestMany(t *testing.T) {
	if testscale.Of(t) < testscale.Full {
		t.Skip("FFT_TEST_SCALE below 2: the tables of so many take a second")
	}
	r, p := rand.New(rand.NewPCG(5, 6)), plan(t, 70000, 1000)
	require.Equal(t, Additive32, p.Code())
	check(t, r, p, 4, "many")
	for _, c := range []Code{Additive64, Additive128} {
		p := plan(t, 70000, 1000, WithCode(c))
		whole := encoded(t, r, p, c.Unit())
		shards := clone(whole)
		for _, i := range r.Perm(71000)[:1000] {
			shards[i] = nil
		}
		require.NoError(t, p.Reconstruct(ctx, shards))
		require.Equal(t, whole, shards)
	}
}

// Each four bytes of longer symbols are symbols of words of Additive32.
func TestLongSymbols(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []Code{Additive64, Additive128} {
		for _, size := range []int{1, 5, 63, 64, 65, 200} { // symbols
			p, short := plan(t, 20, 7, WithCode(c)), plan(t, 20, 7, WithCode(Additive32))
			long := encoded(t, r, p, size*c.Unit())
			for part := range c.Unit() / 4 {
				word := make([][]byte, len(long))
				for i, s := range long {
					for len(s) > 0 {
						n := min(64, len(s)/c.Unit()) // symbols of a block
						word[i] = append(word[i], s[4*part*n:][:4*n]...)
						s = s[c.Unit()*n:]
					}
				}
				ok, err := short.Verify(ctx, word)
				require.NoError(t, err)
				require.True(t, ok, "%v, %d symbols, part %d", c, size, part)
			}
		}
	}
}

// So many rows stay in no cache, and passes of them go two at a time. Parts in which nothing is there, or nothing is
// wanted, are left out.
func TestLongWords(t *testing.T) {
	for _, c := range []struct {
		tier               cpu.Tier
		data, parity, size int
	}{{cpu.Active(), 32768, 32768, 128}, {cpu.Active(), 40000, 16384, 130}, {cpu.AVX2, 32768, 32768, 64}} {
		if c.tier < cpu.AVX2 || !slices.Contains(cpu.Present(), c.tier) {
			continue // kernels in Go take a minute
		}
		undo, err := cpu.Use(c.tier)
		require.NoError(t, err)
		p, r := plan(t, c.data, c.parity), rand.New(rand.NewPCG(5, 6))
		shards := encoded(t, r, p, c.size)
		whole := slices.Clone(shards)
		for _, lost := range [][]int{r.Perm(len(shards))[:c.parity], span(0, c.parity), span(c.data, len(shards)),
			span(9000, 25000)} {
			for _, i := range lost {
				shards[i] = nil
			}
			require.NoError(t, p.Reconstruct(ctx, shards))
			require.True(t, slices.EqualFunc(whole, shards, bytes.Equal), "%v: without %d and %d others", c, lost[0],
				len(lost)-1)
		}
		undo()
	}
}

// span is the numbers from from to to.
func span(from, to int) (z []int) {
	for i := from; i < to; i++ {
		z = append(z, i)
	}
	return z
}

// Each worker has a strip, where shards are long enough.
func TestStrips(t *testing.T) {
	for _, c := range []struct {
		code                        Code
		data, parity, workers, size int
		strips                      int
	}{
		{Leopard16, 1024, 1024, 16, 4 << 10, 16},
		{Leopard16, 32768, 32768, 4, 1 << 10, 4},
		{Leopard16, 32768, 32768, 16, 1 << 10, 4}, // of 256 bytes
		{Additive128, 10, 4, 4, 4 << 10, 4},
		{Vandermonde, 10, 4, 16, 64 << 10, 16},
	} {
		for _, rebuild := range []bool{false, true} {
			p := plan(t, c.data, c.parity, WithCode(c.code), WithWorkers(c.workers))
			strip := p.strip(c.size, rebuild)
			require.Zero(t, strip%p.engine.least())
			require.Equal(t, c.strips, (c.size+strip-1)/strip, "%v, rebuild %v", c, rebuild)
		}
	}
}
