package verbs

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/vecfile"
)

// Affine is what options say of affine domains: which subspace, where, and the basis of polynomials. The zero value is
// the field's own subspace, unshifted, and powers of x.
type Affine struct {
	Basis        []byte // text of at least as many vectors as a domain takes; nil is the field's own
	BasisName    string // of its file, in messages
	Shift        string // the text of an element; "" is 0
	Coefficients field.Coefficients
}

// given reports whether anything is asked for.
func (a *Affine) given() bool {
	return a.Basis != nil || a.Shift != "" || a.Coefficients != field.Monomial
}

// affine returns the options of a plan of length n that a asks for.
func (h *hidden) affine(n int, a *Affine) (opts []fft.Option, err error) {
	if !a.given() {
		return nil, nil
	}
	if !h.f.Subspaces() || n < 1 || n&(n-1) != 0 {
		return nil, fmt.Errorf("galfft: %w: a basis, shift or coefficients for length %d over %s, want a power of two and a "+
			"binary field", field.ErrSpec, n, h.Name())
	}
	if a.Basis != nil {
		b, err := vecfile.Read(h.f, vecfile.Source{Name: a.BasisName, Reader: bytes.NewReader(a.Basis)})
		if err != nil {
			return nil, err
		}
		k := bits.Len(uint(n)) - 1
		if b.N < k {
			return nil, fmt.Errorf("%s: %w", a.BasisName, &field.LengthError{What: "the basis", Want: k, Got: b.N})
		}
		opts = append(opts, h.f.Subspace(b.Slice(0, k)))
	}
	if a.Shift != "" {
		shift := h.zero()
		if err := vecfile.ParseText(h.f, shift, a.Shift); err != nil {
			return nil, fmt.Errorf("galfft: %w: shift %q: %w", field.ErrSpec, a.Shift, err)
		}
		opts = append(opts, h.f.Coset(shift))
	}
	return append(opts, fft.WithCoefficients(a.Coefficients)), nil
}

// subspace is the affine domain of a plan. With W_0 = x and W_(k+1) = W_k² + c_k·W_k, c_k = W_k(b_k), polynomial W_k is
// 0 on the span of the first k vectors.
type subspace struct {
	basis bulks.View
	shift element
	c     []element
	lch   bool // polynomials are in the basis LCH
}

// subspaceOf returns that of p, nil where p is over roots of unity.
func (h *hidden) subspaceOf(p *erased.Plan) *subspace {
	if !p.Affine {
		return nil
	}
	basis, shift := h.f.Affine(&p.Domain)
	s := &subspace{basis: basis, shift: shift, lch: p.Report().Coefficients == field.LCH}
	for k := range basis.N {
		w := h.zero()
		h.f.Set(w, h.f.At(basis, k))
		for _, c := range s.c {
			h.next(w, c)
		}
		s.c = append(s.c, w)
	}
	return s
}

// next takes a value w of W_k to that of W_(k+1).
func (h *hidden) next(w, c element) {
	t := h.zero()
	h.f.Add(t, w, c)
	h.f.Mul(w, w, t)
}

// polynomial returns the value at x of the polynomial with coefficients a, as the plan with the domain s takes them; s
// is nil for powers of x.
func (h *hidden) polynomial(ctx context.Context, s *subspace, a bulks.View, x element) (element, error) {
	if s == nil || !s.lch {
		return h.eval(ctx, a, x)
	}
	// Of coefficients side by side the second has one factor more, the same for all pairs.
	w, inverse, u, t := h.zero(), h.zero(), h.zero(), h.zero()
	h.f.Set(w, x)
	v := h.f.Make(a.N)
	h.f.Copy(v, a)
	for _, c := range s.c {
		if err := h.f.Inv(inverse, c); err != nil {
			return nil, err
		}
		h.f.Mul(u, w, inverse)
		err := each(ctx, v.N/2, func(i int) error {
			h.f.Mul(t, h.f.At(v, 2*i+1), u)
			h.f.Add(h.f.At(v, i), h.f.At(v, 2*i), t)
			return nil
		})
		if err != nil {
			return nil, err
		}
		v = v.Slice(0, v.N/2)
		h.next(w, c)
	}
	return h.f.At(v, 0), nil
}

// checkAffine is checkAt over an affine domain. The polynomial that is 0 at its points has the derivative Π c_k at each
// of them, so that
//
//	Π c_k · f(z) = Σⱼ yⱼ·Π (z − tᵢ) over i ≠ j
func (h *hidden) checkAffine(ctx context.Context, p *erased.Plan, s *subspace, z element, y, x bulks.View,
	index func(j int) int) error {
	f := h.f
	t, got, others, gap, term := h.zero(), h.zero(), h.zero(), h.zero(), h.zero()
	f.One(others)
	err := each(ctx, y.N, func(j int) error {
		p.Point(t, j)
		f.Sub(gap, z, t)
		f.Mul(term, f.At(y, index(j)), others)
		f.Mul(got, got, gap)
		f.Add(got, got, term)
		f.Mul(others, others, gap)
		return nil
	})
	if err != nil {
		return err
	}
	want, err := h.polynomial(ctx, s, x, z)
	if err != nil {
		return err
	}
	for _, c := range s.c {
		f.Mul(want, want, c)
	}
	if !f.Equal(got, want) {
		return h.otherPolynomial(z)
	}
	return nil
}

// impulseAffine is impulse over an affine domain: at so many points one by one, where a power costs a few products, and
// at all of them by the polynomial through the values.
func (v *verifier) impulseAffine() error {
	n := v.plan.N
	for _, k := range []int{0, n - 1, v.rand.IntN(n)} {
		x := v.f.Make(n)
		v.f.One(v.f.At(x, k))
		y, err := v.forward(x)
		if err != nil {
			return err
		}
		for range impulsePoints {
			j, point, want := v.rand.IntN(n), v.zero(), v.zero()
			v.plan.Point(point, j)
			v.power(want, point, k)
			if err := v.differ("value", v.index(j), v.f.At(y, v.index(j)), want); err != nil {
				return fmt.Errorf("of polynomial %d of the basis: %w", k, err)
			}
		}
		z := v.zero()
		v.f.Random(z, v.rand)
		if err := v.checkAffine(v.ctx, v.plan, v.domain, z, y, x, v.index); err != nil {
			return fmt.Errorf("of polynomial %d of the basis: %w", k, err)
		}
	}
	return nil
}

// impulsePoints is at how many points impulseAffine compares one by one.
const impulsePoints = 64

// power sets z to polynomial k of the basis, at x.
func (v *verifier) power(z, x element, k int) {
	if !v.domain.lch {
		v.f.Pow(z, x, uint64(k))
		return
	}
	w, u := v.zero(), v.zero()
	v.f.Set(w, x)
	v.f.One(z)
	for i, c := range v.domain.c {
		if k>>i&1 == 1 {
			_ = v.f.Inv(u, c) // vectors of a domain do not depend on each other
			v.f.Mul(u, u, w)
			v.f.Mul(z, z, u)
		}
		v.next(w, c)
	}
}

// affineChecks are the checks over an affine domain that stand in place of the shift theorem: the change of the shift,
// and of the basis.
func (v *verifier) affineChecks() []check {
	return []check{{"shift", v.shiftChange}, {"basis", v.basisChange}}
}

// shiftChange adds a point of the subspace to the shift: value j is then the one that stood at j XOR that point.
func (v *verifier) shiftChange() error {
	q, shift := v.rand.IntN(v.plan.N), v.zero()
	v.plan.Point(shift, q)
	return v.sameValues(func(j int) int { return j ^ q }, v.f.Subspace(v.domain.basis), v.f.Coset(shift))
}

// basisChange adds vectors to those behind them. The subspaces of the first ones stay, and with them the basis LCH.
func (v *verifier) basisChange() error {
	m := v.domain.basis.N
	other, to := v.f.Make(m), make([]int, m) // points that the new vectors are
	v.f.Copy(other, v.domain.basis)
	for k := range m {
		to[k] = 1<<k | v.rand.IntN(1<<k)
		for i := range k {
			if to[k]>>i&1 == 1 {
				v.f.Add(v.f.At(other, k), v.f.At(other, k), v.f.At(v.domain.basis, i))
			}
		}
	}
	place := func(j int) (at int) {
		for k := range m {
			if j>>k&1 == 1 {
				at ^= to[k]
			}
		}
		return at
	}
	return v.sameValues(place, v.f.Subspace(other), v.f.Coset(v.domain.shift))
}

// sameValues compares the values of another plan at its points j with those at the points place(j).
func (v *verifier) sameValues(place func(j int) int, opts ...fft.Option) error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	o := v.options
	o.Affine = Affine{}
	p, err := v.hidden.plan(v.ctx, x.N, o, append(opts, fft.WithCoefficients(v.coefficients()))...)
	if err != nil {
		return err
	}
	if err := p.Bind(false, x, x)(v.ctx); err != nil {
		return err
	}
	index := indexOf(p)
	return each(v.ctx, x.N, func(j int) error {
		i := index(j)
		return v.differ("value", i, v.f.At(x, i), v.f.At(y, v.index(place(j))))
	})
}

// coefficients is the basis of polynomials.
func (v *verifier) coefficients() field.Coefficients {
	if v.domain.lch {
		return field.LCH
	}
	return field.Monomial
}
