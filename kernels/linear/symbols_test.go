package linear

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// linearMap is what a constant sends bits to.
type linearMap []uint16

func (m linearMap) of(x uint16) (z uint16) {
	for j, image := range m {
		if x>>j&1 != 0 {
			z ^= image
		}
	}
	return z
}

// constants draws maps of which those of low ones take low bytes to low ones, and the first is 0.
func constants(r *rand.Rand, s *Set, y *Symbols, count int, kind Kind) (maps []linearMap, bytes []byte) {
	for i := range count {
		m := make(linearMap, 8*y.Bytes)
		for j := range m {
			if kind == First && i == 0 {
				break
			}
			m[j] = uint16(r.Uint32())
			if y.Bytes == 1 || (kind == Low || kind == First) && j < 8 {
				m[j] &= 255
			}
		}
		z := make([]byte, s.MapSize(y))
		s.PrepareMap(z, y, m)
		maps, bytes = append(maps, m), append(bytes, z...)
	}
	return maps, bytes
}

// layout is where the bytes of symbols lie.
type layout struct{ bytes, half int }

func layoutOf(y *Symbols, shards bool) layout {
	if y.Planes && !shards {
		return layout{y.Bytes, 64}
	}
	return layout{y.Bytes, 32}
}

func (l layout) at(i int) int { return i/l.half*l.half*l.bytes + i%l.half }

func (l layout) get(row []byte) []uint16 {
	z := make([]uint16, len(row)/l.bytes)
	for i := range z {
		z[i] = uint16(row[l.at(i)])
		if l.bytes == 2 {
			z[i] |= uint16(row[l.at(i)+l.half]) << 8
		}
	}
	return z
}

func (l layout) put(row []byte, x []uint16) {
	for i, x := range x {
		row[l.at(i)] = byte(x)
		if l.bytes == 2 {
			row[l.at(i)+l.half] = byte(x >> 8)
		}
	}
}

func draw(r *rand.Rand, t *testing.T, rows, n int, last bool) (list [][]byte, pointers []*byte) {
	for range rows {
		row := fenced(t, n, last)
		for i := range row {
			row[i] = byte(r.Uint32())
		}
		list, pointers = append(list, row), append(pointers, &row[0])
	}
	return list, pointers
}

// layered is the definition of a pass: constants are those of a block.
func layered(rows [][]uint16, maps []linearMap, block int, back bool) {
	for step := 1; step < len(rows); step *= 2 {
		h := step
		if !back {
			h = len(rows) / (2 * step)
		}
		for r := range rows {
			if r/h%2 != 0 {
				continue
			}
			m := maps[(block*len(rows)+r)/(2*h)]
			u, v := rows[r], rows[r+h]
			for i := range u {
				if back {
					v[i] ^= u[i]
				}
				u[i] ^= m.of(v[i])
				if !back {
					v[i] ^= u[i]
				}
			}
		}
	}
}

// Every kernel in assembly is that of the definition, and touches nothing but its rows, beside which there are pages
// that nobody may touch. Tests have the names of kernels.
func TestKernels(t *testing.T) {
	seen := map[*Set]bool{&Generic: true}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		s := Active()
		undo()
		if !seen[s] {
			seen[s] = true
			tryAll(t, s, map[string]string{"AVX2": "AVX2", "GFNI, AVX-512": "GFNI"}[s.Form])
		}
	}
}

// So are those in Go.
func TestGo(t *testing.T) { tryAll(t, &Generic, "Go") }

func tryAll(t *testing.T, s *Set, suffix string) {
	r := rand.New(rand.NewPCG(3, 4))
	run := func(name string, do func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			for range 3 * testscale.Of(t) {
				do(t)
			}
		})
	}
	for i := range s.Sums {
		run(fmt.Sprintf("sums%d%s", i+1, suffix), func(t *testing.T) { trySums(t, r, s, i+1, false) })
		run(fmt.Sprintf("sums%dStream%s", i+1, suffix), func(t *testing.T) { trySums(t, r, s, i+1, true) })
	}
	for i := range s.Symbols {
		y := &s.Symbols[i]
		for l := range y.Most {
			name := func(title string) string { return fmt.Sprintf("%sRadix%d%s", title, 2<<l, suffix) }
			for kind, title := range []string{"Any", "Low", "First", "Edge"} {
				if y.Bytes == 1 && Kind(kind) == Low {
					continue // it is Any
				}
				name := name(fmt.Sprint("layers", y.Bytes, title))
				run(name, func(t *testing.T) { tryPass(t, r, s, y, y.Layers[kind][l], l+1, Kind(kind), false) })
				run(name+"T", func(t *testing.T) { tryPass(t, r, s, y, y.LayersT[kind][l], l+1, Kind(kind), true) })
			}
			run(name(fmt.Sprintf("layers%dStream", y.Bytes)), func(t *testing.T) {
				tryPass(t, r, s, y, y.Stream[l], l+1, Edge, false)
			})
			run(name(fmt.Sprint("turn", y.Bytes)), func(t *testing.T) { tryTurn(t, r, s, y, l+1) })
			run(name(fmt.Sprint("sums", y.Bytes))+"T", func(t *testing.T) { trySum(t, r, s, y, l+1) })
		}
		for k, title := range []string{"enter", "leave"} {
			run(fmt.Sprint(title, y.Bytes, suffix), func(t *testing.T) { tryTimes(t, r, s, y, k) })
		}
	}
	run("gather"+suffix, func(t *testing.T) { tryGather(t, r, s) })
}

// draws returns rows that are evenly spaced, in memory that nothing is beside.
func draws(r *rand.Rand, t *testing.T, rows, n int) (stride int, list [][]byte) {
	stride = n + Step*r.IntN(3)
	all := fenced(t, (rows-1)*stride+n, r.IntN(2) == 0)
	for i := range all {
		all[i] = byte(r.Uint32())
	}
	for at := 0; at < len(all); at += stride {
		list = append(list, all[at:min(at+stride, len(all))])
	}
	return stride, list
}

func clones(rows [][]byte) (z [][]byte) {
	for _, row := range rows {
		z = append(z, slices.Clone(row))
	}
	return z
}

func tryPass(t *testing.T, r *rand.Rand, s *Set, y *Symbols, do Pass, layers int, kind Kind, back bool) {
	t.Helper()
	step, n := 1+r.IntN(3), y.Bytes*Step*(1+r.IntN(3))
	count, blocks, block := 1+r.IntN(step), 1+r.IntN(3), r.IntN(3)
	if kind == First {
		block, blocks = 0, 1
	}
	size := step << layers
	rows := (blocks-1)*size + (1<<layers-1)*step + count
	maps, w := constants(r, s, y, (block+blocks)<<(layers-1), kind)
	stride, area := draws(r, t, rows, n)
	x, z, from, to := area, area, []*byte{nil}, []*byte(nil)
	if kind == Edge {
		shards, list := draw(r, t, blocks*size, n, r.IntN(2) == 0)
		if from = append(list, list[:size]...); back {
			x = shards[:rows]
		} else {
			z, to = shards[:rows], from
		}
	}
	want := clones(z)
	in, out := layoutOf(y, kind == Edge && back), layoutOf(y, kind == Edge && !back)
	for d := range blocks {
		for i := range count {
			var group [][]uint16
			for j := range 1 << layers {
				group = append(group, in.get(x[d*size+i+j*step][:n]))
			}
			layered(group, maps, block+d, back)
			for j, row := range group {
				out.put(want[d*size+i+j*step], row)
			}
		}
	}
	twice := to != nil && r.IntN(2) == 0
	if twice { // two rows that are written go to one place
		a, b := rows-1-step, rows-1
		to[a] = to[b]
		want[a], want[b] = z[a], nil
	}
	do(&area[0][0], stride, &from[0], step, count, blocks, n, &w[0], block)
	got := slices.Clone(z)
	if twice {
		got[rows-1] = nil
	}
	require.Equal(t, want, got, "%s: %d layers of kind %d, back %v, block %d: %d × %d × %d rows of %d", s.Form, layers,
		kind, back, block, blocks, count, step, n)
}

func tryTurn(t *testing.T, r *rand.Rand, s *Set, y *Symbols, layers int) {
	t.Helper()
	n, block, step := y.Bytes*Step*(1+r.IntN(3)), 1+r.IntN(2), 1+r.IntN(3)
	count := 1 + r.IntN(step)
	maps, w := constants(r, s, y, (block+1)<<(layers-1), First)
	stride, z := draws(r, t, (1<<layers-1)*step+count, n)
	want, form := clones(z), layoutOf(y, false)
	for i := range count {
		var group [][]uint16
		for j := range 1 << layers {
			group = append(group, form.get(z[i+j*step][:n]))
		}
		layered(group, maps, block, true)
		layered(group, maps, 0, false)
		for j, row := range group {
			form.put(want[i+j*step], row)
		}
	}
	y.Turn[layers-1](&z[0][0], stride, nil, step, count, 1, n, &w[0], block)
	require.Equal(t, want, z, "%s: %d layers there and back", s.Form, layers)
}

func trySum(t *testing.T, r *rand.Rand, s *Set, y *Symbols, layers int) {
	t.Helper()
	n, block, step := y.Bytes*Step*(1+r.IntN(3)), r.IntN(3), 1+r.IntN(3)
	count := 1 + r.IntN(step)
	maps, w := constants(r, s, y, (block+1)<<(layers-1), Any)
	rows := (1<<layers-1)*step + count
	stride, x := draws(r, t, rows, n)
	z := fenced(t, (rows-1)*stride+n, r.IntN(2) == 0)
	for i := range z {
		z[i] = byte(r.Uint32())
	}
	want, same, form := slices.Clone(z), clones(x), layoutOf(y, false)
	for i := range count {
		var group [][]uint16
		for j := range 1 << layers {
			group = append(group, form.get(x[i+j*step][:n]))
		}
		layered(group, maps, block, true)
		for j, row := range group {
			sum := make([]byte, n)
			form.put(sum, row)
			add(want[(i+j*step)*stride:], sum)
		}
	}
	y.SumsT[layers-1](&z[0], &x[0][0], stride, step, count, n, &w[0], block)
	require.Equal(t, want, z, "%s: %d layers of %d rows, added", s.Form, layers, count)
	require.Equal(t, same, x)
}

// tryTimes has rows times a constant for each.
func tryTimes(t *testing.T, r *rand.Rand, s *Set, y *Symbols, k int) {
	t.Helper()
	do := []func(z, x **byte, count, n int, m *byte){y.Enter, y.Leave}[k]
	count, n := 1+r.IntN(4), y.Bytes*Step*(1+r.IntN(3))
	maps, m := constants(r, s, y, count, Any)
	x, from := draw(r, t, count, n, k == 0)
	z, to := draw(r, t, count, n, k != 0)
	from, to = append(from, from[0]), append(to, to[0])
	do(&to[0], &from[0], count, n, &m[0])
	for i := range z {
		want := layoutOf(y, k == 0).get(x[i])
		for j := range want {
			want[j] = maps[i].of(want[j])
		}
		require.Equal(t, want, layoutOf(y, k == 1).get(z[i]), "%s: %d of two", s.Form, k)
	}
}

// tryGather has sums of rows. It reads nothing else.
func tryGather(t *testing.T, r *rand.Rand, s *Set) {
	t.Helper()
	for size := 1; size <= 32; size *= 2 {
		n := Step * (1 + r.IntN(11))
		stride := n + Step*r.IntN(2)
		first := r.IntN(size)
		count := 1 + r.IntN(size-first)
		v := fenced(t, (size-1)*stride+n, size%4 != 1)
		for i := range v {
			v[i] = byte(r.Uint32())
		}
		want := slices.Clone(v)
		for i := first; i < first+count; i++ {
			for j := range size {
				if d := i ^ j; j > i && d&(d-1) == 0 {
					for k := range n {
						want[i*stride+k] ^= v[j*stride+k]
					}
				}
			}
		}
		s.Gather(&v[0], stride, first, count, size, n)
		require.Equal(t, want, v, "%s: %d of %d rows from %d on, of %d", s.Form, count, size, first, n)
	}
}
