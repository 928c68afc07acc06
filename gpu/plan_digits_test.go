package gpu

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/engine/choice"
)

// shapes calls f for every plan of short transforms.
func shapes(t *testing.T, f func(*testing.T, digitsShape, *digitsPlan)) {
	for _, k := range []int{2, 4, 8, 16, 32, 64, 128} {
		for n := 1; n <= 10; n++ {
			for i := range 32 {
				s := digitsShape{
					DigitTiles: choice.DigitTiles{
						Way:             choice.Digits{Pairs: i&8 != 0, Lazy: i&16 != 0},
						Digits:          k,
						Shared:          []int{48 << 10, 227 << 10}[i&1],
						Multiprocessors: 4,
						Threads:         lazyThreads(k),
					},
					Log:   n,
					Back:  i&2 != 0,
					Coset: i&4 != 0,
				}
				if s.Way.Lazy && (s.Way.Pairs || k < 8 || k > 64) || s.Way.Pairs && k > mostPaired {
					continue
				}
				p, err := planDigits(s)
				if err != nil {
					t.Fatal(err)
				}
				f(t, s, p)
			}
		}
	}
}

// index is where element i of a tile stands in the vector, with its row and column, as the kernel computes them.
func (q *digitsPass) index(tile, block, i int) (at, row, column int) {
	rows, columns := int(q.Rows), int(q.Columns)
	first := block << tile
	run := min(tile, columns)
	row = i >> run & (1<<rows - 1)
	column = i>>(run+rows)<<run | i&(1<<run-1)
	if columns < tile {
		return first<<rows + i, row, column
	}
	base := first>>columns<<(columns+rows) + first&(1<<columns-1)
	return base + row<<columns + column, row, column
}

func TestPlanDigitsTiles(t *testing.T) {
	shapes(t, func(t *testing.T, s digitsShape, p *digitsPlan) {
		for _, q := range p.Passes {
			for _, count := range []int{1, 3, 16} {
				checkTiles(t, s, q, count<<s.Log)
			}
		}
	})
}

// checkTiles checks that the tiles of a pass over so many elements are all of them, each once.
func checkTiles(t *testing.T, s digitsShape, q digitsPass, total int) {
	rows, columns := int(q.Rows), int(q.Columns)
	l := s.Launch(choice.DigitPass{Layers: rows, Second: int(q.Steps)}, total)
	if bits.OnesCount(uint(l.Threads)) != 1 || l.Threads < 1<<l.Width || l.Threads > 512 || l.Shared > s.Shared {
		t.Fatalf("%+v: pass %+v of %d elements is %+v", s, q, total, l)
	}
	seen := make([]bool, total)
	for b := range l.Blocks {
		valid := min(1<<l.Width, total>>rows-b<<l.Width)
		for i := range valid << rows {
			at, row, column := q.index(l.Width, b, i)
			// A column is the same place of one block of the vector, row by row.
			want := b<<l.Width + column
			if column >= valid || seen[at] ||
				at != want>>columns<<(columns+rows)+row<<columns+want&(1<<columns-1) {
				t.Fatalf("%+v: pass %+v has element %d at %d", s, q, i, at)
			}
			seen[at] = true
		}
	}
	if slices.Contains(seen, false) {
		t.Fatalf("%+v: pass %+v leaves elements out", s, q)
	}
}

// Plans over Z/p, with the passes by their definition, give the transform by its own.
func TestPlanDigits(t *testing.T) {
	const p, generator, shift = 998244353, 3, 5
	pow := func(b, e uint64) uint64 {
		z := uint64(1)
		for e %= p - 1; e > 0; e >>= 1 {
			if e&1 != 0 {
				z = z * b % p
			}
			b = b * b % p
		}
		return z
	}
	rev := func(i uint64, n uint32) uint64 { return bits.Reverse64(i) >> 1 >> (63 - n) }
	// rows transforms rows that stand step elements apart.
	rows := func(x []uint64, n uint32, step int, w uint64, back bool) {
		y := make([]uint64, 1<<n)
		for j := range y {
			for i := range y {
				if back {
					y[j] += x[int(rev(uint64(i), n))*step] * pow(w, uint64(i*j)) % p
				} else {
					y[rev(uint64(j), n)] += x[i*step] * pow(w, uint64(i*j)) % p
				}
			}
		}
		for i, v := range y {
			x[i*step] = v % p
		}
	}
	tested := map[string]bool{}
	shapes(t, func(t *testing.T, s digitsShape, plan *digitsPlan) {
		name := fmt.Sprint(s.Log, s.Back, s.Coset, plan.Tables, plan.Before, plan.Passes)
		if s.Log > 8 || tested[name] {
			return
		}
		tested[name] = true
		n := uint64(1) << s.Log
		w, c := pow(generator, (p-1)/n), uint64(1)
		if s.Coset {
			c = shift
		}
		x, want := make([]uint64, n), make([]uint64, n)
		for i := range x {
			x[i] = uint64(i*i + 7)
		}
		for j := range n {
			for i := range n {
				want[rev(j, uint32(s.Log))] += x[i] * pow(c, i) % p * pow(w, i*j) % p
			}
		}
		for i := range want {
			want[i] %= p
		}
		if s.Back {
			x, want = want, x
			w, c = pow(w, p-2), pow(c, p-2)
		}
		entry := func(table int, i uint64) uint64 {
			a, z := plan.Tables[table], uint64(1)
			if a.Shift {
				z = pow(c, i)
			} else {
				z = pow(w, i&(1<<a.Columns-1)*rev(i>>a.Columns, a.Rows)<<a.Scale)
			}
			if a.Factor {
				z = z * pow(n, p-2) % p
			}
			return z
		}
		if plan.Before >= 0 {
			for i := range x {
				x[i] = x[i] * entry(plan.Before, uint64(i)) % p
			}
		}
		for _, q := range plan.Passes {
			first, second := q.Rows-q.Steps, q.Steps
			size := 1 << (q.Rows + q.Columns)
			for at := 0; at < len(x); at += size {
				for column := range 1 << q.Columns {
					v := x[at+column:]
					outer := func() {
						for i := range 1 << second {
							rows(v[i<<q.Columns:], first, 1<<(q.Columns+second), pow(w, n>>first), s.Back)
						}
					}
					inner := func() {
						for i := range 1 << first {
							rows(v[i<<(q.Columns+second):], second, 1<<q.Columns, pow(w, n>>second), s.Back)
						}
					}
					if second == 0 {
						outer()
						continue
					}
					if s.Back {
						outer, inner = inner, outer
					}
					outer()
					for i := range 1 << q.Rows {
						v[i<<q.Columns] = v[i<<q.Columns] * entry(q.Inner, uint64(i)) % p
					}
					inner()
				}
			}
			for i := range x {
				if e := uint64(i) & (q.Period - 1); e >= q.Ones {
					x[i] = x[i] * entry(q.Table, e) % p
				} else if q.Table >= 0 && entry(q.Table, e) != 1 {
					t.Fatalf("%+v: pass %+v leaves out a factor at %d", s, q, i)
				}
			}
		}
		if !slices.Equal(x, want) {
			t.Fatalf("%+v: plan %+v is no transform", s, *plan)
		}
	})
}

func TestDigitsRadix(t *testing.T) {
	for _, r := range []uint64{34, 1<<63 + 1<<34, 1<<64 - 1} {
		const k = 8
		m := digitsRadix(r, k)
		// A(r − 1) + 2A = A(r + 1), by words.
		a, over := m[5]>>1|m[6]<<63, m[6]>>1
		h, l := bits.Mul64(a, r-1)
		h2, l2 := bits.Mul64(over, r-1)
		h, c := bits.Add64(h, l2, 0)
		if h2 += c; a != k*(r+2) || m[2] != l || m[3] != h || m[4] != h2 || m[0] != r {
			t.Errorf("radix %d: %x", r, m)
		}
		// The quotient of 2^128 − 1 by D is 2^64 + v: v·D + 2^64·D is in (2^128 − 1 − D, 2^128).
		d := r << bits.LeadingZeros64(r)
		h, l = bits.Mul64(m[1], d)
		h, c = bits.Add64(h, d, 0)
		if _, below := bits.Sub64(1<<64-1-l, d, 0); c != 0 || h != 1<<64-1 || below != 1 {
			t.Errorf("radix %d: reciprocal %x", r, m[1])
		}
	}
}
