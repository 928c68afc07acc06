package literal

import (
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// additive is the additive FFT over an affine domain as M. Hamilis' thesis has it, by phases of their own: S. Gao and
// T. Mateer's algorithm with a shift carried along. For a polynomial g over the basis b_0, …, b_(d−1) with shift s
// (section 3.2.2; chapter 7 has the order of the loops):
//
//	shift    g_i ← g_i·b_(d−1)^i, which makes the last vector 1
//	Taylor   g = Σ (h_2i + h_(2i+1)·x)·(x² + x)^i
//	shuffle  the even h, and behind them the odd h: polynomials over the images of γ_j = b_j/b_(d−1) and
//	         σ = s/b_(d−1) under x² + x, and so on to polynomials of two coefficients
//	linear   f_0 + s·f_1, f_0 + (s + b_0)·f_1
//	merge    with the values u of the even half, v of the odd one: w_i = u_i + G_i·v_i and w_(i+h) = w_i + v_i, where
//	         G_i is σ plus the sum of the γ_j for the bits j of i
//
// N = 2^m points take 3/2·m·N − N + 1 products, where the thesis says 2·m·N − 3/2·N + 1 and counts N products for a
// merge, which has N/2, and (m²/4 + 3m/4)·N sums. Tables have 3N elements, and the powers of inverses for the way back
// 2N more.
//
// Rows go to the field's [field.Vectors], where it offers them: that is how a field brings products of its own.
type additive[E any] struct {
	f       field.Field[E]
	rows    field.Vectors[E] // of f
	bulk    bulks.Bulk
	n       int
	levels  []level[E] // splits, the longest polynomials first
	linear  line[E]
	options Options
	ignored string
}

// level is the tables for one split of polynomials of so many coefficients as up has.
type level[E any] struct {
	up, down []E // powers of the last vector, and of its inverse
	points   []E // G_i
}

// line is the vector and the shift of polynomials of two coefficients.
type line[E any] struct{ vector, inverse, shift E }

// buildAdditive makes the transform over d, whose basis and shift were checked.
func buildAdditive[E any](p *engine.Problem, f field.Field[E], d field.Affine[E], o Options) (engine.Scheme, error) {
	a, s := p.S.Algorithm, &additive[E]{f: f, rows: field.VectorsOf(f), bulk: p.F, n: p.D.N, options: o}
	if a != field.Auto || p.S.Coefficients != field.Monomial {
		return nil, fmt.Errorf("fft: %w: scheme %v of %v coefficients in its literal form, want %v of %v ones",
			field.ErrSpec, a, p.S.Coefficients, field.Auto, field.Monomial)
	}
	if o.Preshuffle != 0 || o.Transpose != 0 || o.Online {
		return nil, fmt.Errorf("fft: %w: permutations and online twiddles of a literal additive transform",
			field.ErrSpec)
	}
	if p.S.Base != 0 || p.S.Strip != 0 || p.S.Radix != 0 || p.S.Cache != 0 || p.S.Twiddles != field.AutoTwiddles {
		s.ignored = "base, strip, radix, cache and twiddles: the literal form has none"
	}
	if err := engine.CheckMemory(s.n, p.F.Bytes(1), p.S.MemoryLimit, 6*s.n); err != nil {
		return nil, err
	}
	m := len(d.Basis)
	if m == 0 {
		return s, nil
	}
	v := make([]E, m) // the basis of the level
	for i := range v {
		f.Set(&v[i], &d.Basis[i])
	}
	var shift, square E
	f.Set(&shift, &d.Shift)
	for ; len(v) > 1; v = v[:len(v)-1] {
		last := len(v) - 1
		l := level[E]{up: make([]E, 1<<len(v)), down: make([]E, 1<<len(v)), points: make([]E, 1<<last)}
		var inverse E
		if err := f.Inv(&inverse, &v[last]); err != nil {
			return nil, err
		}
		powers(f, l.up, &v[last])
		powers(f, l.down, &inverse)
		f.Mul(&shift, &shift, &inverse)
		f.Set(&l.points[0], &shift)
		for j := range last {
			f.Mul(&v[j], &v[j], &inverse)
			for i := range 1 << j {
				f.Add(&l.points[1<<j+i], &l.points[i], &v[j])
			}
			f.Mul(&square, &v[j], &v[j])
			f.Add(&v[j], &square, &v[j])
		}
		f.Mul(&square, &shift, &shift)
		f.Add(&shift, &square, &shift)
		s.levels = append(s.levels, l)
	}
	f.Set(&s.linear.vector, &v[0])
	f.Set(&s.linear.shift, &shift)
	return s, f.Inv(&s.linear.inverse, &v[0])
}

// powers sets z to 1, x, x², …
func powers[E any](f field.Field[E], z []E, x *E) {
	f.One(&z[0])
	for i := 1; i < len(z); i++ {
		f.Mul(&z[i], &z[i-1], x)
	}
}

// Cheapest is natural order.
func (s *additive[E]) Cheapest() field.Order { return field.Natural }

func (s *additive[E]) Steps() int { return max(1, s.n/2) }

// additiveCall is the state of one call. Coefficients go to and fro between the output and scratch, as shuffles have
// another vector for their result.
type additiveCall[E any] struct {
	*additive[E]
	program
	y    []E // scratch
	temp []E // so many products of each task: local variables would escape
}

// products is how many a task makes of a row before it adds them.
const products = 128

func (s *additive[E]) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	t := &additiveCall[E]{additive: s, program: program{c: c, options: s.options}, temp: make([]E, products*c.Tasks)}
	if len(s.levels) > 0 {
		t.y = make([]E, s.n)
	}
	t.mark(Permutations)
	t.input(len(s.levels)&1 == 1)
	for i := range s.levels {
		scratch := (len(s.levels)-i)&1 == 1
		t.mark(Twiddles)
		t.twist(scratch, s.levels[i].up)
		t.mark(Expansions)
		for length := s.n >> i; length > 2; length /= 2 {
			t.expand(scratch, length, false)
		}
		t.mark(Permutations)
		t.shuffle(scratch, s.n>>i, false)
	}
	t.mark(BaseCases)
	t.lines(false)
	t.mark(Butterflies)
	for i := len(s.levels) - 1; i >= 0; i-- {
		t.merge(s.levels[i].points, false)
	}
	t.reorder(o)
	t.mark(Done)
	forward, t.list = t.list, nil

	t.mark(Permutations)
	t.input(false)
	t.reorder(o)
	t.mark(Butterflies)
	for i := range s.levels {
		t.merge(s.levels[i].points, true)
	}
	t.mark(BaseCases)
	t.lines(true)
	for i := len(s.levels) - 1; i >= 0; i-- {
		scratch := (len(s.levels)-i)&1 == 1
		t.mark(Permutations)
		t.shuffle(!scratch, s.n>>i, true)
		t.mark(Expansions)
		for length := 4; length <= s.n>>i; length *= 2 {
			t.expand(scratch, length, true)
		}
		t.mark(Twiddles)
		t.twist(scratch, s.levels[i].down)
	}
	if len(s.levels)&1 == 1 {
		t.mark(Permutations)
		t.loop(s.n, grain8, func(k, end, _ int) { copyTo(s.f, t.vector(false)[k:end], t.y[k:end]) })
	}
	t.mark(Done)
	return forward, t.list, nil
}

// vector is scratch, or the output.
func (t *additiveCall[E]) vector(scratch bool) []E {
	if scratch {
		return t.y
	}
	return bulks.SliceOf[E](t.c.Out)
}

// input copies the input to where the first phase wants it.
func (t *additiveCall[E]) input(scratch bool) {
	t.loop(t.n, grain8, func(k, end, _ int) {
		if x, z := bulks.SliceOf[E](t.c.In)[k:end], t.vector(scratch)[k:end]; &x[0] != &z[0] {
			copyTo(t.f, z, x)
		}
	})
}

// reorder sorts values from natural to bit-reversed order and back.
func (t *additiveCall[E]) reorder(o field.Order) {
	if o == field.BitReversed {
		t.mark(Permutations)
		t.one(func() { t.bulk.Reorder(t.c.Out, 1, 0, 1) })
	}
}

// twist multiplies coefficient i of each polynomial by powers[i], but for the first one, which is 1.
func (t *additiveCall[E]) twist(scratch bool, powers []E) {
	t.loop(t.n, grain8, func(k, end, _ int) {
		x := t.vector(scratch)
		for k < end {
			i := k & (len(powers) - 1)
			if i == 0 {
				i, k = 1, k+1
			}
			if n := min(end-k, len(powers)-i); n > 0 {
				t.rows.MulVec(x[k:k+n], x[k:k+n], powers[i:i+n])
				k += n
			}
		}
	})
}

// expand is the step of Taylor expansions at x² + x that cuts parts of so many coefficients in two, or puts them
// together: for quarters t_0 … t_3 of a part, t_2 ← t_2 + t_3 and t_1 ← t_1 + t_2.
func (t *additiveCall[E]) expand(scratch bool, length int, inverse bool) {
	q := length / 4
	t.loop(t.n/4, grain4, func(k, end, _ int) {
		x := t.vector(scratch)
		for k < end {
			i := k % q
			n := min(end-k, q-i)
			part := x[k/q*length+i:][:3*q+n]
			t1, t2, t3 := part[q:q+n], part[2*q:2*q+n], part[3*q:]
			if inverse {
				t.add(t1, t2)
				t.add(t2, t3)
			} else {
				t.add(t2, t3)
				t.add(t1, t2)
			}
			k += n
		}
	})
}

// add adds x to z.
func (t *additiveCall[E]) add(z, x []E) {
	const short = 4 // for which a call costs more than the sums
	if len(z) > short {
		t.rows.AddVec(z, z, x)
		return
	}
	for i := range z {
		t.f.Add(&z[i], &z[i], &x[i])
	}
}

// shuffle moves polynomials of so many coefficients to the other vector, even ones before odd ones, or back.
func (t *additiveCall[E]) shuffle(scratch bool, length int, inverse bool) {
	h := length / 2
	t.loop(t.n/2, grain4, func(k, end, _ int) {
		x, y := t.vector(scratch), t.vector(!scratch)
		for ; k < end; k++ {
			i := k/h*length + k%h
			if inverse {
				t.f.Set(&y[2*k], &x[i])
				t.f.Set(&y[2*k+1], &x[i+h])
			} else {
				t.f.Set(&y[i], &x[2*k])
				t.f.Set(&y[i+h], &x[2*k+1])
			}
		}
	})
}

// lines are the values of polynomials of two coefficients, or the coefficients of their values.
func (t *additiveCall[E]) lines(inverse bool) {
	l := &t.linear
	t.loop(t.n/2, grain4, func(k, end, task int) {
		f, p := t.f, &t.temp[products*task]
		for ; k < end; k++ {
			x, y := &t.vector(false)[2*k], &t.vector(false)[2*k+1]
			if inverse {
				f.Add(p, x, y)
				f.Mul(y, p, &l.inverse)
				f.Mul(p, y, &l.shift)
				f.Add(x, x, p)
			} else {
				f.Mul(p, y, &l.shift)
				f.Add(x, x, p)
				f.Mul(y, y, &l.vector)
				f.Add(y, x, y)
			}
		}
	})
}

// merge makes values at 2h points of those at h, h = len(points), of both halves, or goes back.
func (t *additiveCall[E]) merge(points []E, inverse bool) {
	h := len(points)
	t.loop(t.n/2, grain2, func(from, to, task int) {
		halves(t.vector(false), h, from, to, func(x []E, z, end int) {
			for z < end {
				n := min(products, end-z)
				u, v, p := x[z:z+n], x[h+z:h+z+n], t.temp[products*task:][:n]
				if inverse {
					t.add(v, u)
				}
				t.rows.MulVec(p, v, points[z:z+n])
				t.add(u, p)
				if !inverse {
					t.add(v, u)
				}
				z += n
			}
		})
	})
}

func (s *additive[E]) Report(r *field.Report, o field.Order) {
	m := bits.Len(uint(s.n)) - 1
	r.Algorithm, r.Ignored = field.DepthFirst, s.ignored
	r.Passes = []string{fmt.Sprintf("%d splits: shift, Taylor, shuffle", len(s.levels)), "linear",
		fmt.Sprintf("%d merges", len(s.levels))}
	for range m {
		r.Split = append(r.Split, 2)
	}
	elements := 0
	for _, l := range s.levels {
		elements += len(l.up) + len(l.down) + len(l.points)
	}
	r.Tables = s.bulk.Bytes(elements + 3)
	if len(s.levels) > 0 {
		r.Scratch = s.bulk.Bytes(s.n)
	}
	r.Form += ", the literal form of the scheme"
}
