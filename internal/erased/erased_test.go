package erased

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
)

// Hidden elements compute as the field's own: words, arrays without operations on vectors, and what holds pointers.
func TestField(t *testing.T) {
	pointers, err := testfields.NewBigInt(big.NewInt(97))
	if err != nil {
		t.Fatal(err)
	}
	testField(t, smallprime.P62())
	testField(t, bigprime.BN254())
	testField(t, pointers)
}

func testField[E any](t *testing.T, of interface {
	field.Rooted[E]
	field.Sampler[E]
	field.Codec[E]
}) {
	f, n := Of(of), 8
	x, y, z, want := make([]E, n), make([]E, n), f.Make(n), make([]E, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		of.Random(&x[i], r)
		of.Random(&y[i], r)
	}
	vx, vy := bulks.ViewOf(x), bulks.ViewOf(y)
	same := func(what string) {
		t.Helper()
		for i := range want {
			if got := f.At(z, i); !of.Equal(got.(*E), &want[i]) || !f.Equal(got, &want[i]) {
				t.Errorf("%T, %s: element %d is %s, want %s", of, what, i, f.AppendText(nil, got), of.AppendText(nil, &want[i]))
			}
		}
	}
	for op, do := range map[string]struct {
		plain func(z, x, y *E)
		one   func(z, x, y Element)
	}{"add": {of.Add, f.Add}, "sub": {of.Sub, f.Sub}, "mul": {of.Mul, f.Mul}} {
		for i := range want {
			do.plain(&want[i], &x[i], &y[i])
			do.one(f.At(z, i), &x[i], &y[i])
		}
		same(op)
		f.Copy(z, vx)
		f.Elementwise(op, z, vx, vy, nil)()
		same("vectors, " + op)
	}
	for i := range want {
		field.PowUint(of, &want[i], &x[i], uint64(11*i))
		f.Pow(f.At(z, i), &x[i], uint64(11*i))
	}
	same("pow")
	var unequal E
	of.Add(&unequal, &want[0], &want[0])
	if f.Equal(&unequal, &want[0]) {
		t.Errorf("%T: 2 is 1", of)
	}

	ctx := context.Background()
	for _, opts := range [][]fft.Option{nil, {f.Coset(&y[0])}} {
		p, err := f.Plan(ctx, n, opts...)
		plain, errPlain := fft.NewPlan(of, n, opts...)
		if err = errors.Join(err, errPlain, plain.Forward(want, x), p.Forward(ctx, z, vx)); err != nil {
			t.Fatal(err)
		}
		same("forward")
		if err = errors.Join(plain.Inverse(want, x), p.Bind(true, z, vx)(ctx)); err != nil {
			t.Fatal(err)
		}
		same("inverse")
		v, err := p.NewVec()
		if err = errors.Join(err, p.Load(v, vy), p.Store(z, v)); err != nil {
			t.Fatal(err)
		}
		copy(want, y)
		same("load and store")
		for i := range want {
			plain.Point(&want[i], i-n)
			p.Point(f.At(z, i), i-n)
		}
		same("points")
	}
}

// Another field of the same elements keeps what is drawn and written.
func TestOver(t *testing.T) {
	f := Of(smallprime.P62())
	g := f.Over(field.ElementsOnly[uint64](smallprime.P62()))
	if _, own := g.Field().(field.Codec[uint64]); own || !g.Coded() || !g.Drawn() {
		t.Error("the codec and the sampler are to be those of the first field")
	}
	x := uint64(7)
	if got := string(g.AppendText(nil, &x)); got != "7" {
		t.Errorf("got text %s, want 7", got)
	}
}
