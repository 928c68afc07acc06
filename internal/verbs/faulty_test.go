package verbs

import (
	"context"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// faulty is a field whose transforms and vectors have one fault.
type faulty struct {
	*smallprime.Field64
	fault
}

type fault int

const (
	none        fault = iota
	oneValue          // one value of the forward transform is off by one
	twoSwapped        // two values change places
	affine            // a constant is added to all values
	otherRoot         // the values are those of another root: they stand elsewhere
	scaling           // the inverse does not divide by n
	outOfPlace        // the inverse reads dst instead of src
	inPlace           // the transform is wrong in place alone
	vecProduct        // products in working form are wrong
	storing           // Store is wrong
	elementwise       // AddVec, SubVec and MulVec are wrong
	faultCount
)

func (f faulty) AddVec(z, x, y []uint64) { f.Field64.AddVec(z, x, y); f.spoil(elementwise, z) }
func (f faulty) SubVec(z, x, y []uint64) { f.Field64.SubVec(z, x, y); f.spoil(elementwise, z) }
func (f faulty) MulVec(z, x, y []uint64) { f.Field64.MulVec(z, x, y); f.spoil(elementwise, z) }

// spoil adds 1 to the last element.
func (f faulty) spoil(which fault, z []uint64) {
	if f.fault == which {
		one := uint64(1)
		f.Add(&z[len(z)-1], &z[len(z)-1], &one)
	}
}

func (f faulty) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	if c := d.(field.Cyclic[uint64]); f.fault == otherRoot && c.N > 2 {
		f.Inv(&c.Root, &c.Root)
		d = c
	}
	t, err := f.Field64.Plan(d, s)
	return faultyTransform{t, f}, err
}

type faultyTransform struct {
	field.Transform[uint64]
	f faulty
}

func (t faultyTransform) Forward(ctx context.Context, dst, src []uint64) error {
	err := t.Transform.Forward(ctx, dst, src)
	t.f.spoil(oneValue, dst)
	n := len(dst)
	switch {
	case t.f.fault == twoSwapped:
		dst[0], dst[n-1] = dst[n-1], dst[0]
	case t.f.fault == affine:
		for i := range dst {
			one := uint64(1)
			t.f.Add(&dst[i], &dst[i], &one)
		}
	case t.f.fault == inPlace && &dst[0] == &src[0]:
		dst[0], dst[n-1] = dst[n-1], dst[0]
	}
	return err
}

func (t faultyTransform) Inverse(ctx context.Context, dst, src []uint64) error {
	if t.f.fault == outOfPlace {
		src = dst
	}
	if err := t.Transform.Inverse(ctx, dst, src); err != nil {
		return err
	}
	if t.f.fault == scaling {
		n := uint64(len(dst))
		for i := range dst {
			t.f.Mul(&dst[i], &dst[i], &n)
		}
	}
	return nil
}

func (t faultyTransform) MulVec(z, x, y field.Vec) error {
	if t.f.fault == vecProduct {
		y = x
	}
	return t.Transform.MulVec(z, x, y)
}

func (t faultyTransform) Store(a []uint64, v field.Vec) error {
	err := t.Transform.Store(a, v)
	t.f.spoil(storing, a)
	return err
}

func withFault(f fault) Field { return Of(faulty{smallprime.P62(), f}) }

// faults calls test with each fault.
func faults(t *testing.T, test func(t *testing.T, f fault)) {
	for f := range faultCount {
		test(t, f)
	}
}
