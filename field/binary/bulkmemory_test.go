package binary

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/schemes"
)

// Transforms in the slices of the caller take little memory beside them: tables of Cantor's subspaces are constants,
// and there is no vector of scratch.
func TestMemory(t *testing.T) {
	f := must(New[uint64](64))
	for _, k := range []int{6, 16, 29} {
		d, err := field.NewAffine(f, 1<<k)
		require.NoError(t, err)
		plan, err := schemes.Build(f, newBulk(f), d, field.Spec{MemoryLimit: 8<<k + 1<<20})
		require.NoError(t, err)
		r := plan.Report()
		require.Less(t, r.Tables+r.Scratch, 1<<20, "2^%d", k)
	}
}

// Tables say what they take, those of transforms that are shorter than a pair of tiles as well.
func TestTableBytes(t *testing.T) {
	for layers := 3; layers <= 8; layers++ {
		tableBytes(t, AES(), layers)
		tableBytes(t, must(New[uint64](64)), layers)
		tableBytes(t, must(NewTower[[2]uint64](128)), layers)
	}
}

func tableBytes[E Elements](t *testing.T, f *Field[E], layers int) {
	const count = 64
	b := newBulk(f)
	g, err := b.Make(layers * (layers + 1) / 2)
	require.NoError(t, err)
	var tables [count]bulks.Table
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // pools keep what they have for one
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	for i := range tables {
		tables[i], err = b.Span(g, layers)
		require.NoError(t, err)
	}
	took := (heap() - before) / count
	const heads = 1 << 11 // of slices and structures, and what the allocator rounds up
	require.Less(t, took, tables[0].Bytes()+tables[0].Bytes()/4+heads, "%s, %d layers", f.Name(), layers)
	runtime.KeepAlive(&tables)
}

// Rows that are far apart are copied past the caches, and all of them arrive, with nothing else.
func TestFarRows(t *testing.T) {
	f := must(New[uint64](64))
	const rows, width, stride = 1 << 8, 1 << 6, far >> 3 >> 8
	for _, b := range []bulks.Bulk{newBulk(f), wordsOver(f, gf2.GenericWords(64))} {
		v, err := b.Make(rows * stride)
		require.NoError(t, err)
		part, err := b.Make(rows * width)
		require.NoError(t, err)
		x := bulks.SliceOf[uint64](part)
		for i := range x {
			x[i] = uint64(i + 1)
		}
		b.Copy(v, part, bulks.Copy{Rows: rows, Width: width, Dst: stride, Src: width})
		y := bulks.SliceOf[uint64](v)
		for i := range rows {
			require.Equal(t, x[i*width:(i+1)*width], y[i*stride:i*stride+width])
			require.Equal(t, make([]uint64, width), y[i*stride+width:i*stride+2*width])
		}
	}
}

// Rows go out past the caches while others come in, and shorter ones are left to copies.
func TestSwap(t *testing.T) {
	f := must(New[uint64](64))
	const rows, width, stride = 1 << 10, 1 << 6, far >> 3 >> 10
	b := wordsOver(f, gf2.GenericWords(64))
	v, err := b.Make(rows * stride)
	require.NoError(t, err)
	part, err := b.Make(rows * width)
	require.NoError(t, err)
	x, y := bulks.SliceOf[uint64](part), bulks.SliceOf[uint64](v)
	for i := range rows {
		for j := range width {
			x[i*width+j], y[i*stride+width+j] = uint64(i*width+j+1), uint64(-i*width-j-1)
		}
	}
	c := bulks.Copy{Rows: rows, Width: width, Dst: stride, Src: width}
	all := b.bytes.set.Swap != nil
	short := c
	short.Rows = rows / 2
	for _, c := range []bulks.Copy{short, c} {
		require.Equal(t, all && c.Rows == rows, b.Swap(part, v, v.Slice(width, v.N), c))
		if c.Rows < rows {
			require.Zero(t, y[0])
		}
	}
	if !all {
		t.Skip("no kernel for it")
	}
	for i := range rows {
		for j := range width {
			n := uint64(i*width + j + 1)
			require.Equal(t, []uint64{-n, n, -n, 0}, []uint64{x[i*width+j], y[i*stride+j], y[i*stride+width+j],
				y[i*stride+2*width+j]})
		}
	}
}
