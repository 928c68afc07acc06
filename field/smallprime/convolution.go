package smallprime

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
)

// helperPrimes are the fields of the three largest primes of 62 bits that are 1 modulo 2^40: they have roots of every order that
// a slice can want.
var helperPrimes = sync.OnceValue(func() (list []*Field64) {
	primes, err := Primes(62, 1<<40)
	if err != nil {
		panic(err)
	}
	for p := range primes {
		if list = append(list, newField64(p)); len(list) == 3 {
			break
		}
	}
	return list
})

// NewConvolution prepares convolutions by h, whatever roots of unity f has: modulo two or three primes of 62 bits, whose product is
// above the n·p² of sums of integers, and by the Chinese remainder theorem. n = len(h) is a power of two.
func (f *prime[W]) NewConvolution(h []W) (field.Convolution[W], error) {
	if f.m.p == 0 {
		return nil, f.unfit()
	}
	n := len(h)
	if n < 1 || n&(n-1) != 0 {
		return nil, fmt.Errorf("fft: %w: convolution of length %d, want a power of two", field.ErrLength, n)
	}
	primes := helperPrimes()
	if bits.Len(uint(n))+2*bits.Len64(f.m.p) <= 2*61 {
		primes = primes[:2]
	}
	c := &convolution[W]{m: f.m}
	for i, g := range primes {
		d, err := field.Cyclic[uint64](g, n)
		if err != nil {
			return nil, err
		}
		a := image{m: g.m}
		if a.t, err = g.Plan(d, field.Spec{Order: field.Scheme}); err != nil {
			return nil, err
		}
		a.h = a.t.NewVec()
		r := make([]uint64, n)
		residues(r, h, a.m)
		if err := a.values(a.h, r); err != nil {
			return nil, err
		}
		a.inverse, a.place = 1, 1
		for _, b := range c.images[:i] {
			a.inverse, a.place = a.m.mul(a.inverse, b.m.p%a.m.p), f.m.mul(a.place, b.m.p%f.m.p)
		}
		a.inverse = a.m.inv(a.inverse)
		c.images = append(c.images, a)
	}
	c.rooms.New = func() any {
		rooms := make([]room, len(c.images))
		for i, a := range c.images {
			rooms[i] = room{make([]uint64, n), a.t.NewVec()}
		}
		return &rooms
	}
	return c, nil
}

// convolution is one modulo each prime q_0, q_1, ….
type convolution[W word] struct {
	m      modulus
	images []image
	rooms  sync.Pool // *[]room
}

// image is what belongs to q_i.
type image struct {
	m              modulus
	t              field.Transform[uint64]
	h              field.Vec // the values of h
	inverse, place uint64    // 1/(q_0·…·q_(i−1)) modulo q_i, and q_0·…·q_(i−1) modulo p
}

// room is the residues of one call, and the vector that they are transformed in.
type room struct {
	r []uint64
	v field.Vec
}

// residues sets r to x modulo m.
func residues[W word](r []uint64, x []W, m modulus) {
	for i, v := range x {
		u := uint64(v)
		if u >= m.p {
			u %= m.p
		}
		r[i] = u
	}
}

// values sets v to the values of r.
func (a *image) values(v field.Vec, r []uint64) error {
	if err := a.t.Load(v, r); err != nil {
		return err
	}
	return a.t.ForwardVec(context.Background(), v)
}

// convolve sets m.r to the convolution of itself and h.
func (a *image) convolve(m room) error {
	if err := a.values(m.v, m.r); err != nil {
		return err
	}
	if err := a.t.MulVec(m.v, m.v, a.h); err != nil {
		return err
	}
	if err := a.t.InverseVec(context.Background(), m.v); err != nil {
		return err
	}
	return a.t.Store(m.r, m.v)
}

func (c *convolution[W]) Convolve(z, x []W) {
	rooms := c.rooms.Get().(*[]room)
	for i := range c.images {
		a, m := &c.images[i], (*rooms)[i]
		residues(m.r, x, a.m)
		if err := a.convolve(m); err != nil {
			panic(err) // vectors are the plan's own, and contexts do not end
		}
	}
	for k := range z {
		z[k] = W(c.combine(*rooms, k))
	}
	c.rooms.Put(rooms)
}

// combine returns coefficient k modulo p, by its digits v_i in mixed radix: v_0 + v_1·q_0 + v_2·q_0·q_1.
func (c *convolution[W]) combine(rooms []room, k int) uint64 {
	var v [3]uint64
	var sum uint64
	for i := range c.images {
		a := &c.images[i]
		known, place := uint64(0), uint64(1) // the digits before, modulo q_i
		for j := range i {
			known = addMod(known, a.m.mul(v[j]%a.m.p, place), a.m.p)
			place = a.m.mul(place, c.images[j].m.p%a.m.p)
		}
		v[i] = a.m.mul(subMod(rooms[i].r[k], known, a.m.p), a.inverse)
		sum = addMod(sum, c.m.mul(v[i]%c.m.p, a.place), c.m.p)
	}
	return sum
}

// Bytes counts tables and scratch of the transforms, the vectors of h, and those and the residues of a call.
func (c *convolution[W]) Bytes() (n int) {
	for i := range c.images {
		r := c.images[i].t.Report()
		n += r.Tables + r.Scratch + 3*8*c.images[i].h.Len()
	}
	return n
}
