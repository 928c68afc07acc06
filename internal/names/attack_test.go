package names_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

// Random transforms of every field, on every tier, with random options and in both directions, have the values of their
// definition by math/big: short ones at random points, longer ones all at once. The scale says how many there are, and
// each run has others.
func TestAttack(t *testing.T) {
	scale, seed := testscale.Of(t), rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	var list []names.Entry
	for _, e := range names.List() {
		if !strings.Contains(e.Name, "mersenne31") { // without roots for the lengths here
			list = append(list, e)
		}
	}
	tiers, ran := cpu.Present(), 0
	const plans = 40
	for i := range plans * scale {
		a := attack{r: r, tier: tiers[r.IntN(len(tiers))]}
		if err := a.run(list[i%len(list)]); err != nil {
			t.Fatalf("seed %d, plan %d: %v: %v", seed, i, a.what, err)
		}
		if a.ran {
			ran++
		}
	}
	if ran < plans*scale/4 {
		t.Errorf("seed %d: %d of %d plans ran", seed, ran, plans*scale)
	}
}

// attack is one random transform.
type attack struct {
	r    *rand.Rand
	tier cpu.Tier
	what string // for messages
	ran  bool   // was not refused
	f    verbs.Field
	p    *big.Int
}

func (a *attack) run(e names.Entry) error {
	undo, err := cpu.Use(a.tier)
	if err != nil {
		return err
	}
	defer undo()
	if a.f, err = e.Open(); err != nil {
		return err
	}
	a.p = a.f.Characteristic()
	if a.p.Cmp(a.f.Order()) != 0 {
		return nil // elements are not integers modulo p
	}
	r, o := a.r, verbs.Options{}
	most := 9
	if a.p.BitLen() > 600 {
		most = 6
	}
	n := 1 << r.IntN(most) * []int{1, 1, 1, 3, 5, 7}[r.IntN(6)]
	long := r.IntN(6) == 0 && most == 9 // lists of rows that change places are longer there
	if long {
		n = 1 << (11 + r.IntN(4))
	}
	o.Algorithm = []field.Algorithm{field.Auto, field.Naive, field.SixStep, field.SixStepMerged, field.FourStep,
		field.DepthFirst, field.MixedRadix, field.Bluestein, field.Codelet}[r.IntN(9)]
	if r.IntN(2) == 0 || long { // which many lengths refuse
		o.Algorithm = field.Auto
	}
	o.Order = []field.Order{field.Natural, field.BitReversed, field.Scheme}[r.IntN(3)]
	o.Base, o.Workers = []int{0, 0, 2, 4, 8, 16, 32, 64}[r.IntN(8)], 1+r.IntN(4)
	kind := []string{"", "-coset", "-negacyclic"}[r.IntN(3)]
	t := verbs.Transform{Op: strings.TrimPrefix(kind, "-")}
	back := verbs.Transform{Op: "inverse" + kind}
	if kind == "" {
		t.Op = "forward"
	}
	shift := a.element()
	if shift.Sign() == 0 {
		shift.SetInt64(1)
	}
	if kind == "-coset" {
		t.Shift, back.Shift = shift.String(), shift.String()
	}
	a.what = fmt.Sprintf("%s, tier %v, %s, length %d, scheme %v, order %v, base %d, %d workers", e.Name, a.tier, t.Op, n,
		o.Algorithm, o.Order, o.Base, o.Workers)
	x := make([]*big.Int, n)
	for i := range x {
		x[i] = a.element()
	}
	y, err := a.transform(t, o, x)
	if errors.Is(err, field.ErrNoRoot) || errors.Is(err, field.ErrScheme) || errors.Is(err, field.ErrSpec) ||
		errors.Is(err, field.ErrLength) {
		return nil
	}
	if err != nil {
		return err
	}
	a.ran = true
	if o.Order != field.Scheme {
		if err := a.check(t, o, shift, x, y); err != nil {
			return err
		}
	}
	z, err := a.transform(back, o, y)
	if err != nil {
		return err
	}
	for i := range x {
		if x[i].Cmp(z[i]) != 0 {
			return fmt.Errorf("there and back: element %d is %v, was %v", i, z[i], x[i])
		}
	}
	return nil
}

// element is a random one, often 0, 1 or −1.
func (a *attack) element() *big.Int {
	switch a.r.IntN(8) {
	case 0:
		return new(big.Int)
	case 1:
		return big.NewInt(1)
	case 2:
		return new(big.Int).Sub(a.p, big.NewInt(1))
	}
	return a.uniform()
}

func (a *attack) uniform() *big.Int {
	b := make([]byte, a.p.BitLen()/8+8)
	for i := range b {
		b[i] = byte(a.r.Uint32())
	}
	z := new(big.Int).SetBytes(b)
	return z.Mod(z, a.p)
}

// transform goes through the texts of elements.
func (a *attack) transform(t verbs.Transform, o verbs.Options, x []*big.Int) ([]*big.Int, error) {
	var in, out bytes.Buffer
	for _, v := range x {
		fmt.Fprintln(&in, v)
	}
	y, err := a.f.Run(context.Background(), t, vecfile.Source{Name: "x", Reader: &in}, o)
	if err != nil {
		return nil, err
	}
	if err := y.Write(&out, vecfile.Text); err != nil {
		return nil, err
	}
	var values []*big.Int
	for text := range strings.FieldsSeq(out.String()) {
		v, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return nil, fmt.Errorf("%q is no number", text)
		}
		values = append(values, v)
	}
	return values, nil
}

// root is the one of order n, which is the second value of the polynomial x, checked by its powers. Above 2^10 it is
// read off a fast transform. Where n is a power of two, the square of the root has to be the root of order n/2: fields
// promise this for powers of two alone.
func (a *attack) root(n int) (*big.Int, error) {
	if n == 1 {
		return big.NewInt(1), nil
	}
	x := make([]*big.Int, n)
	for i := range x {
		x[i] = new(big.Int)
	}
	x[1].SetInt64(1)
	o := verbs.Options{Algorithm: field.Naive, Workers: 1}
	if n > 1<<10 {
		o.Algorithm = field.Auto
	}
	powers, err := a.transform(verbs.Transform{Op: "forward"}, o, x)
	if err != nil {
		return nil, err
	}
	w := powers[1]
	if o.Algorithm == field.Auto && n&(n-1) == 0 {
		half, err := a.root(n / 2)
		if err != nil {
			return nil, err
		}
		if square := new(big.Int).Mul(w, w); square.Mod(square, a.p).Cmp(half) != 0 {
			return nil, fmt.Errorf("the root %v of order %d is not the square of %v", half, n/2, w)
		}
	}
	for k := 1; k <= n; k++ {
		if n%k != 0 {
			continue
		}
		is := new(big.Int).Exp(w, big.NewInt(int64(k)), a.p).Cmp(big.NewInt(1)) == 0
		if is != (k == n) {
			return nil, fmt.Errorf("%v is no root of order %d", w, n)
		}
	}
	return w, nil
}

// check compares values with sums by math/big: at random places, and from some length on all at once.
func (a *attack) check(t verbs.Transform, o verbs.Options, shift *big.Int, x, y []*big.Int) error {
	n := len(x)
	order, step := n, 1
	if t.Op == "negacyclic" {
		order, step = 2*n, 2
	}
	w, err := a.root(order)
	if err != nil {
		return err
	}
	if n > 64 {
		return a.checkAll(t, o, shift, w, x, y)
	}
	for range min(n, 4) {
		i := a.r.IntN(n)
		j := i
		if o.Order == field.BitReversed {
			j = bulks.Rev(i, bits.Len(uint(n))-1)
		}
		e := step * j
		if step == 2 {
			e++
		}
		point := new(big.Int).Exp(w, big.NewInt(int64(e)), a.p)
		if t.Op == "coset" {
			point.Mul(point, shift).Mod(point, a.p)
		}
		sum := new(big.Int)
		for k := n - 1; k >= 0; k-- {
			sum.Mul(sum, point).Add(sum, x[k]).Mod(sum, a.p)
		}
		if sum.Cmp(y[i]) != 0 {
			return fmt.Errorf("value %d is %v, want %v", i, y[i], sum)
		}
	}
	return nil
}

// checkAll compares the sum of c^j·y_j over all points j with what it is by the definition, for a random c. A wrong
// value shows at all but n of the p values of c. With points z·v^j, for v = w or w², the sum is that of
// x_k·z^k·(c^n − 1)/(c·v^k − 1) over k.
func (a *attack) checkAll(t verbs.Transform, o verbs.Options, shift, w *big.Int, x, y []*big.Int) error {
	n, one := len(x), big.NewInt(1)
	mul := func(x, y *big.Int) *big.Int { z := new(big.Int).Mul(x, y); return z.Mod(z, a.p) }
	z, v := one, w
	switch t.Op {
	case "coset":
		z = shift
	case "negacyclic":
		z, v = w, mul(w, w)
	}
	var c *big.Int
	top := new(big.Int)
	for tries := 0; top.Sign() == 0; tries++ {
		if tries == 100 { // most of the field is in the group
			return nil
		}
		c = a.uniform()
		top.Exp(c, big.NewInt(int64(n)), a.p)
		top.Sub(top, one).Mod(top, a.p)
	}
	got, power := new(big.Int), one
	for j := range n {
		i := j
		if o.Order == field.BitReversed {
			i = bulks.Rev(j, bits.Len(uint(n))-1)
		}
		got.Add(got, mul(power, y[i]))
		power = mul(power, c)
	}
	got.Mod(got, a.p)
	// The sum of a_k/b_k is kept as one fraction, so that there is one inverse.
	above, below, zk, cv := new(big.Int), one, one, c
	for k := range n {
		b := new(big.Int).Sub(cv, one)
		above = mul(above, b)
		above.Add(above, mul(mul(x[k], zk), below))
		below = mul(below, b)
		zk, cv = mul(zk, z), mul(cv, v)
	}
	want := mul(mul(above, top), new(big.Int).ModInverse(below, a.p))
	if want.Cmp(got) != 0 {
		return fmt.Errorf("the sum of values by the powers of %v is %v, want %v", c, got, want)
	}
	return nil
}
