package gpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/stretchr/testify/require"
)

// tables are kernels of butterflies by tables, for factors of so many bits.
type tables struct {
	bits, groups int // and those of 128 bytes of a table
	times        func(t, v uint32) uint32
}

const (
	tileFactors = 15
	tileLength  = 4096
	tileThreads = 256
)

func allTables(t testing.TB) (list []tables) {
	f8, err := binary.New[uint8](8)
	require.NoError(t, err)
	f16, err := binary.New[uint16](16)
	require.NoError(t, err)
	f32, err := binary.New[uint32](32)
	require.NoError(t, err)
	return []tables{
		{8, 1, func(t, v uint32) (z uint32) {
			for at := 0; at < 32; at += 8 {
				x, y := uint8(t), uint8(v>>at)
				f8.Mul(&x, &x, &y)
				z |= uint32(x) << at
			}
			return z
		}},
		{16, 3, func(t, v uint32) (z uint32) {
			for at := 0; at < 32; at += 16 {
				x, y := uint16(t), uint16(v>>at)
				f16.Mul(&x, &x, &y)
				z |= uint32(x) << at
			}
			return z
		}},
		{32, 7, func(t, v uint32) (z uint32) {
			f32.Mul(&z, &t, &v)
			return z
		}},
	}
}

func (b tables) factors(r *rand.Rand, n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		switch i {
		case 0, 1:
			list[i] = uint32(i)
		case 2:
			list[i] = math.MaxUint32
		default:
			list[i] = uint32(1) << (i % b.bits)
			if i%3 != 0 {
				list[i] = r.Uint32()
			}
		}
		list[i] &= math.MaxUint32 >> (32 - b.bits)
	}
	r.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// tile does what the kernel does with the elements of a block.
func (b tables) tile(x, factors []uint32, rounds int) {
	for r := range 2 * rounds {
		for t := range tileThreads {
			at := func(j int) *uint32 {
				if r%2 == 0 {
					return &x[t+256*j]
				}
				return &x[t/16*256+t%16+16*j]
			}
			for layer := range 4 {
				half := 8 >> layer
				for block := range 1 << layer {
					for i := 2 * half * block; i < 2*half*block+half; i++ {
						*at(i) ^= b.times(factors[1<<layer-1+block], *at(i + half))
						*at(i + half) ^= *at(i)
					}
				}
			}
		}
	}
}

// words32 puts words on a device.
func words32(t testing.TB, d *device.Device, x []uint32) *device.Memory {
	m, err := d.Make(4 * len(x))
	require.NoError(t, err)
	require.NoError(t, m.CopyIn(m.At, unsafe.Pointer(&x[0]), 4*len(x)))
	return m
}

func words32Of(t testing.TB, d *device.Device, m *device.Memory, n int) []uint32 {
	x := make([]uint32, n)
	m.Did(nil)
	require.NoError(t, m.Queue().CopyOut(unsafe.Pointer(&x[0]), m.At, 4*n))
	require.NoError(t, (&onDevice{d}).Wait(t.Context(), bulks.View{Buf: m, N: n}))
	return x
}

func (b tables) sharedBytes() int { return tileFactors*128*b.groups + 64 + 4*(tileLength+tileThreads) }

// Butterflies by tables are those of the processor, for factors of every kind, and tables have what the processor's
// products are.
func TestGF2Tables(t *testing.T) {
	d := alone(t).room()
	const blocks, rounds = 2, 1
	for _, b := range allTables(t) {
		r := rand.New(rand.NewPCG(3, uint64(b.bits)))
		factors := b.factors(r, blocks*tileFactors)
		x := make([]uint32, blocks*tileLength)
		for i := range x {
			if x[i] = r.Uint32(); i < 64 {
				x[i] = 1 << (i % 32)
			}
		}
		from, at, to := words32(t, d, x), words32(t, d, factors), words32(t, d, make([]uint32, len(x)))
		f := d.Function("gf2tables", fmt.Sprint("gf2_tile_", b.bits), b.sharedBytes())
		require.NoError(t, d.Launch(d.Stream(), f, [2]int{blocks, 1}, tileThreads, b.sharedBytes(),
			to.At, from.At, at.At, rounds))
		got := words32Of(t, d, to, len(x))
		for i := range blocks {
			b.tile(x[tileLength*i:][:tileLength], factors[tileFactors*i:][:tileFactors], rounds)
		}
		require.True(t, slices.Equal(x, got), "%d bits", b.bits)

		words := 32 * b.groups * tileFactors
		f = d.Function("gf2tables", fmt.Sprint("gf2_tables_", b.bits), 4*words)
		require.NoError(t, d.Launch(d.Stream(), f, [2]int{blocks, 1}, tileThreads, 4*words, to.At, at.At, 2))
		got = words32Of(t, d, to, blocks*words)
		for i, factor := range factors {
			table := got[i*32*b.groups:][:32*b.groups]
			for e := range 32 * b.groups * 32 / b.bits {
				word := table[e*b.bits/32] >> (e * b.bits % 32) & (math.MaxUint32 >> (32 - b.bits))
				group, index := e/(1024/b.bits), uint32(e%(1024/b.bits))
				var v uint32
				switch {
				case b.bits == 8:
					v = index
				case b.bits == 16 && group == 0:
					v = index
				case b.bits == 16:
					v = index % 32 << (5*group + 1)
				case group < 6:
					v = index << (5*group + 2)
				default:
					v = index
				}
				if b.bits == 16 && group > 0 && index >= 32 || group == 6 && index >= 4 {
					continue // of which there are none
				}
				require.Equal(t, b.times(factor, v), word, "%d bits, entry %d", b.bits, e)
			}
		}
		for _, m := range []*device.Memory{from, at, to} {
			require.NoError(t, m.Release())
		}
	}
}

// BenchmarkGF2Tables prints the butterflies that a device does in a second in shared memory: see docs/gpu.md.
func BenchmarkGF2Tables(b *testing.B) {
	realDevice(b)
	d := must(first.Get())
	const rounds = 32
	blocks := 32 * d.Info().Multiprocessors
	for _, k := range allTables(b) {
		r := rand.New(rand.NewPCG(3, uint64(k.bits)))
		x := make([]uint32, blocks*tileLength)
		for i := range x {
			x[i] = r.Uint32()
		}
		factors := k.factors(r, blocks*tileFactors)
		from, at, to := words32(b, d, x), words32(b, d, factors), words32(b, d, x)
		shared := k.sharedBytes()
		f := d.Function("gf2tables", fmt.Sprint("gf2_tile_", k.bits), shared)
		ms := measured(b, d, func() error {
			return d.Launch(d.Stream(), f, [2]int{blocks, 1}, tileThreads, shared, to.At, from.At, at.At, rounds)
		})
		got := words32Of(b, d, to, len(x))
		for _, i := range []int{0, blocks - 1} {
			want := x[tileLength*i:][:tileLength]
			k.tile(want, factors[tileFactors*i:][:tileFactors], rounds)
			require.True(b, slices.Equal(want, got[tileLength*i:][:tileLength]))
		}
		const each = 2 * rounds * 4 * tileLength / 2 // butterflies of a block
		fmt.Printf("butterflies over GF(2^32), factors of %d bits, shared memory: %.4f ms, %.1f G/s\n", k.bits, ms,
			float64(blocks)*each/ms/1e6)
		words := 4 * 32 * k.groups * tileFactors
		f = d.Function("gf2tables", fmt.Sprint("gf2_tables_", k.bits), words)
		ms = measured(b, d, func() error {
			return d.Launch(d.Stream(), f, [2]int{blocks, 1}, tileThreads, words, to.At, at.At, 2*rounds)
		})
		fmt.Printf("their tables alone: %.4f ms, %.2f G/s\n", ms, float64(blocks)*2*rounds*tileFactors/ms/1e6)
		for _, m := range []*device.Memory{from, at, to} {
			require.NoError(b, m.Release())
		}
	}
}
